/**
 * Stores the passwords of a large batch sign-up until they are hashed: encrypted in R2 (AES-GCM, a random
 * key per operation), the key in the operation's row. Neither can be read without the other, and both go
 * with the operation.
 */
import * as z from 'zod'
import { batchSignupResult } from '#contract/people/auth'
import { signupWrite } from './batch-signup-queries.ts'

/** The operation's data: what to write, the passwords, and the answer at the end. */
const signupPlan = z.object({
  writes: z.array(signupWrite),
  passwords: z.array(z.string().nullable()),
  result: batchSignupResult,
})
export type SignupPlan = z.infer<typeof signupPlan>

const IV_BYTES = 12

/** The R2 key of an operation's plan. */
function objectOf(operationId: string): string {
  return `signups/${operationId}`
}

/** The key for WebCrypto. */
function importKey(key: string): Promise<CryptoKey> {
  return crypto.subtle.importKey('raw', Buffer.from(key, 'base64url'), 'AES-GCM', false, [
    'encrypt',
    'decrypt',
  ])
}

/**
 * Encrypts and stores a plan.
 * @returns the key, in base64url
 */
export async function lockPlan(
  bucket: R2Bucket,
  operationId: string,
  plan: SignupPlan,
): Promise<string> {
  const key = Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('base64url')
  const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES))
  const sealed = await crypto.subtle.encrypt(
    { name: 'AES-GCM', iv },
    await importKey(key),
    new TextEncoder().encode(JSON.stringify(plan)),
  )
  await bucket.put(objectOf(operationId), Buffer.concat([iv, new Uint8Array(sealed)]))
  return key
}

/** Reads a plan. Null when it is gone. */
export async function openPlan(
  bucket: R2Bucket,
  operationId: string,
  key: string,
): Promise<SignupPlan | null> {
  const object = await bucket.get(objectOf(operationId))
  if (!object) return null
  const bytes = new Uint8Array(await object.arrayBuffer())
  const text = await crypto.subtle.decrypt(
    { name: 'AES-GCM', iv: bytes.subarray(0, IV_BYTES) },
    await importKey(key),
    bytes.subarray(IV_BYTES),
  )
  return signupPlan.parse(JSON.parse(new TextDecoder().decode(text)))
}

/** Deletes a plan. */
export async function destroyPlan(bucket: R2Bucket, operationId: string): Promise<void> {
  await bucket.delete(objectOf(operationId))
}

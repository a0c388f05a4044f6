/**
 * Where the passwords of a large batch sign-up wait to be hashed: encrypted (AES-GCM, a random key per operation) in R2,
 * the key in the operation's row. Neither of the two can be read without the other, and both go when the operation is over.
 */
import * as z from 'zod'
import { batchSignupResult } from '#contract/auth'
import { signupWrite } from './batch-signup-queries.ts'

/** All that an operation needs: what to write, the passwords beside it, and what the caller is told at the end. */
const signupPlan = z.object({
  writes: z.array(signupWrite),
  passwords: z.array(z.string().nullable()),
  result: batchSignupResult,
})
export type SignupPlan = z.infer<typeof signupPlan>

const IV_BYTES = 12

/** The object of an operation. */
function objectOf(operationId: string): string {
  return `signups/${operationId}`
}

/** The key as WebCrypto wants it. */
function importKey(key: string): Promise<CryptoKey> {
  return crypto.subtle.importKey('raw', Buffer.from(key, 'base64url'), 'AES-GCM', false, [
    'encrypt',
    'decrypt',
  ])
}

/** Puts a plan away. @returns the key, in base64url */
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

/** Reads a plan; null when it is gone. */
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

/** Destroys a plan. */
export async function destroyPlan(bucket: R2Bucket, operationId: string): Promise<void> {
  await bucket.delete(objectOf(operationId))
}

/**
 * The steps of a large batch sign-up. They hash passwords and store the hashes; when all are there, one
 * transaction creates the accounts and ends the operation. Until then no account exists.
 */
import * as z from 'zod'
import { COUNT_LIMITS } from '#contract/limits'
import type { Db } from '../../db/client.ts'
import type { Env } from '../../env.ts'
import type { Change } from '../../http/change.ts'
import { hashInTurn } from '../../http/new-password.ts'
import { newHexId } from '../../lib/ids.ts'
import { finishOperation, insertOperation, stillHeld } from '../operations/queries.ts'
import { sendSteps } from '../../lib/queues.ts'
import { OperationFailed, type OperationStep, type StepContext } from '../operations/step.ts'
import { isTaken, storeSignup } from './batch-signup-queries.ts'
import { deleteHashes, insertHashes, listHashes } from './signup-hash-queries.ts'
import { listTakenRows } from './batch-signup-taken.ts'
import { destroyPlan, lockPlan, openPlan, type SignupPlan } from './signup-vault.ts'

/** The operation's payload: the key of the plan, and who asked from where. */
const payload = z.object({
  key: z.string(),
  actorId: z.int(),
  course: z.string().nullable(),
  ip: z.string(),
})
type Payload = z.infer<typeof payload>

/** The most rows named in a failure. */
const NAMED = 20

/** Starts the operation. */
export async function startSignup(
  env: Env,
  db: Db,
  plan: SignupPlan,
  course: string | null,
  { actor, ip, now }: Change,
): Promise<{ jobId: string; done: number; total: number }> {
  const operationId = newHexId(Date.now())
  const total = plan.passwords.filter((password) => password !== null).length
  const key = await lockPlan(env.BUCKET, operationId, plan)
  await insertOperation(db, {
    id: operationId,
    kind: 'batch_signup',
    ownerId: actor.id,
    total,
    payload: { key, actorId: actor.id, course, ip } satisfies Payload,
    now,
  })
  await sendSteps(env, [operationId])
  return { jobId: operationId, done: 0, total }
}

/** Hashes the next passwords, or stores everything when all are hashed. */
export const signupStep: OperationStep = async (context) => {
  const { env, db, operation } = context
  const carried = payload.parse(operation.payload)
  const plan = await openPlan(env.BUCKET, operation.id, carried.key)
  if (!plan)
    throw new OperationFailed(
      'The uploaded rows are gone. Nothing was stored; send the file again.',
    )
  const waiting = plan.passwords.flatMap((password, position) =>
    password === null ? [] : [{ password, position }],
  )
  const chunk = waiting.slice(operation.done, operation.done + COUNT_LIMITS.batchSignupChunk)
  if (chunk.length === 0) return storeAll(context, carried, plan)
  const hashes = []
  for (const { password, position } of chunk)
    hashes.push({ position, passwordHash: await hashInTurn(`user:${carried.actorId}`, password) })
  await insertHashes(db, operation.id, hashes)
  return {
    outcome: 'more',
    done: operation.done + chunk.length,
    total: operation.total,
    payload: carried,
  }
}

/** Stores everything in one transaction, or nothing if somebody has taken a name since the file was checked. */
async function storeAll(
  { env, db, operation, now }: StepContext,
  { actorId, course, ip }: Payload,
  plan: SignupPlan,
): Promise<{ outcome: 'ended' }> {
  for (const { position, passwordHash } of await listHashes(db, operation.id)) {
    const write = plan.writes[position]
    if (write) write.passwordHash = passwordHash
  }
  try {
    await db.batch([
      ...storeSignup(db, plan.writes, { actorId, course, ip, now }, stillHeld(operation)),
      deleteHashes(db, operation.id),
      finishOperation(db, operation, plan.result, now),
    ])
  } catch (error) {
    if (!isTaken(error)) throw error
    await deleteHashes(db, operation.id)
    await destroyPlan(env.BUCKET, operation.id)
    const names = (await listTakenRows(db, plan)).map((row) => `${row.username} (line ${row.line})`)
    throw new OperationFailed(
      `Taken by somebody else in the meantime: ${names.slice(0, NAMED).join(', ')}. Nothing was stored; send the file again.`,
    )
  }
  await destroyPlan(env.BUCKET, operation.id)
  return { outcome: 'ended' }
}

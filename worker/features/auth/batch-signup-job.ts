/**
 * A large batch sign-up in the background: hashes are made in chunks and put aside; when all are there, the
 * accounts are stored in one transaction together with the end of the job. Until then none of them exists.
 */
import * as z from 'zod'
import { COUNT_LIMITS } from '#contract/limits'
import type { Db } from '../../db/client.ts'
import type { Env } from '../../env.ts'
import type { Change } from '../../http/change.ts'
import { hashInTurn } from '../../http/new-password.ts'
import { newHexId } from '../../lib/ids.ts'
import { finishJob, insertJob, stillHeld } from '../jobs/queries.ts'
import { sendTasks } from '../../lib/queues.ts'
import { JobFailed, type JobStep, type StepContext } from '../jobs/step.ts'
import {
  deleteHashes,
  insertHashes,
  isTaken,
  listHashes,
  storeSignup,
} from './batch-signup-queries.ts'
import { listTakenRows } from './batch-signup-taken.ts'
import { destroyPlan, lockPlan, openPlan, type SignupPlan } from './signup-vault.ts'

/** What the job row carries: the key of the plan, and who asked for it from where. */
const payload = z.object({
  key: z.string(),
  actorId: z.int(),
  course: z.string().nullable(),
  ip: z.string(),
})
type Payload = z.infer<typeof payload>

/** Rows that the failure of a job names at most. */
const NAMED = 20

/** Starts the job. */
export async function startSignupJob(
  env: Env,
  db: Db,
  plan: SignupPlan,
  course: string | null,
  { actor, ip, now }: Change,
): Promise<{ jobId: string; done: number; total: number }> {
  const jobId = newHexId(Date.now())
  const total = plan.passwords.filter((password) => password !== null).length
  const key = await lockPlan(env.BUCKET, jobId, plan)
  await insertJob(db, {
    id: jobId,
    kind: 'batch_signup',
    ownerId: actor.id,
    total,
    payload: { key, actorId: actor.id, course, ip } satisfies Payload,
    now,
  })
  await sendTasks(env, [jobId])
  return { jobId, done: 0, total }
}

/** Hashes the next chunk, or stores everything when nothing is left to hash. */
export const signupStep: JobStep = async (context) => {
  const { env, db, job } = context
  const carried = payload.parse(job.payload)
  const plan = await openPlan(env.BUCKET, job.id, carried.key)
  if (!plan)
    throw new JobFailed('The uploaded rows are gone. Nothing was stored; send the file again.')
  const waiting = plan.passwords.flatMap((password, position) =>
    password === null ? [] : [{ password, position }],
  )
  const chunk = waiting.slice(job.done, job.done + COUNT_LIMITS.batchSignupChunk)
  if (chunk.length === 0) return storeAll(context, carried, plan)
  const hashes = []
  for (const { password, position } of chunk)
    hashes.push({ position, passwordHash: await hashInTurn(`user:${carried.actorId}`, password) })
  await insertHashes(db, job.id, hashes)
  return { outcome: 'more', done: job.done + chunk.length, total: job.total, payload: carried }
}

/** The one transaction. Somebody may have taken a name since the file was checked; then nothing is stored. */
async function storeAll(
  { env, db, job, now }: StepContext,
  { actorId, course, ip }: Payload,
  plan: SignupPlan,
): Promise<{ outcome: 'ended' }> {
  for (const { position, passwordHash } of await listHashes(db, job.id)) {
    const write = plan.writes[position]
    if (write) write.passwordHash = passwordHash
  }
  try {
    await db.batch([
      ...storeSignup(db, plan.writes, { actorId, course, ip, now }, stillHeld(job)),
      deleteHashes(db, job.id),
      finishJob(db, job, plan.result, now),
    ])
  } catch (error) {
    if (!isTaken(error)) throw error
    await deleteHashes(db, job.id)
    await destroyPlan(env.BUCKET, job.id)
    const names = (await listTakenRows(db, plan)).map((row) => `${row.username} (line ${row.line})`)
    throw new JobFailed(
      `Taken by somebody else in the meantime: ${names.slice(0, NAMED).join(', ')}. Nothing was stored; send the file again.`,
    )
  }
  await destroyPlan(env.BUCKET, job.id)
  return { outcome: 'ended' }
}

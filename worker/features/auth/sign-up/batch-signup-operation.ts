/**
 * The steps of a large batch sign-up. They hash passwords and store the hashes; when all are there, one
 * transaction creates the accounts. Until then no account exists. Then links are mailed to those without a password.
 */
import { sql } from 'drizzle-orm'
import * as z from 'zod'
import type { BatchSignupRow } from '#contract/people/auth'
import type { Db } from '../../../db/client.ts'
import { noteMails } from '../../../db/vitals.ts'
import type { Env } from '../../../env.ts'
import type { Change } from '../../../http/change.ts'
import { mailerOf, mailsLeftToday, originForLinks } from '../../../http/mail.ts'
import { hashQueued } from '../../../http/new-password.ts'
import { CHANNELS } from '../../../lib/channel-limits.ts'
import { newHexId, newSecret, sha256Hex } from '../../../lib/ids.ts'
import { activationLetter } from '../../../lib/mail-letters.ts'
import { inTime } from '../../../lib/clock.ts'
import { endSocketsOf } from '../../../lib/live.ts'
import { deliverMail, MailLimited } from '../../../lib/mail.ts'
import {
  OPERATIONS,
  finishOperation,
  insertOperation,
  isOperationLeased,
  updateOperation,
} from '../../operations/queries.ts'
import { sendSteps } from '../../../lib/queues.ts'
import {
  OperationFailed,
  type OperationStep,
  type StepContext,
  type StepOutcome,
} from '../../operations/step.ts'
import {
  insertActivationLinks,
  isUniqueViolation,
  storeSignup,
  type SignupWrite,
  listEnded,
} from './batch-signup-queries.ts'
import { deleteHashes, insertHashes, listHashes } from './signup-hash-queries.ts'
import { maySignUp, selectMaySignUp, type SignupSender } from './batch-signup-right.ts'
import { listConflictingRows } from './batch-signup-conflicts.ts'
import { destroyPlan, lockPlan, openPlan, type SignupPlan } from './signup-vault.ts'

/** New passwords hashed in one step, and mails sent in one. */
const CHUNK = 10
/** A step that has sent mails for so long ends. */
const MAILS_MS = 10_000

/** The operation's payload: the key of the plan, and who asked from where. */
const payload = z.object({
  key: z.string(),
  actorId: z.int(),
  course: z.string().nullable(),
  courseId: z.int().nullable(),
  ip: z.string(),
  /** Usernames whose link could not be mailed; null: the accounts do not exist yet. */
  notMailed: z.array(z.string()).nullable().default(null),
})
type Payload = z.infer<typeof payload>

/** The most rows named in a failure. */
const NAMED = 20

/** The new accounts that get a link, because they have no password. */
export function listLinked({
  writes,
  passwords,
}: Pick<SignupPlan, 'writes' | 'passwords'>): SignupWrite[] {
  return writes.filter(({ action }, index) => action === 'create' && passwords[index] === null)
}

/** Starts the operation. */
export async function startSignup(
  env: Env,
  db: Db,
  plan: SignupPlan,
  sender: SignupSender,
  { ip, now }: Change,
): Promise<{ jobId: string; done: number; total: number }> {
  const operationId = newHexId(Date.now())
  const hashed = plan.passwords.filter((password) => password !== null).length
  const total = hashed + listLinked(plan).length
  const key = await lockPlan(env.BUCKET, operationId, plan)
  await insertOperation(db, {
    id: operationId,
    kind: 'batch_signup',
    ownerId: sender.actorId,
    total,
    payload: { ...sender, key, ip, notMailed: null } satisfies Payload,
    now,
  })
  await sendSteps(env, [operationId])
  return { jobId: operationId, done: 0, total }
}

/** Hashes the next passwords, stores everything when all are hashed, then mails the next links. */
export const signupStep: OperationStep = async (context) => {
  const { env, db, operation } = context
  const carried = payload.parse(operation.payload)
  const plan = await openPlan(env.BUCKET, operation.id, carried.key)
  if (!plan)
    throw new OperationFailed(
      'The uploaded rows are gone. Nothing was stored; send the file again.',
    )
  const { notMailed } = carried
  if (notMailed !== null) return mailLinks(context, { ...carried, notMailed }, plan)
  const waiting = plan.passwords.flatMap((password, position) =>
    password === null ? [] : [{ password, position }],
  )
  const chunk = waiting.slice(operation.done, operation.done + CHUNK)
  if (chunk.length === 0) return storeAll(context, carried, plan)
  const hashes = []
  for (const { password, position } of chunk)
    hashes.push({ position, passwordHash: await hashQueued(`user:${carried.actorId}`, password) })
  await insertHashes(db, operation.id, hashes)
  return {
    outcome: 'more',
    done: operation.done + chunk.length,
    total: operation.total,
    payload: carried,
  }
}

/**
 * Stores everything in one transaction, or nothing if somebody has taken a name since the file was checked, or its sender may not sign
 * up any more.
 */
async function storeAll(
  { env, db, operation, now }: StepContext,
  carried: Payload,
  plan: SignupPlan,
): Promise<StepOutcome> {
  for (const { position, passwordHash } of await listHashes(db, operation.id)) {
    const write = plan.writes[position]
    if (write) write.passwordHash = passwordHash
  }
  const { writes } = plan
  const isLeased = isOperationLeased(operation)
  const may = maySignUp(carried, writes)
  const isStored = sql`(${isLeased} and ${may})`
  const { done, total } = operation
  const next = { ...carried, notMailed: [] }
  const hasLinks = listLinked(plan).length > 0
  const store = () =>
    db.batch([
      selectMaySignUp(db, carried, writes, isLeased),
      ...storeSignup(db, writes, { ...carried, now }, isStored),
      deleteHashes(db, operation.id, isStored),
      hasLinks
        ? updateOperation(db, operation, { done, total, payload: next }, now, may)
        : finishOperation(db, operation, plan.result, now, may),
    ])
  const results = await store().catch((error: unknown) => {
    if (isUniqueViolation(error)) return null
    throw error
  })
  if (results === null)
    return refuse(env, db, operation.id, takenMeanwhile(await listConflictingRows(db, plan)))
  const [asked] = results[0]
  // Another consumer goes on with it.
  if (asked?.isLeased !== 1) return { outcome: 'ended' }
  if (asked.may !== 1) return refuse(env, db, operation.id, noMoreBy(carried.course))
  await inTime(endSocketsOf(env, listEnded(results)), CHANNELS.answerMs)
  if (hasLinks) return { outcome: 'more', done, total, payload: next }
  await destroyPlan(env.BUCKET, operation.id)
  return { outcome: 'ended' }
}

/** Ends it with nothing stored. The plan goes first: with it but without the hashes a next step would store accounts that nobody can open. */
async function refuse(env: Env, db: Db, operationId: string, why: string): Promise<never> {
  await destroyPlan(env.BUCKET, operationId)
  await deleteHashes(db, operationId)
  throw new OperationFailed(why)
}

/** Why nothing was stored: the sender may not sign up any more. */
function noMoreBy(course: string | null): string {
  const why =
    course === null
      ? 'You may not sign people up any more.'
      : `“${course}” was renamed or deleted in the meantime, or you may not sign these people up there any more.`
  return `${why} Nothing was stored.`
}

/** Why nothing was stored: names or e-mails belong to others by now. */
function takenMeanwhile(rows: BatchSignupRow[]): string {
  const names = rows.slice(0, NAMED).map(({ username, line }) => `${username} (line ${line})`)
  return `Taken by somebody else in the meantime: ${names.join(', ')}. Nothing was stored; send the file again.`
}

/**
 * Mails the next links. A step that dies half way mails some again: then the newer link counts. Who has chosen a password
 * meanwhile gets none. After too many faults the rest count as not mailed: the accounts exist, so this is no failure. Where the mail service
 * asks for a wait, or the day's number of mails is reached, the rest wait. One mail after the other, because services limit how many come at once.
 */
async function mailLinks(
  { env, db, operation, now }: StepContext,
  carried: Payload & { notMailed: string[] },
  plan: SignupPlan,
): Promise<StepOutcome> {
  const linked = listLinked(plan)
  const mailed = operation.done - (operation.total - linked.length)
  const end = async (notMailed: string[]): Promise<StepOutcome> => {
    await finishOperation(db, operation, { ...plan.result, notMailed }, now)
    await destroyPlan(env.BUCKET, operation.id)
    return { outcome: 'ended' }
  }
  if (operation.attempt >= OPERATIONS.maxAttempts)
    return end([...carried.notMailed, ...linked.slice(mailed).map(({ username }) => username)])
  const origin = originForLinks(env)
  const left = await mailsLeftToday(env, db, now)
  const { total } = operation
  if (left === 0)
    return { outcome: 'wait', until: nextDay(now), done: operation.done, total, payload: carried }
  const next = await Promise.all(
    linked.slice(mailed, mailed + Math.min(CHUNK, left)).map(async (write) => {
      const token = newSecret()
      return { ...write, token, tokenHash: await sha256Hex(token) }
    }),
  )
  const links = next.map(({ username, tokenHash }) => ({ username, tokenHash }))
  const stored = new Set(await insertActivationLinks(db, links, now))
  const start = Date.now()
  const notMailed = [...carried.notMailed]
  let { done } = operation
  let taken = 0
  let waitSeconds = 0
  for (const { email, username, token, tokenHash } of next) {
    if (stored.has(tokenHash)) {
      const letter = activationLetter(origin, email, username, token)
      const delivery = await deliverMail(mailerOf(env), letter)
      if (delivery instanceof MailLimited) {
        waitSeconds = delivery.waitSeconds
        break
      }
      if (delivery === 'failed') notMailed.push(username)
      else taken += 1
    }
    done += 1
    if (Date.now() - start > MAILS_MS) break
  }
  await noteMails(db, { taken, givenUp: notMailed.length - carried.notMailed.length }, now)
  const payload = { ...carried, notMailed }
  if (waitSeconds > 0) return { outcome: 'wait', until: now + waitSeconds, done, total, payload }
  if (done < total) return { outcome: 'more', done, total, payload }
  return end(notMailed)
}

/** The beginning of the next day (UTC). @param now epoch seconds */
function nextDay(now: number): number {
  return now - (now % 86_400) + 86_400
}

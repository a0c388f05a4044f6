/** Batch sign-up from CSV: all rows are checked first, then all are stored or none. */
import type { BatchSignupBody, BatchSignupResult, BatchSignupRow } from '#contract/people/auth'
import { openDb, type Db } from '../../../db/client.ts'
import type { Env } from '../../../env.ts'
import type { Change } from '../../../http/change.ts'
import { AppError } from '../../../http/errors.ts'
import { originForLinks } from '../../../http/mail.ts'
import { hashQueued } from '../../../http/new-password.ts'
import { listLinked, startSignup } from './batch-signup-operation.ts'
import {
  findExistingUsers,
  isUniqueViolation,
  storeSignup,
  type SignupWrite,
  listEnded,
} from './batch-signup-queries.ts'
import { givesRole, maySignUp, selectMaySignUp, type SignupSender } from './batch-signup-right.ts'
import { listConflictingRows } from './batch-signup-conflicts.ts'
import {
  judgeRow,
  readRows,
  toWrites,
  type SignupContext,
  type SignupRow,
} from './batch-signup-rows.ts'

/** New passwords that one request hashes, at 0.2 s each. More become an operation. */
const MOST_PASSWORDS = 50
/** Rows checked without a rest. */
const JUDGED_AT_ONCE = 5

/** The outcome: the result, and whose sessions have ended; or the operation that will have it. */
type SignupOutcome =
  | { result: BatchSignupResult; endedIds: number[] }
  | { operation: { jobId: string; done: number; total: number } }

/**
 * Checks all rows, stores all or nothing. Many new passwords, and links to mail, make it an operation.
 * @param courseId of the course that the body names
 * @param demandFresh called before an account is changed or given a role; throws when the caller may not
 * @throws AppError `bad_csv` whose data is the result with every bad row; `signup_failed` with the rows
 * whose name or e-mail was taken meanwhile; `not_configured` when links cannot be mailed
 */
export async function batchSignup(
  env: Env,
  body: BatchSignupBody,
  courseId: number | null,
  change: Change,
  demandFresh: () => void,
): Promise<SignupOutcome> {
  if (body.mailLinks) originForLinks(env)
  const db = openDb(env.DB)
  const { rows, errors } = readRows(body)
  const existing = await findExistingUsers(db, rows, change.actor.id, body.course ?? null)
  const context: SignupContext = {
    actor: change.actor,
    body,
    byName: new Map(existing.map((user) => [user.usernameKey, user])),
    byEmail: new Map(
      existing.filter((user) => user.confirmed === 1).map((user) => [user.email, user]),
    ),
    seen: new Set(),
  }
  const outcomes = await judgeRows(rows, context)
  const result = summarise(
    [...errors, ...outcomes].toSorted((left, right) => left.line - right.line),
  )
  const isRefused = result.rows.some((row) => row.action === 'error')
  if (isRefused && !body.dryRun) throw new AppError('bad_csv', result)
  if (body.dryRun) return { result, endedIds: [] }
  const { writes, passwords } = toWrites(rows, context)
  if (writes.some((write) => write.action === 'update' || givesRole(write))) demandFresh()
  const plan = { writes, passwords, result }
  const sender = { actorId: change.actor.id, course: body.course ?? null, courseId }
  const hashed = passwords.filter((password) => password !== null).length
  if (hashed > MOST_PASSWORDS || listLinked(plan).length > 0)
    return { operation: await startSignup(env, db, plan, sender, change) }
  for (const [index, write] of writes.entries()) {
    const password = passwords[index] ?? null
    write.passwordHash =
      password === null ? null : await hashQueued(`user:${change.actor.id}`, password)
  }
  try {
    return { result, endedIds: await storeNow(db, writes, sender, change) }
  } catch (error) {
    // Hashing takes time; somebody else was quicker with a name.
    throw isUniqueViolation(error)
      ? new AppError('signup_failed', summarise(await listConflictingRows(db, plan)))
      : error
  }
}

/** Stores all rows, and gives whose sessions have ended. @throws AppError `forbidden` where the sender may not any more */
async function storeNow(
  db: Db,
  writes: SignupWrite[],
  sender: SignupSender,
  { ip, now }: Change,
): Promise<number[]> {
  const results = await db.batch([
    selectMaySignUp(db, sender, writes),
    ...storeSignup(db, writes, { ...sender, ip, now }, maySignUp(sender, writes)),
  ])
  if (results[0][0]?.may !== 1) throw new AppError('forbidden')
  return listEnded(results)
}

/**
 * Checks the rows in order. A password takes 1 to 3 ms of the isolate's only thread, so other calls run in
 * between: without that one waited 9.4 s beside a file of 5,000.
 */
async function judgeRows(rows: SignupRow[], context: SignupContext): Promise<BatchSignupRow[]> {
  const outcomes: BatchSignupRow[] = []
  while (outcomes.length < rows.length) {
    const next = rows.slice(outcomes.length, outcomes.length + JUDGED_AT_ONCE)
    outcomes.push(...next.map((row) => judgeRow(row, context)))
    await new Promise((resolve) => setTimeout(resolve))
  }
  return outcomes
}

/** The rows' counts by action; a bad row refuses the file, so nothing is counted. */
function summarise(rows: BatchSignupRow[]): BatchSignupResult {
  const isRefused = rows.some((row) => row.action === 'error')
  const countOf = (action: BatchSignupRow['action']): number =>
    isRefused ? 0 : rows.filter((row) => row.action === action).length
  return {
    created: countOf('create'),
    updated: countOf('update'),
    enrolled: countOf('enrol'),
    unchanged: countOf('none'),
    rows,
  }
}

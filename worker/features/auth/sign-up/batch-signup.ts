/** Batch sign-up from CSV: all rows are checked first, then all are stored or none. */
import type { BatchSignupBody, BatchSignupResult, BatchSignupRow } from '#contract/people/auth'
import { openDb, type Db } from '../../../db/client.ts'
import type { Env } from '../../../env.ts'
import type { Change } from '../../../http/change.ts'
import { AppError } from '../../../http/errors.ts'
import { originForLinks } from '../../../http/mail.ts'
import { hashQueued } from '../../../http/new-password.ts'
import {
  findExistingUsers,
  isUniqueViolation,
  listEnded,
  storeSignup,
} from './batch-signup-queries.ts'
import {
  givesRole,
  judgeRow,
  readRows,
  toWrites,
  type SignupContext,
  type SignupRow,
} from './batch-signup-rows.ts'
import { selectWaitingLinks } from './due-link-queries.ts'
import { mailDueLinks } from './due-links.ts'

/** How many rows are checked before other calls get a turn. */
const JUDGED_AT_ONCE = 5
/** How often the rows are checked at most, because somebody may take their names while passwords are hashed. */
const MOST_CHECKS = 3

/** The result, and the people whose sessions have ended. */
interface SignupOutcome {
  result: BatchSignupResult
  endedIds: number[]
}

/**
 * Checks all rows, stores all or nothing, then mails the links of accounts without a password.
 * @param demandFresh called before an account is changed or given a role; throws when the caller may not
 * @throws AppError `bad_csv` whose data is the result with every bad row; `not_configured` when links cannot be mailed
 */
export async function batchSignup(
  env: Env,
  body: BatchSignupBody,
  change: Change,
  demandFresh: () => void,
): Promise<SignupOutcome> {
  if (body.mailLinks) originForLinks(env)
  const db = openDb(env.DB)
  const hashes = new Map<string, string>()
  for (let check = 1; ; check += 1) {
    const { result, writes, passwords } = await checkRows(db, body, change)
    if (body.dryRun) return { result, endedIds: [] }
    if (result.rows.some((row) => row.action === 'error')) throw new AppError('bad_csv', result)
    if (writes.some((write) => write.action === 'update' || givesRole(write))) demandFresh()
    for (const [index, write] of writes.entries()) {
      const password = passwords[index] ?? null
      if (password === null) continue
      const hash =
        hashes.get(write.username) ?? (await hashQueued(`user:${change.actor.id}`, password))
      hashes.set(write.username, hash)
      write.passwordHash = hash
    }
    const origin = { actorId: change.actor.id, course: body.course ?? null, ...change }
    try {
      const endedIds = listEnded(await db.batch(storeSignup(db, writes, origin)))
      const linked = writes.filter(
        ({ action, passwordHash }) => action === 'create' && passwordHash === null,
      )
      const names = linked.map(({ username }) => username)
      if (names.length === 0) return { result, endedIds }
      const notMailed = await mailDueLinks(env, db, change.now, names)
      const [waiting] = await selectWaitingLinks(db, names)
      return { result: { ...result, notMailed, waitingLinks: waiting?.count ?? 0 }, endedIds }
    } catch (error) {
      // Names may be taken while passwords are hashed, perhaps because another tab has stored the same file. The next check finds this.
      if (!isUniqueViolation(error) || check === MOST_CHECKS) throw error
    }
  }
}

/** The outcome of each row, and the changes of all rows. */
async function checkRows(db: Db, body: BatchSignupBody, { actor }: Change) {
  const { rows, errors } = readRows(body)
  const existing = await findExistingUsers(db, rows, actor.id, body.course ?? null)
  const context: SignupContext = {
    actor,
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
  return { result, ...toWrites(rows, context) }
}

/**
 * Checks the rows in order. The check of a password takes 1 to 3 ms of the isolate's only thread, so it makes breaks for other
 * calls. Without these breaks a call waited 9.4 s beside a file of 5,000 rows.
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

/** The number of rows for each action. A bad row refuses the whole file, so all numbers are 0. */
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

/** Starts and stops copy searches; at most one runs per problem. */
import { and, eq, isNull, sql, type SQL } from 'drizzle-orm'
import type { CopycatStart } from '#contract/copycat'
import { insertAudit } from '../../db/audit.ts'
import { rawQuery, type Db } from '../../db/client.ts'
import { demand } from '../../db/demand.ts'
import { takeToken, wasAllowed } from '../../db/rate-limits.ts'
import { copycatReports, operations, problems, users } from '../../db/schema.ts'
import { excluded, insertSelect, onConflictUpdate } from '../../db/statements.ts'
import type { Change } from '../../http/change.ts'
import { AppError } from '../../http/errors.ts'
import { demandTokens } from '../../http/rate-limit.ts'
import { newHexId } from '../../lib/ids.ts'
import { ended, insertOperation } from '../operations/queries.ts'
import { chosenPrograms, type Selection } from './queries.ts'
import { firstPayload } from './report-step.ts'

/** Searches that one person starts: `burst` at once, then one per interval. */
export const SEARCH_LIMIT = { burst: 10, intervalMs: 60_000 } as const

/** A problem of a course, and its running search, if there is one. */
function selectRunning(db: Db, courseId: number, problemId: number) {
  return db
    .select({
      operationId: sql<string | null>`${operations.id}`.as('operation_id'),
      total: sql<number | null>`${operations.total}`.as('total'),
    })
    .from(problems)
    .leftJoin(copycatReports, eq(copycatReports.problemId, problems.id))
    .leftJoin(
      operations,
      and(eq(operations.id, copycatReports.operationId), isNull(operations.finishedAt)),
    )
    .where(
      and(eq(problems.id, problemId), eq(problems.courseId, courseId), isNull(problems.deletedAt)),
    )
}

/** The condition that a course has a problem. */
function isProblemOf(courseId: number, problemId: number): SQL {
  return sql`exists (select 1 from ${problems} where ${problems.id} = ${problemId} and ${problems.courseId} = ${courseId}
    and ${problems.deletedAt} is null)`
}

/** The id of a problem's running search. */
function selectRunningId(problemId: number): SQL {
  return sql`select ${operations.id} from ${copycatReports} join ${operations} on ${operations.id} = ${copycatReports.operationId}
    where ${copycatReports.problemId} = ${problemId} and ${operations.finishedAt} is null`
}

/**
 * Starts a search unless one runs, in one transaction: the second of two parallel calls finds the first
 * one's.
 * @returns the running operation, and whether this call started it
 */
export async function startSearch(
  db: Db,
  courseId: number,
  { problemId, usernames }: CopycatStart,
  change: Change,
): Promise<{ jobId: string; count: number; isNew: boolean }> {
  const { actor, now } = change
  const nowMs = Date.now()
  const operationId = newHexId(nowMs)
  const selection: Selection = { problemId, usernames: usernames ?? null }
  const key = `copycat:user:${actor.id}`
  const unknown = sql`select w.value as username from json_each(${JSON.stringify(usernames ?? [])}) w
    where not exists (select 1 from ${users} where ${users.usernameKey} = lower(w.value))`
  const may = sql`(${isProblemOf(courseId, problemId)} and not exists (${selectRunningId(problemId)}) and not exists (${unknown}))`
  const started = sql`exists (select 1 from ${operations} where ${operations.id} = ${operationId})`
  const [found, strangers, tokens, inserted] = await db.batch([
    selectRunning(db, courseId, problemId),
    rawQuery<{ username: string }>(db, unknown),
    takeToken(db, key, SEARCH_LIMIT, nowMs, may),
    insertOperation(
      db,
      {
        id: operationId,
        kind: 'copycat',
        ownerId: actor.id,
        total: sql`select 2 * count(*) from (${chosenPrograms(selection)})`,
        payload: firstPayload(selection),
        now,
      },
      sql`${may} and ${wasAllowed(key)}`,
    ),
    insertSelect(
      db,
      copycatReports,
      { problemId, operationId },
      sql`where ${started}
        ${onConflictUpdate(copycatReports, [copycatReports.problemId], { operationId: excluded(copycatReports.operationId) })}`,
    ),
    insertAudit(db, change, {
      action: 'copycat.start',
      subject: `problem ${problemId}`,
      detail: { jobId: operationId, ...(usernames && { usernames: usernames.length }) },
      when: started,
    }),
  ])
  const [running] = found
  if (!running) throw new AppError('problem_not_found')
  if (running.operationId !== null)
    return { jobId: running.operationId, count: running.total ?? 0, isNew: false }
  if (strangers.length > 0)
    throw new AppError('user_not_found', { unknown: strangers.map(({ username }) => username) })
  demandTokens([tokens])
  return { jobId: operationId, count: inserted[0]?.total ?? 0, isNew: true }
}

/** Stops the running search; the report before it is shown again. */
export async function stopSearch(
  db: Db,
  courseId: number,
  problemId: number,
  change: Change,
): Promise<void> {
  const { now } = change
  const running = selectRunningId(problemId)
  await db.batch([
    demand(db, 'problem_not_found', isProblemOf(courseId, problemId)),
    demand(db, 'no_report_running', sql`exists (${running})`),
    db
      .update(operations)
      .set({ state: 'failed', error: 'It was stopped.', ...ended(now) })
      .where(sql`${operations.id} in (${running})`),
    db
      .update(copycatReports)
      .set({ operationId: null })
      .where(eq(copycatReports.problemId, problemId)),
    insertAudit(db, change, { action: 'copycat.stop', subject: `problem ${problemId}` }),
  ])
}

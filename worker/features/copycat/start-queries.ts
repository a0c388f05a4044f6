/** Starts and stops copy searches; at most one runs per problem. */
import { eq, sql, type SQL } from 'drizzle-orm'
import type { CopycatStart } from '#contract/copycat'
import { insertAudit } from '../../db/audit.ts'
import { rawQuery, type Db } from '../../db/client.ts'
import { demand } from '../../db/demand.ts'
import { takeToken, wasAllowed } from '../../db/rate-limits.ts'
import { copycatReports, operations, problems, users } from '../../db/schema.ts'
import { excluded, insertSelect, onConflictUpdate } from '../../db/statements.ts'
import type { Change } from '../../http/change.ts'
import { demandTokens } from '../../http/rate-limit.ts'
import { newHexId } from '../../lib/ids.ts'
import { ended, insertOperation } from '../operations/queries.ts'
import { chosenPrograms, type Selection } from './queries.ts'
import { firstPayload } from './report-step.ts'

/** Searches that one person starts: `burst` at once, then one per interval. */
export const SEARCH_LIMIT = { burst: 10, intervalMs: 60_000 } as const

/** The condition that a course has a problem. */
function isProblemOf(courseId: number, problemId: number): SQL {
  return sql`exists (select 1 from ${problems} where ${problems.id} = ${problemId} and ${problems.courseId} = ${courseId}
    and ${problems.deletedAt} is null)`
}

/** A problem's running search: `id, total`. */
function runningSearch(problemId: number): SQL {
  return sql`select ${operations.id} as id, ${operations.total} as total from ${copycatReports} join ${operations} on ${operations.id} = ${copycatReports.operationId}
    where ${copycatReports.problemId} = ${problemId} and ${operations.finishedAt} is null`
}

/**
 * Starts a search unless one runs, in one transaction, so that the second of two parallel calls finds the search of the first.
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
  const running = runningSearch(problemId)
  const started = sql`exists (select 1 from ${operations} where ${operations.id} = ${operationId})`
  const [, , [found], tokens, inserted] = await db.batch([
    demand(db, 'problem_not_found', isProblemOf(courseId, problemId)),
    demand(
      db,
      'user_not_found',
      sql`exists (${running}) or not exists (${unknown})`,
      sql`json_object('unknown', (select json_group_array(username) from (${unknown})))`,
    ),
    rawQuery<{ id: string; total: number }>(db, running),
    takeToken(db, key, SEARCH_LIMIT, nowMs, sql`not exists (${running})`),
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
      sql`not exists (${running}) and ${wasAllowed(key)}`,
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
  if (found) return { jobId: found.id, count: found.total, isNew: false }
  demandTokens([tokens])
  return { jobId: operationId, count: inserted[0]?.total ?? 0, isNew: true }
}

/** Stops the running search; the earlier report is shown again. */
export async function stopSearch(
  db: Db,
  courseId: number,
  problemId: number,
  change: Change,
): Promise<void> {
  const { now } = change
  const running = runningSearch(problemId)
  await db.batch([
    demand(db, 'problem_not_found', isProblemOf(courseId, problemId)),
    demand(db, 'no_report_running', sql`exists (${running})`),
    db
      .update(operations)
      .set({ state: 'failed', error: 'It was stopped.', ...ended(now) })
      .where(sql`${operations.id} in (select id from (${running}))`),
    db
      .update(copycatReports)
      .set({ operationId: null })
      .where(eq(copycatReports.problemId, problemId)),
    insertAudit(db, change, { action: 'copycat.stop', subject: `problem ${problemId}` }),
  ])
}

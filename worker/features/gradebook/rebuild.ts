/** Computing all marks of a course anew. */
import { sql } from 'drizzle-orm'
import { insertAudit } from '../../db/audit.ts'
import { columnName, insertSelect, onConflictUpdate } from '../../db/statements.ts'
import { rawQuery, type Db } from '../../db/client.ts'
import { gradebookColumns, memberships, operations, staleMarks } from '../../db/schema.ts'
import { membershipCan, type CourseStanding } from '../../db/standing.ts'
import type { Env } from '../../env.ts'
import type { Change } from '../../http/change.ts'
import { newHexId } from '../../lib/ids.ts'
import { sendSteps } from '../../lib/queues.ts'
import { insertOperation } from '../operations/queries.ts'
import { selectRunning } from './refresh-step.ts'

/** The statement that makes all marks of a course stale, also those that nobody has. */
function makeStale(db: Db, courseId: number) {
  const { columnId, userId } = staleMarks
  return insertSelect(
    db,
    staleMarks,
    { columnId: sql`${gradebookColumns.id}`, userId: sql`${memberships.userId}` },
    sql`from ${gradebookColumns} join ${memberships} on ${memberships.courseId} = ${gradebookColumns.courseId}
      where ${gradebookColumns.courseId} = ${courseId} and ${membershipCan('scoreboard.appear')}
      ${onConflictUpdate(staleMarks, [columnId, userId], { claim: null })}`,
  )
}

/**
 * Has all marks of a course computed anew. An operation that runs already does it, too; it then belongs to the caller, who sees its progress.
 * @returns the operation, and how many people's marks it computes
 */
export async function rebuildMarks(
  env: Env,
  db: Db,
  { id: courseId, name }: CourseStanding,
  change: Change,
): Promise<{ jobId: string; count: number }> {
  const { actor, now } = change
  const id = newHexId(now * 1000)
  const running = selectRunning(courseId)
  const students = sql`select count(*) from ${memberships}
    where ${memberships.courseId} = ${courseId} and ${membershipCan('scoreboard.appear')}`
  const [, , , [started]] = await db.batch([
    makeStale(db, courseId),
    insertOperation(
      db,
      { id, kind: 'marks', ownerId: actor.id, total: 0, payload: { courseId }, now },
      sql`not exists (${running})`,
    ),
    insertAudit(db, change, { action: 'gradebook.rebuild', subject: name }),
    rawQuery<{ jobId: string; count: number }>(
      db,
      sql`update ${operations} set owner_id = ${actor.id}, total = ${columnName(operations.done)} + (${students})
        where ${operations.id} in (${running})
        returning ${columnName(operations.id)} as jobId, (${students}) as count`,
    ),
  ])
  if (!started) throw new Error('no operation')
  if (started.jobId === id) await sendSteps(env, [id])
  return started
}

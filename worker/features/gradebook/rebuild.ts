/** Computing all marks of a course anew. */
import { sql } from 'drizzle-orm'
import { insertAudit } from '../../db/audit.ts'
import { insertSelect, onConflictUpdate } from '../../db/statements.ts'
import type { Db } from '../../db/client.ts'
import { gradebookColumns, memberships, operations, staleMarks } from '../../db/schema.ts'
import { membershipCan, type CourseStanding } from '../../db/standing.ts'
import type { Env } from '../../env.ts'
import type { Change } from '../../http/change.ts'
import { newHexId } from '../../lib/ids.ts'
import { sendSteps } from '../../lib/queues.ts'
import { begunAnew, insertOperation } from '../operations/queries.ts'
import { selectRunning } from './refresh-step.ts'

/** The statement that makes all marks of a course stale, also those that nobody has. */
function makeStale(db: Db, courseId: number) {
  const { columnId, userId } = staleMarks
  return insertSelect(
    db,
    staleMarks,
    {
      columnId: sql`${gradebookColumns.id}`,
      userId: sql`${memberships.userId}`,
      isByRule: true,
    },
    sql`from ${gradebookColumns} join ${memberships} on ${memberships.courseId} = ${gradebookColumns.courseId}
      where ${gradebookColumns.courseId} = ${courseId} and ${membershipCan('scoreboard.appear')}
      ${onConflictUpdate(staleMarks, [columnId, userId], { claim: null, isByRule: true })}`,
  )
}

/**
 * Has all marks of a course computed anew. An operation that runs already begins anew; it then belongs to the caller, who sees its progress.
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
    db
      .update(operations)
      .set({
        ownerId: actor.id,
        total: sql`${operations.done} + (${students})`,
        // A step that runs now may have found nothing stale before.
        ...begunAnew(now),
      })
      .where(sql`${operations.id} in (${running})`)
      .returning({ jobId: operations.id, count: sql<number>`(${students})` }),
  ])
  if (!started) throw new Error('no operation')
  await sendSteps(env, [started.jobId])
  return started
}

/** The operation `marks`: computes the stale marks of a course, a few people at a time. */
import * as z from 'zod'
import { sql, type SQL } from 'drizzle-orm'
import { GRADEBOOK_LIMITS } from '#contract/limits'
import { rawQuery, type Db } from '../../db/client.ts'
import { gradebookColumns, operations, staleMarks } from '../../db/schema.ts'
import type { Env } from '../../env.ts'
import { newHexId } from '../../lib/ids.ts'
import { sendSteps } from '../../lib/queues.ts'
import { finishOperation, insertOperation } from '../operations/queries.ts'
import type { OperationStep } from '../operations/step.ts'
import { refreshMarks, refreshStale } from './refresh.ts'
import { isDue, selectStalePeople } from './refresh-queries.ts'

/** People of one step. */
const STEP_PEOPLE = 20

/** Courses whose operations one sweep starts. */
const SWEPT_COURSES = 20

export const marksPayload = z.object({ courseId: z.int() })

/** Computes stale marks of the next people. */
export const marksStep: OperationStep<z.infer<typeof marksPayload>> = async ({
  db,
  operation,
  now,
}) => {
  const { payload, done, total } = operation
  const people = await refreshStale(db, payload.courseId, STEP_PEOPLE, now)
  if (people > 0) return { payload, done: Math.min(total, done + people) }
  await finishOperation(db, operation, null, now)
  return null
}

/** The select of a course's operation that runs. @param courseId an id, or a column with it */
export function selectRunning(courseId: number | SQL): SQL {
  return sql`select ${operations.id} from ${operations} where ${operations.finishedAt} is null
    and ${operations.kind} = 'marks' and ${operations.payload} ->> 'courseId' = ${courseId}`
}

/** How many people of a course have stale marks. */
function countStalePeople(courseId: number): SQL {
  return sql`select count(distinct ${staleMarks.userId}) from ${gradebookColumns}
    cross join ${staleMarks} on ${staleMarks.columnId} = ${gradebookColumns.id}
    where ${gradebookColumns.courseId} = ${courseId} and ${isDue}`
}

/** Starts the operation of a course that has stale marks, unless one runs. It is nobody's: whoever made the change may be a student. */
export async function startRefresh(env: Env, db: Db, courseId: number, now: number): Promise<void> {
  const id = newHexId(now * 1000)
  const total = countStalePeople(courseId)
  const [started] = await insertOperation(
    db,
    { id, kind: 'marks', ownerId: null, total, payload: { courseId }, now },
    sql`(${total}) > 0 and not exists (${selectRunning(courseId)})`,
  )
  if (started) await sendSteps(env, [id])
}

/** Has the marks computed that a change in a course has made stale: at once for a few people, else by an operation. */
export async function refreshChanged(
  env: Env,
  db: Db,
  courseId: number,
  now: number,
): Promise<void> {
  const people = await selectStalePeople(db, courseId, GRADEBOOK_LIMITS.peopleAtOnce + 1)
  if (people.length > GRADEBOOK_LIMITS.peopleAtOnce) return startRefresh(env, db, courseId, now)
  const userIds = people.map(({ userId }) => userId)
  await refreshMarks(db, courseId, userIds, now)
}

/** Starts operations for courses whose stale marks nobody computes. */
export async function refreshLeft(env: Env, db: Db, now: number): Promise<void> {
  const { columnId } = staleMarks
  // It goes from column to column, because a course may have many thousand stale marks.
  const left = await rawQuery<{ id: number }>(
    db,
    sql`with recursive stale(id) as (
        select min(${columnId}) from ${staleMarks} where ${isDue}
        union all
        select (select min(${columnId}) from ${staleMarks} where ${columnId} > stale.id and ${isDue}) from stale where stale.id is not null)
      select distinct ${gradebookColumns.courseId} as id from stale
      cross join ${gradebookColumns} on ${gradebookColumns.id} = stale.id
      where not exists (${selectRunning(sql`${gradebookColumns.courseId}`)}) limit ${SWEPT_COURSES}`,
  )
  for (const { id } of left) await startRefresh(env, db, id, now)
}

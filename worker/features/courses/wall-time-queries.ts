/** Keeps the wall times of homeworks when their course gets another time zone. */
import { and, eq, gte, sql, type SQL } from 'drizzle-orm'
import { keepWallTimes } from '#contract/wall-time'
import { rawQuery, type Db } from '../../db/client.ts'
import { demand } from '../../db/demand.ts'
import { courses, homeworks } from '../../db/schema.ts'
import type { CourseStanding } from '../../db/standing.ts'
import { columnName } from '../../db/statements.ts'

/** A homework with its times in the new time zone. Epoch seconds. */
interface Move {
  id: string
  version: number
  start: number
  end: number
}

/** The condition that the time zone and the unfinished homeworks are still as they were read. */
function areAsRead(course: CourseStanding, moves: Move[], now: number): SQL {
  const keys = moves.map(({ id, version }) => `${id} ${version}`)
  return sql`exists (select 1 from ${courses} where ${courses.id} = ${course.id} and ${courses.timeZone} = ${course.timeZone})
    and not exists (select 1 from ${homeworks} where ${homeworks.courseId} = ${course.id} and ${homeworks.endAt} >= ${now}
      and ${homeworks.id} || ' ' || ${homeworks.version} not in (select value from json_each(${JSON.stringify(keys)})))`
}

/**
 * The statements that move unfinished homeworks. Clocks in the new zone then show the same times as clocks in the old zone before.
 * They refuse if anything has changed since the homeworks were read.
 */
export async function moveHomeworks(db: Db, course: CourseStanding, timeZone: string, now: number) {
  const rows = await db
    .select({
      id: homeworks.id,
      version: homeworks.version,
      start: homeworks.startAt,
      end: homeworks.endAt,
    })
    .from(homeworks)
    .where(and(eq(homeworks.courseId, course.id), gte(homeworks.endAt, now)))
  const moves = rows.map(({ id, version, ...times }) => ({
    id,
    version,
    ...keepWallTimes(times, course.timeZone, timeZone, now),
  }))
  return [
    demand(db, 'stale_edit', areAsRead(course, moves, now)),
    rawQuery(
      db,
      sql`update ${homeworks} set ${columnName(homeworks.startAt)} = m.value ->> 'start',
        ${columnName(homeworks.endAt)} = m.value ->> 'end', ${columnName(homeworks.updatedAt)} = ${now},
        ${columnName(homeworks.version)} = ${homeworks.version} + 1
      from json_each(${JSON.stringify(moves)}) m where ${homeworks.id} = m.value ->> 'id'`,
    ),
  ] as const
}

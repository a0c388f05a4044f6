/** Keeps the wall times of homeworks and of their overrides when their course gets another time zone. */
import { and, eq, or, sql, type Column, type SQL } from 'drizzle-orm'
import { keepWallTimes } from '#contract/wall-time'
import { rawQuery, type Db } from '../../db/client.ts'
import { demand } from '../../db/demand.ts'
import { courses, homeworkOverrides, homeworks } from '../../db/schema.ts'
import type { CourseStanding } from '../../db/standing.ts'
import { columnName } from '../../db/statements.ts'

/** The condition that one of these times has not passed. */
function isAhead(times: Column[], now: number): SQL | undefined {
  return or(...times.map((time) => sql`${time} >= ${now}`))
}

/** The condition that an override has a time that has not passed. */
function isOverrideAhead(now: number): SQL | undefined {
  const { opens, due, closes } = homeworkOverrides
  return isAhead([opens, due, closes], now)
}

/** The condition that a homework is unfinished for somebody. */
function isUnfinished(now: number): SQL {
  return sql`(${isAhead([homeworks.endAt, homeworks.closeAt], now)} or exists (select 1 from ${homeworkOverrides}
    where ${homeworkOverrides.homeworkId} = ${homeworks.id} and ${isOverrideAhead(now)}))`
}

/** The condition that the time zone and the unfinished homeworks are still as they were read. Their versions count changes of overrides, too. */
function areAsRead(
  course: CourseStanding,
  read: { id: string; version: number }[],
  now: number,
): SQL {
  const keys = read.map(({ id, version }) => `${id} ${version}`)
  return sql`exists (select 1 from ${courses} where ${courses.id} = ${course.id} and ${courses.timeZone} = ${course.timeZone})
    and not exists (select 1 from ${homeworks} where ${homeworks.courseId} = ${course.id} and ${isUnfinished(now)}
      and ${homeworks.id} || ' ' || ${homeworks.version} not in (select value from json_each(${JSON.stringify(keys)})))`
}

/** The unfinished homeworks of a course, and the times of overrides of which one has not passed; most of a class has the same. */
async function readTimes(db: Db, course: CourseStanding, now: number) {
  const { opens, due, closes } = homeworkOverrides
  return db.batch([
    db
      .select({
        id: homeworks.id,
        version: homeworks.version,
        start: homeworks.startAt,
        end: homeworks.endAt,
        close: homeworks.closeAt,
      })
      .from(homeworks)
      .where(and(eq(homeworks.courseId, course.id), isUnfinished(now))),
    db
      .selectDistinct({ opens, due, closes })
      .from(homeworks)
      .innerJoin(homeworkOverrides, eq(homeworkOverrides.homeworkId, homeworks.id))
      .where(and(eq(homeworks.courseId, course.id), isOverrideAhead(now))),
  ])
}

/**
 * The statements that move unfinished homeworks and overrides. Clocks in the new zone then show the same times as clocks in the old
 * zone before. They refuse if anything has changed since the times were read.
 */
export async function moveHomeworks(db: Db, course: CourseStanding, timeZone: string, now: number) {
  const [rows, overrides] = await readTimes(db, course, now)
  const moves = rows.map(({ id, start, end, close }) => ({
    id,
    ...keepWallTimes({ start, end, close }, course.timeZone, timeZone, now),
  }))
  const ownMoves = overrides.map((from) => ({
    from,
    to: keepWallTimes(from, course.timeZone, timeZone, now),
  }))
  const { opens, due, closes } = homeworkOverrides
  // `updatedAt` of a homework that is over stays: calendars tell it, and it would tell classmates of an override.
  return [
    demand(db, 'stale_edit', areAsRead(course, rows, now)),
    rawQuery(
      db,
      sql`update ${homeworks} set ${columnName(homeworks.startAt)} = m.value ->> 'start',
        ${columnName(homeworks.endAt)} = m.value ->> 'end', ${columnName(homeworks.closeAt)} = m.value ->> 'close',
        ${columnName(homeworks.updatedAt)} = iif(${isAhead([homeworks.endAt, homeworks.closeAt], now)}, ${now}, ${homeworks.updatedAt}),
        ${columnName(homeworks.version)} = ${homeworks.version} + 1
      from json_each(${JSON.stringify(moves)}) m where ${homeworks.id} = m.value ->> 'id'`,
    ),
    rawQuery(
      db,
      sql`update ${homeworkOverrides} set ${columnName(opens)} = m.value ->> '$.to.opens',
        ${columnName(due)} = m.value ->> '$.to.due', ${columnName(closes)} = m.value ->> '$.to.closes'
      from json_each(${JSON.stringify(ownMoves)}) m, ${homeworks}
      where ${homeworks.courseId} = ${course.id} and ${homeworkOverrides.homeworkId} = ${homeworks.id}
        and ${opens} is m.value ->> '$.from.opens' and ${due} is m.value ->> '$.from.due'
        and ${closes} is m.value ->> '$.from.closes'`,
    ),
  ] as const
}

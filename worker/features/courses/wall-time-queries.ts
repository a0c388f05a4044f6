/** Homeworks that keep their wall times when their course gets another time zone. */
import { and, eq, gte, sql, type SQL } from 'drizzle-orm'
import { keepWallTimes } from '#contract/wall-time'
import { rawQuery, type Db } from '../../db/client.ts'
import { courses, homeworks } from '../../db/schema.ts'
import type { CourseStanding } from '../../db/standing.ts'
import { columnName } from '../../db/statements.ts'

/** A homework of the old time zone, with the times that it gets. Epoch seconds. */
interface Move {
  id: string
  version: number
  start: number
  end: number
}

/** What a change of the time zone does to the homeworks of a course. */
export interface Moves {
  /** The condition that nothing has changed since the homeworks were read. */
  isPossible: SQL
  /** The condition that they are moved. */
  isDone: SQL
  /** Moves them where the condition holds. */
  update: (when: SQL) => ReturnType<typeof rawQuery>
}

/** The condition that each homework to come has the version of its move, `later` edits later. */
function haveVersions(course: CourseStanding, moves: Move[], now: number, later: 0 | 1): SQL {
  const keys = moves.map(({ id, version }) => `${id} ${version + later}`)
  return sql`(exists (select 1 from ${courses} where ${courses.id} = ${course.id} and ${courses.timeZone} = ${course.timeZone})
    and not exists (select 1 from ${homeworks} where ${homeworks.courseId} = ${course.id} and ${homeworks.endAt} >= ${now}
      and ${homeworks.id} || ' ' || ${homeworks.version} not in (select value from json_each(${JSON.stringify(keys)}))))`
}

/** The homeworks that are not over, with the times at which clocks in the new zone show what those in the old one did. */
export async function findMoves(
  db: Db,
  course: CourseStanding,
  timeZone: string,
  now: number,
): Promise<Moves> {
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
  return {
    isPossible: haveVersions(course, moves, now, 0),
    isDone: haveVersions(course, moves, now, 1),
    update: (when) =>
      rawQuery(
        db,
        sql`update ${homeworks} set ${columnName(homeworks.startAt)} = m.value ->> 'start',
          ${columnName(homeworks.endAt)} = m.value ->> 'end', ${columnName(homeworks.updatedAt)} = ${now},
          ${columnName(homeworks.version)} = ${homeworks.version} + 1
        from json_each(${JSON.stringify(moves)}) m where ${homeworks.id} = m.value ->> 'id' and ${when}`,
      ),
  }
}

/** For an edit that moves no homework. */
export function noMoves(db: Db): Moves {
  return {
    isPossible: sql`1`,
    isDone: sql`1`,
    update: () => rawQuery(db, sql`select 1`),
  }
}

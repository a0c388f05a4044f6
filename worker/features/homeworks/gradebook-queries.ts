/** What the gradebook says about marks of homeworks: what staff set in place of what is computed, and what students do not see. */
import { and, eq, isNotNull, or, sql, type SQL } from 'drizzle-orm'
import type { LateDays } from '#contract/late-days'
import type { Db } from '../../db/client.ts'
import { isSettingOf } from '../../db/mark-settings.ts'
import { gradebookColumns, homeworks, markSettings, memberships } from '../../db/schema.ts'
import { isMarkHeld, isMarkShown } from '../../db/shown-marks.ts'
import { membershipCan } from '../../db/standing.ts'
import { isOf } from './own-dates.ts'
import { selectStudents, type Concerned } from './people-queries.ts'
import type { HomeworkAccess } from './queries.ts'
import type { Reading } from './reading-queries.ts'

/** Selects what staff set in the gradebook for these people in the homeworks. */
export function selectHomeworkSettings(
  db: Db,
  { which, progress }: Pick<Reading, 'which' | 'progress'>,
) {
  const { columnId, userId, hundredths, isExcused } = markSettings
  return db
    .select({ homeworkId: gradebookColumns.homeworkId, userId, hundredths, isExcused })
    .from(homeworks)
    .innerJoin(gradebookColumns, eq(gradebookColumns.homeworkId, homeworks.id))
    .innerJoin(markSettings, eq(columnId, gradebookColumns.id))
    .where(
      and(
        which,
        isOf(userId, progress),
        isSettingOf(columnId, userId),
        or(isNotNull(hundredths), isExcused),
      ),
    )
}

/** Selects whose marks in the homeworks are not shown to their students. `isHeld`: the mark alone is, and not the column. */
export function selectUnshown(
  db: Db,
  { which, progress, now }: Pick<Reading, 'which' | 'progress' | 'now'>,
) {
  const { userId, courseId } = memberships
  return db
    .select({
      homeworkId: gradebookColumns.homeworkId,
      userId,
      isHeld: sql<number>`${isMarkHeld(userId)}`.as('is_held'),
    })
    .from(homeworks)
    .innerJoin(gradebookColumns, eq(gradebookColumns.homeworkId, homeworks.id))
    .innerJoin(
      memberships,
      and(eq(courseId, homeworks.courseId), membershipCan('scoreboard.appear')),
    )
    .where(and(which, isOf(userId, progress), sql`not ${isMarkShown(userId, now)}`))
}

/** Selects the ids of those among these students who see their mark in a homework. @param now epoch seconds */
export function selectSeers(
  { homeworkId, courseId }: Pick<HomeworkAccess, 'homeworkId' | 'courseId'>,
  people: Concerned,
  now: number,
): SQL {
  return sql`${selectStudents(courseId, people)} and exists (select 1 from ${gradebookColumns}
    where ${gradebookColumns.homeworkId} = ${homeworkId} and ${isMarkShown(memberships.userId, now)})`
}

/** What staff set in a cell; `hundredths` null: the student is excused. */
type Setting = Awaited<ReturnType<typeof selectHomeworkSettings>>[number]
type UnshownRow = Awaited<ReturnType<typeof selectUnshown>>[number]

const keyOf = (homeworkId: string | null, userId: number) => `${homeworkId} ${userId}`

/** The gradebook's word about the marks of the homeworks that were read. */
export class GradebookReader {
  readonly #settings: Map<string, Setting>
  readonly #unshown: Map<string, UnshownRow>

  /** @param unshown of `selectUnshown`; none where the reader sees all marks */
  constructor(settings: readonly Setting[], unshown: readonly UnshownRow[]) {
    this.#settings = new Map(settings.map((row) => [keyOf(row.homeworkId, row.userId), row]))
    this.#unshown = new Map(unshown.map((row) => [keyOf(row.homeworkId, row.userId), row]))
  }

  /** What staff set in place of a person's computed mark. */
  settingOf(homeworkId: string, userId: number): Setting | undefined {
    return this.#settings.get(keyOf(homeworkId, userId))
  }

  /** Whether the reader sees a person's mark in a homework. */
  isShown(homeworkId: string, userId: number): boolean {
    return !this.#unshown.has(keyOf(homeworkId, userId))
  }

  /** A person's late days in a homework without the points that they add, where the reader does not see the mark. */
  shownDays<Days extends LateDays | null>(homeworkId: string, userId: number, days: Days): Days {
    return days === null || this.isShown(homeworkId, userId) ? days : { ...days, gain: null }
  }
}

/** Everybody's dates in homeworks, from the rows of overrides: `datesOf` for pages. */
import { and, eq, getTableColumns, isNull, or, sql, type SQL } from 'drizzle-orm'
import { datesOf, type Dates, type OwnDates } from '#contract/homework-dates'
import type { Db } from '../../db/client.ts'
import { homeworkOverrides, homeworks, memberships } from '../../db/schema.ts'
import { membershipCan } from '../../db/standing.ts'

type OverrideRow = typeof homeworkOverrides.$inferSelect

/** The condition that an override is of a student of the homework's course. */
const isOfStudent = sql`exists (select 1 from ${memberships} where ${memberships.courseId} = ${homeworks.courseId}
  and ${memberships.userId} = ${homeworkOverrides.userId} and ${membershipCan('scoreboard.appear')})`

/**
 * The overrides of homeworks for all, and those of one person or of everybody. One person's rest while the person is no student of the
 * course; in lists of everybody, the work of people who were students stays as it was.
 * @param which condition on `homeworks`
 */
export function selectOverrides(db: Db, which: SQL | undefined, whose: number | 'everybody') {
  const { homeworkId, userId } = homeworkOverrides
  const isMeant =
    whose === 'everybody' ? undefined : or(isNull(userId), and(eq(userId, whose), isOfStudent))
  // No column of `homeworks` is selected, so no names collide in a batch.
  return db
    .select(getTableColumns(homeworkOverrides))
    .from(homeworks)
    .innerJoin(homeworkOverrides, eq(homeworkId, homeworks.id))
    .where(and(which, isMeant))
}

/** The columns of `homeworks` that dates need. */
type DatedRow = Pick<
  typeof homeworks.$inferSelect,
  'id' | 'startAt' | 'endAt' | 'closeAt' | 'graceMinutes'
>

/** Everybody's dates in the homeworks whose overrides were read. */
export class DatesReader {
  /** Homework → person, null for all → override. */
  readonly #overrides: Map<string, Map<number | null, OverrideRow>>

  constructor(rows: readonly OverrideRow[]) {
    this.#overrides = new Map()
    for (const row of rows) {
      const own = this.#overrides.get(row.homeworkId) ?? new Map<number | null, OverrideRow>()
      this.#overrides.set(row.homeworkId, own.set(row.userId, row))
    }
  }

  /** The override of a person, or with null that for all. */
  overrideOf(homeworkId: string, userId: number | null): OverrideRow | undefined {
    return this.#overrides.get(homeworkId)?.get(userId)
  }

  /** The dates of a person; null: the dates for all. */
  datesOf({ id, startAt, endAt, closeAt, graceMinutes }: DatedRow, userId: number | null): Dates {
    const times = { start: startAt, end: endAt, close: closeAt, graceMinutes }
    const person = userId === null ? undefined : this.overrideOf(id, userId)
    return datesOf(times, this.overrideOf(id, null), person)
  }

  /** The dates of a person as they are sent. */
  ownDatesOf(row: DatedRow, userId: number | null): OwnDates {
    const { quota: _, ...dates } = this.datesOf(row, userId)
    const forAll = this.overrideOf(row.id, null)
    const person = userId === null ? undefined : this.overrideOf(row.id, userId)
    const reasons = [person, forAll].flatMap((override) => (override ? [override.reason] : []))
    return { ...dates, why: reasons.find((reason) => reason !== '') ?? reasons[0] ?? null }
  }
}

/** Everybody's dates in homeworks, from the rows of overrides: `datesOf` for pages. */
import { and, eq, getTableColumns, isNull, or, sql, type Column, type SQL } from 'drizzle-orm'
import { datesOf, mostGenerous, type Dates, type OwnDates } from '#contract/homework-dates'
import type { Db } from '../../db/client.ts'
import { homeworkOverrides, homeworks, memberLabels, memberships } from '../../db/schema.ts'
import { membershipCan } from '../../db/standing.ts'

/** A row of an override; `id` null: it is not stored yet. */
export type OverrideRow = Omit<typeof homeworkOverrides.$inferSelect, 'id'> & { id: number | null }

/** A student who has a label. */
export type LabelledRow = Pick<typeof memberLabels.$inferSelect, 'userId' | 'labelId'>

/** Whose rows are read: everybody's, or those of a list for `in`. */
export type Whose = 'all' | SQL

/** The condition that a row is of the people whose rows are read. */
export function isOf(userId: Column, whose: Whose): SQL | undefined {
  return whose === 'all' ? undefined : sql`${userId} in ${whose}`
}

/** The condition that an override is of a student of the homework's course. */
const isOfStudent = sql`exists (select 1 from ${memberships} where ${memberships.courseId} = ${homeworks.courseId}
  and ${memberships.userId} = ${homeworkOverrides.userId} and ${membershipCan('scoreboard.appear')})`

/**
 * The overrides of homeworks for all, those of labels, and those of people. Those of listed people rest while they are no students of the
 * course; in lists of everybody, the work of people who were students stays as it was.
 * @param which condition on `homeworks`
 */
export function selectOverrides(db: Db, which: SQL | undefined, whose: Whose) {
  const { homeworkId, userId } = homeworkOverrides
  const isMeant =
    whose === 'all' ? undefined : or(isNull(userId), and(isOf(userId, whose), isOfStudent))
  // No column of `homeworks` is selected, so no names collide in a batch.
  return db
    .select(getTableColumns(homeworkOverrides))
    .from(homeworks)
    .innerJoin(homeworkOverrides, eq(homeworkId, homeworks.id))
    .where(and(which, isMeant))
}

/** Which students have the labels that have dates of their own in these homeworks. @param which condition on `homeworks` */
export function selectLabelled(db: Db, which: SQL, whose: Whose) {
  const { courseId, userId, labelId } = memberLabels
  const dated = sql`select ${homeworkOverrides.labelId} from ${homeworks}
    join ${homeworkOverrides} on ${homeworkOverrides.homeworkId} = ${homeworks.id}
    where ${which} and ${homeworkOverrides.labelId} is not null`
  return db
    .select({ userId, labelId })
    .from(memberLabels)
    .innerJoin(
      memberships,
      and(
        eq(memberships.courseId, courseId),
        eq(memberships.userId, userId),
        membershipCan('scoreboard.appear'),
      ),
    )
    .where(and(sql`${labelId} in (${dated})`, isOf(userId, whose)))
}

/** The columns of `homeworks` that dates need. */
export type DatedRow = Pick<
  typeof homeworks.$inferSelect,
  'id' | 'startAt' | 'endAt' | 'closeAt' | 'graceMinutes'
>

/** A homework's overrides: those of people by id, those of labels by id, and that for all. */
interface Overrides {
  people: Map<number, OverrideRow>
  labels: Map<number, OverrideRow>
  forAll?: OverrideRow
}

/** Everybody's dates in the homeworks whose overrides were read. */
export class DatesReader {
  readonly #overrides = new Map<string, Overrides>()
  /** Person → labels. */
  readonly #labelled: ReadonlyMap<number, LabelledRow[]>

  /**
   * @param rows of `selectOverrides`
   * @param labelled of `selectLabelled`
   */
  constructor(rows: readonly OverrideRow[], labelled: readonly LabelledRow[]) {
    for (const row of rows) {
      const own: Overrides = this.#overrides.get(row.homeworkId) ?? {
        people: new Map(),
        labels: new Map(),
      }
      if (row.userId !== null) own.people.set(row.userId, row)
      else if (row.labelId !== null) own.labels.set(row.labelId, row)
      else own.forAll = row
      this.#overrides.set(row.homeworkId, own)
    }
    this.#labelled = Map.groupBy(labelled, ({ userId }) => userId)
  }

  /** The override of a person, or with null that for all. */
  overrideOf(homeworkId: string, userId: number | null): OverrideRow | undefined {
    const overrides = this.#overrides.get(homeworkId)
    return userId === null ? overrides?.forAll : overrides?.people.get(userId)
  }

  /** The overrides of labels, by id. */
  labelOverridesOf(homeworkId: string): ReadonlyMap<number, OverrideRow> {
    return this.#overrides.get(homeworkId)?.labels ?? new Map()
  }

  /** The overrides of a person's labels, the latest due time first. */
  #ofLabels(homeworkId: string, userId: number): OverrideRow[] {
    const overrides = this.#overrides.get(homeworkId)?.labels
    return (this.#labelled.get(userId) ?? [])
      .toSorted((left, right) => left.labelId - right.labelId)
      .flatMap(({ labelId }) => overrides?.get(labelId) ?? [])
      .toSorted((left, right) => (right.due ?? -1) - (left.due ?? -1))
  }

  /** The dates of a person; null: the dates for all. */
  datesOf({ id, startAt, endAt, closeAt, graceMinutes }: DatedRow, userId: number | null): Dates {
    const times = { start: startAt, end: endAt, close: closeAt, graceMinutes }
    const forAll = this.overrideOf(id, null)
    if (userId === null) return datesOf(times, forAll, null)
    const labels = mostGenerous(this.#ofLabels(id, userId))
    return datesOf(times, forAll, this.overrideOf(id, userId), labels)
  }

  /** The dates of a person as they are sent. */
  ownDatesOf(row: DatedRow, userId: number | null): OwnDates {
    const { quota: _, ...dates } = this.datesOf(row, userId)
    const ofPerson =
      userId === null ? [] : [this.overrideOf(row.id, userId), ...this.#ofLabels(row.id, userId)]
    const reasons = [...ofPerson, this.overrideOf(row.id, null)].flatMap((override) =>
      override ? [override.reason] : [],
    )
    return { ...dates, why: reasons.find((reason) => reason !== '') ?? reasons[0] ?? null }
  }
}

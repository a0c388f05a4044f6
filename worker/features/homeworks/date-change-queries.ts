/** Changes of dates: they read all that decides about the marks concerned, and keep those that fall. */
import { and, eq, sql, type SQL } from 'drizzle-orm'
import type { BatchItem } from 'drizzle-orm/batch'
import { rawQuery, type Db } from '../../db/client.ts'
import { demand } from '../../db/demand.ts'
import { Refusal } from '../../db/refusal.ts'
import { courses, homeworks, memberLabels, users } from '../../db/schema.ts'
import type { SessionUser } from '../../db/sessions.ts'
import { selectMarksState, writeKept } from './kept-mark-queries.ts'
import { keptAfter, markValues, type MarksState } from './kept-marks.ts'
import { DatesReader, selectOverrides, type LabelledRow, type OverrideRow } from './own-dates.ts'
import { readSharing } from './spending-queries.ts'

/** How often a change is tried, while others change the same dates. */
const TRIES = 3

/** Which homeworks and which students a change of dates concerns. */
interface Scope {
  courseId: number
  /** Condition on `homeworks`. */
  which: SQL
  /** A list for `in`, of students of the course. */
  people: SQL
  actor: SessionUser
}

/** What decides about the marks of these students. */
export interface DatesState extends MarksState {
  /** The version of the course. */
  version: number | null
  /** Username, in lower case → id. */
  people: ReadonlyMap<string, number>
  overrides: OverrideRow[]
  labelled: LabelledRow[]
}

/** A change of dates: the rows as they will be, and the statements that write them. */
interface DatesChange {
  overrides: readonly OverrideRow[]
  labelled: readonly LabelledRow[]
  statements: BatchItem<'sqlite'>[]
}

/** The versions of the course and the homeworks, as JSON: whoever changes dates, labels or members raises one. */
function versionsOf({ courseId, which }: Scope): SQL {
  return sql`json_array((select ${courses.version} from ${courses} where ${courses.id} = ${courseId}),
    (select json_group_object(id, version) from
      (select ${homeworks.id}, ${homeworks.version} from ${homeworks} where ${which} order by ${homeworks.id})))`
}

/** Reads the state, with the versions that it has. */
async function readState(
  db: Db,
  scope: Scope,
): Promise<DatesState & { versions: string; ids: string[] }> {
  const { courseId, which, people } = scope
  const [[read], rows, overrides, labelled, marked, attempts, kept] = await db.batch([
    rawQuery<{ versions: string }>(db, sql`select ${versionsOf(scope)} as versions`),
    db
      .select({ id: users.id, key: users.usernameKey })
      .from(users)
      .where(sql`${users.id} in ${people}`),
    selectOverrides(db, which, people),
    db
      .select({ userId: memberLabels.userId, labelId: memberLabels.labelId })
      .from(memberLabels)
      .where(and(eq(memberLabels.courseId, courseId), sql`${memberLabels.userId} in ${people}`)),
    ...selectMarksState(db, which, people),
  ])
  const versions = read?.versions ?? '[null]'
  const [version]: (number | null)[] = JSON.parse(versions)
  return {
    versions,
    version: version ?? null,
    people: new Map(rows.map(({ id, key }) => [key, id])),
    overrides,
    labelled,
    homeworks: marked,
    ids: marked.map(({ id }) => id),
    attempts,
    kept,
  }
}

type DateRows = Pick<DatesChange, 'overrides' | 'labelled'>

/** What counts before a change of dates and after it, with the late days that people then use. */
async function valuesBy(db: Db, scope: Scope, state: DatesState, after: DateRows) {
  const budgets = new Set(state.homeworks.flatMap(({ budgetId }) => budgetId ?? []))
  if (budgets.size === 0) {
    const plain = ({ overrides, labelled }: DateRows) =>
      markValues(state, new DatesReader(overrides, labelled))
    return { before: plain(state), now: plain(after) }
  }
  const which = sql`${homeworks.budgetId} in (select value from json_each(${JSON.stringify([...budgets])}))`
  const { actor: user, people: progress } = scope
  const read = await readSharing(db, { standing: 'admin', user, which, progress, now: 0 })
  const concerned = new Set(state.homeworks.map(({ id }) => id))
  const others = read.overrides.filter(({ homeworkId }) => !concerned.has(homeworkId))
  const lateDaysBy = ({ overrides, labelled }: DateRows) =>
    read.lateDaysBy([...others, ...overrides], labelled)
  const [dates, moved] = [lateDaysBy(state), lateDaysBy(after)]
  for await (const row of read.attempts()) {
    dates.take(row)
    moved.take(row)
  }
  return { before: markValues(state, dates), now: markValues(state, moved) }
}

/**
 * Changes dates, all or nothing, and keeps the marks that would fall. If others change the same dates meanwhile, it reads and tries again.
 * @param change what will be, by what was read
 * @returns how many marks of these students are kept, and which homeworks and students the change concerned
 * @throws Refusal of the statements; `stale_edit` if others changed the dates each time
 */
export async function changeDates(
  db: Db,
  scope: Scope,
  change: (state: DatesState) => DatesChange,
): Promise<{ kept: number; homeworkIds: string[]; userIds: number[] }> {
  for (let tries = 1; ; tries += 1) {
    const state = await readState(db, scope)
    const { overrides, labelled, statements } = change(state)
    const { before, now } = await valuesBy(db, scope, state, { overrides, labelled })
    const { higher, stored, dropped } = keptAfter(state.kept, before, now)
    try {
      await db.batch([
        demand(db, 'stale_edit', sql`${versionsOf(scope)} = ${state.versions}`),
        ...statements,
        ...writeKept(db, stored, dropped),
      ])
      return { kept: higher.length, homeworkIds: state.ids, userIds: [...state.people.values()] }
    } catch (error) {
      const isStale = error instanceof Refusal && error.code === 'stale_edit'
      if (!isStale || tries === TRIES) throw error
    }
  }
}

/** Changes of dates: they read all that decides about the marks concerned, and keep those that fall. */
import { and, eq, sql, type SQL } from 'drizzle-orm'
import type { BatchItem } from 'drizzle-orm/batch'
import { rawQuery, type Db } from '../../db/client.ts'
import { demand } from '../../db/demand.ts'
import { whileOvertaken } from '../../db/edits.ts'
import { insertNotice } from '../../db/notices.ts'
import { courses, homeworks, memberLabels, users } from '../../db/schema.ts'
import type { Change } from '../../http/change.ts'
import { selectMarksState, toMarksState, writeKept } from './kept-mark-queries.ts'
import { keptAfter, type DateRows, type MarksState } from './kept-marks.ts'
import { DatesReader, type DatedRow } from './own-dates.ts'

/** Which homeworks and which students a change of dates concerns. */
interface Scope {
  courseId: number
  /** Condition on `homeworks`. */
  which: SQL
  /** A list for `in`, of students of the course. */
  people: SQL
  /** The time zone of the course. */
  timeZone: string
  change: Change
  /** The people are all of the course. */
  isForAll?: boolean
  /** The statements of the change tell the people of it. */
  isTold?: boolean
}

/** What decides about the marks of these students. */
export interface DatesState extends MarksState, DateRows {
  /** The version of the course. */
  version: number | null
  /** Username, in lower case → id. */
  people: ReadonlyMap<string, number>
}

/** A change of dates: the rows as they will be, and the statements that write them. */
interface DatesChange extends DateRows {
  statements: BatchItem<'sqlite'>[]
}

/** The versions of the course and the homeworks, as JSON: whoever changes dates, labels or members raises one. */
function versionsOf({ courseId, which }: Scope): SQL {
  return sql`json_array((select ${courses.version} from ${courses} where ${courses.id} = ${courseId}),
    (select json_group_object(id, version) from
      (select ${homeworks.id}, ${homeworks.version} from ${homeworks} where ${which} order by ${homeworks.id})))`
}

/** Reads the state, with the versions that it has. */
async function readState(db: Db, scope: Scope): Promise<DatesState & { versions: string }> {
  const { courseId, which, people, change } = scope
  const [[read], rows, labelled, ...marks] = await db.batch([
    rawQuery<{ versions: string }>(db, sql`select ${versionsOf(scope)} as versions`),
    db
      .select({ id: users.id, key: users.usernameKey })
      .from(users)
      .where(sql`${users.id} in ${people}`),
    // Also the labels that have no dates yet.
    db
      .select({ userId: memberLabels.userId, labelId: memberLabels.labelId })
      .from(memberLabels)
      .where(and(eq(memberLabels.courseId, courseId), sql`${memberLabels.userId} in ${people}`)),
    ...selectMarksState(db, which, people, change.actor),
  ])
  const versions = read?.versions ?? '[null]'
  const [version]: (number | null)[] = JSON.parse(versions)
  return {
    ...toMarksState(marks),
    labelled,
    versions,
    version: version ?? null,
    people: new Map(rows.map(({ id, key }) => [key, id])),
  }
}

/** The condition for these homeworks and all that share late days with them: a day used in one is missing in another. */
export function withSharing(which: SQL): SQL {
  return sql`(${which} or ${homeworks.budgetId} in (select ${homeworks.budgetId} from ${homeworks} where ${which}))`
}

/** Whether a change gives a person other dates in a homework, before the homework closes for them. */
function movesDates(
  before: DatesReader,
  after: DatesReader,
  { homework, userId, now }: { homework: DatedRow; userId: number; now: number },
): boolean {
  const { quota: _b, ...earlier } = before.datesOf(homework, userId)
  const { quota: _a, ...later } = after.datesOf(homework, userId)
  return (
    Math.max(earlier.closes, later.closes) >= now &&
    JSON.stringify(earlier) !== JSON.stringify(later)
  )
}

/** The statements that tell students that their dates have changed: of each homework one notice for all, or one for each who has others. */
function noticesOf(db: Db, scope: Scope, state: DatesState, after: DateRows) {
  if (scope.isTold) return []
  const { courseId, timeZone, isForAll } = scope
  const { actor, now } = scope.change
  const before = new DatesReader(state.overrides, state.labelled)
  const later = new DatesReader(after.overrides, after.labelled)
  return state.homeworks.flatMap((homework) => {
    const ids = [...state.people.values()].filter((userId) =>
      movesDates(before, later, { homework, userId, now }),
    )
    if (ids.length === 0) return []
    const isWhole = isForAll && ids.length === state.people.size
    return insertNotice(db, {
      kind: 'own_dates',
      courseId,
      timeZone,
      subjectId: homework.id,
      actorId: actor.id,
      now,
      userId: isWhole ? undefined : sql`select value from json_each(${JSON.stringify(ids)})`,
    })
  })
}

/**
 * Changes dates, all or nothing, and keeps the marks that would fall. If others change the same dates meanwhile, it reads and tries again.
 * @param change what will be, by what was read
 * @returns how many marks of these students are kept, and which homeworks and students the change concerned
 * @throws Refusal of the statements; `stale_edit` if others changed the dates each time
 */
export async function changeDates(
  db: Db,
  concerned: Scope,
  change: (state: DatesState) => DatesChange,
): Promise<{ kept: number; homeworkIds: string[]; userIds: number[] }> {
  const scope = { ...concerned, which: withSharing(concerned.which) }
  return whileOvertaken(async () => {
    const state = await readState(db, scope)
    const { statements, ...after } = change(state)
    const { higher, stored, dropped } = keptAfter(state, state, after)
    await db.batch([
      demand(db, 'stale_edit', sql`${versionsOf(scope)} = ${state.versions}`),
      ...statements,
      ...writeKept(db, stored, dropped),
      ...noticesOf(db, scope, state, after),
    ])
    return {
      kept: higher.length,
      homeworkIds: state.homeworks.map(({ id }) => id),
      userIds: [...state.people.values()],
    }
  })
}

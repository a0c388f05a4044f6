/** Reads the gradebook: the students of a course, a page at a time, with their marks. */
import { and, eq, sql, type SQL } from 'drizzle-orm'
import * as z from 'zod'
import {
  GRADEBOOK_PAGE,
  type GradebookCell,
  type GradebookPage,
  type GradebookParams,
} from '#contract/gradebook'
import type { UserInfo } from '#contract/fields'
import { can } from '#contract/roles'
import { rawQuery, type Db } from '../../db/client.ts'
import { isStudent } from '../../db/label-filter.ts'
import {
  heldMarks,
  labels,
  marks,
  memberLabels,
  memberships,
  questions,
  staleMarks,
  users,
} from '../../db/schema.ts'
import type { SessionUser } from '../../db/sessions.ts'
import type { CourseStanding } from '../../db/standing.ts'
import { isOpen, isReadable } from '../../db/waiting-questions.ts'
import { AppError } from '../../http/errors.ts'
import { fromCursor, toPage } from '../../http/paging.ts'
import { seesColumn, selectSeenIds, selectColumns, type ColumnRow } from './columns-queries.ts'
import { isDue } from './refresh-queries.ts'

/** The most marks to be computed that are counted. */
const COUNTED_STALE = 1_000

/** A person in the order of a column: their mark in it, null for none, and their id. */
const markPosition = z.tuple([z.int().nullable(), z.int()])

/**
 * Which people a page has. `sort`: by name, or by the id of a column. `after`: the person before, by the key of their name or in the order of the column.
 * `count`: the most people.
 */
export interface PageOf {
  sort: 'name' | number
  order: 'up' | 'down'
  label?: number | undefined
  after?: string | z.infer<typeof markPosition> | undefined
  count: number
}

/** A student's row. The lists are JSON; those of questions and held marks hold ids of columns. `sorted`: the mark that they are sorted by. */
export interface PersonRow extends UserInfo {
  id: number
  key: string
  email: string
  madeInCourseId: number | null
  sorted: number | null
  labels: string
  marks: string
  held: string
  asked: string
}

/** A mark in a `PersonRow`. */
type MarkInRow = [
  columnId: number,
  hundredths: number | null,
  isExcused: 0 | 1,
  isSet: 0 | 1,
  isKept: 0 | 1,
]

/** Selects the people of a page by name, as rows of `user_id` and `sorted`. */
function selectByName(courseId: number, { order, label, after, count }: PageOf): SQL {
  const isAfter =
    after === undefined
      ? sql`1`
      : sql`${users.usernameKey} ${order === 'up' ? sql`>` : sql`<`} ${after}`
  return sql`select ${users.id}, null from ${memberships} join ${users} on ${users.id} = ${memberships.userId}
    where ${isStudent(courseId, label)} and ${isAfter}
    order by ${users.usernameKey} ${order === 'up' ? sql`asc` : sql`desc`} limit ${count}`
}

/**
 * Selects the people of a page by a column, as rows of `user_id` and `sorted`. Those with a mark come in the order of the index; those
 * without are only looked for when the page has room for them.
 */
function selectByColumn(courseId: number, columnId: number, page: PageOf): SQL {
  const { order, label, after, count } = page
  const [sorted, userId] = Array.isArray(after) ? after : [undefined, 0]
  const [isFurther, way] = order === 'up' ? [sql`>`, sql`asc`] : [sql`<`, sql`desc`]
  const isAfter =
    sorted === undefined
      ? sql`1`
      : sql`(${marks.hundredths}, ${marks.userId}) ${isFurther} (${sorted}, ${userId})`
  const withMark = sql`select ${marks.userId}, ${marks.hundredths} from ${marks} indexed by marks_sorted
    cross join ${memberships} on ${memberships.userId} = ${marks.userId}
    where ${marks.columnId} = ${columnId} and ${marks.hundredths} is not null and ${isAfter} and ${isStudent(courseId, label)}
    order by ${marks.hundredths} ${way}, ${marks.userId} ${way} limit ${count}`
  const without = sql`select ${memberships.userId}, null from ${memberships}
    where ${isStudent(courseId, label)} and ${memberships.userId} > ${sorted === null ? userId : 0}
      and not exists (select 1 from ${marks} where ${marks.userId} = ${memberships.userId}
        and ${marks.columnId} = ${columnId} and ${marks.hundredths} is not null)
    order by ${memberships.userId} limit ${count}`
  if (sorted === null) return without
  return sql`select * from (${withMark}) union all select * from (${without}) limit ${count}`
}

/** Selects the students of a page with their marks in the columns that the caller sees. */
export function selectMarked(db: Db, course: CourseStanding, user: SessionUser, page: PageOf) {
  const { id: courseId, standing } = course
  const { sort } = page
  const people =
    sort === 'name' ? selectByName(courseId, page) : selectByColumn(courseId, sort, page)
  const columnIds = selectSeenIds(course)
  const manages = sql`${can(standing, 'course.manage') ? 1 : 0}`
  // A materialized table gives its rows in the order in which they came.
  return rawQuery<PersonRow>(
    db,
    sql`with page (user_id, sorted) as materialized (${people})
      select ${users.id}, ${users.usernameKey} as key, ${users.username}, ${users.displayedName} as displayedName,
        ${users.role}, ${users.email}, ${users.madeInCourseId} as madeInCourseId, page.sorted,
        (select json_group_array(${memberLabels.labelId}) from ${memberLabels}
          where ${memberLabels.userId} = page.user_id and ${memberLabels.courseId} = ${courseId}) as labels,
        (select json_group_array(json_array(${marks.columnId}, ${marks.hundredths}, ${marks.isExcused},
            ${marks.isSet}, ${marks.isKept})) from ${marks}
          where ${marks.userId} = page.user_id and ${marks.columnId} in (${columnIds})) as marks,
        (select json_group_array(${heldMarks.columnId}) from ${heldMarks} indexed by held_marks_user
          where ${heldMarks.userId} = page.user_id and ${heldMarks.columnId} in (${columnIds})) as held,
        (select json_group_array(${questions.columnId}) from ${questions} indexed by questions_student
          where ${questions.studentId} = page.user_id and ${questions.courseId} = ${courseId} and ${questions.columnId} in (${columnIds})
            and ${isOpen} and ${isReadable(user.id, manages)}) as asked
      from page cross join ${users} on ${users.id} = page.user_id`,
  )
}

const toList = <Item>(json: string): Item[] => JSON.parse(json)

/** A cell as it is stored: its mark, and what is to be said of it. */
export interface CellFacts {
  hundredths: number | null
  isExcused: boolean | 0 | 1
  isSet: boolean | 0 | 1
  isHeld: boolean | 0 | 1
  isAsked: boolean | 0 | 1
  isKept: boolean | 0 | 1
}

/** Row → contract. */
export function toCell(facts: CellFacts): GradebookCell {
  const { hundredths, isExcused: e, isSet: s, isHeld: h, isAsked: q, isKept: k } = facts
  const state = Object.entries({ e, s, h, q, k }).flatMap(([letter, holds]) =>
    holds ? [letter] : [],
  )
  return [hundredths === null ? null : hundredths / 100, state.join('')]
}

/** The cells of a student in the order of the columns. */
export function toCells(row: PersonRow, columns: readonly ColumnRow[]): GradebookCell[] {
  const byColumn = new Map(toList<MarkInRow>(row.marks).map((mark) => [mark[0], mark]))
  const held = new Set(toList<number>(row.held))
  const asked = new Set(toList<number>(row.asked))
  return columns.map(({ id }) => {
    const [, hundredths = null, isExcused = 0, isSet = 0, isKept = 0] = byColumn.get(id) ?? []
    const isHeld = held.has(id)
    return toCell({ hundredths, isExcused, isSet, isHeld, isAsked: asked.has(id), isKept })
  })
}

/** The ids of a student's labels. */
export const labelsOf = (row: PersonRow): number[] => toList(row.labels)

/** The statement that finds a label of a course. */
export function selectLabel(db: Db, courseId: number, label: number | undefined) {
  return db
    .select({ id: labels.id })
    .from(labels)
    .where(and(eq(labels.courseId, courseId), sql`${labels.id} = ${label ?? null}`))
}

/**
 * A page of the gradebook.
 * @throws AppError `column_not_found` if the caller does not see the column that they sort by, `label_not_found`
 */
export async function getPage(
  db: Db,
  course: CourseStanding,
  user: SessionUser,
  { sort: typed, order, label, cursor, limit = GRADEBOOK_PAGE }: GradebookParams,
): Promise<GradebookPage> {
  const sort = typed === 'name' ? typed : Number(typed)
  const after = sort === 'name' ? fromCursor(cursor, z.string()) : fromCursor(cursor, markPosition)
  const [rows, found, [stale], people] = await db.batch([
    selectColumns(db, course.id),
    selectLabel(db, course.id, label),
    rawQuery<{ pending: number }>(
      db,
      sql`select count(*) as pending from (select 1 from ${staleMarks}
        where ${staleMarks.columnId} in (${selectSeenIds(course)}) and ${isDue} limit ${COUNTED_STALE})`,
    ),
    selectMarked(db, course, user, { sort, order, label, after, count: limit + 1 }),
  ])
  const columns = rows.filter((row) => seesColumn(course.standing, row))
  if (sort !== 'name' && !columns.some(({ id }) => id === sort))
    throw new AppError('column_not_found')
  if (label !== undefined && found.length === 0) throw new AppError('label_not_found')
  const page = toPage(people, limit, ({ id, key, sorted }) =>
    sort === 'name' ? key : [sorted, id],
  )
  return {
    columnIds: columns.map(({ id }) => id),
    people: page.rows.map((row) => ({
      user: { username: row.username, displayedName: row.displayedName, role: row.role },
      labels: labelsOf(row),
      cells: toCells(row, columns),
    })),
    next: page.next,
    pending: stale?.pending ?? 0,
  }
}

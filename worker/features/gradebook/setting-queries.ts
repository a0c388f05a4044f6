/** Writes what staff set in the cells of a gradebook. */
import { and, eq, ne, sql } from 'drizzle-orm'
import type { BatchItem } from 'drizzle-orm/batch'
import type { MarkEdits } from '#contract/gradebook'
import { GRADEBOOK_LIMITS } from '#contract/limits'
import { insertAudit } from '../../db/audit.ts'
import { rawQuery, type Db } from '../../db/client.ts'
import { demand } from '../../db/demand.ts'
import { isSettingOf, markJson } from '../../db/mark-settings.ts'
import { gradebookColumns, marks, markSettings, questions, users } from '../../db/schema.ts'
import { columnTitle, isMarkHeld } from '../../db/shown-marks.ts'
import type { CourseStanding } from '../../db/standing.ts'
import { insertSelect } from '../../db/statements.ts'
import { isOpen } from '../../db/waiting-questions.ts'
import type { Change } from '../../http/change.ts'
import { demandStudents } from '../homeworks/people-queries.ts'
import { selectSeenIds } from './columns-queries.ts'
import { toCell, type CellFacts } from './page-queries.ts'
import { refreshMarks } from './refresh.ts'

type Course = Pick<CourseStanding, 'id' | 'name'>

/** The statement that demands that the course has these columns, and that none is its total. */
function demandColumns(db: Db, { id }: Course, columnIds: readonly number[]) {
  const { courseId, kind } = gradebookColumns
  const own = db
    .select({ id: gradebookColumns.id })
    .from(gradebookColumns)
    .where(and(eq(courseId, id), ne(kind, 'total')))
  const unknown = sql`select value from json_each(${JSON.stringify([...new Set(columnIds)])}) where value not in ${own}`
  return demand(
    db,
    'column_not_found',
    sql`not exists (${unknown})`,
    sql`json_object('unknown', (select json_group_array(value) from (${unknown})))`,
  )
}

/**
 * The statements that set marks, for one batch: they refuse people who are no students and columns that are not the course's, and write
 * nothing where a cell's setting stays the same.
 */
function setMarks(db: Db, course: Course, { edits, reason }: MarkEdits, change: Change) {
  const list = JSON.stringify(
    edits.map(({ username, columnId, points, excused }) => [
      username.toLowerCase(),
      columnId,
      excused || points === null ? null : Math.round(points * 100),
      excused ? 1 : 0,
    ]),
  )
  const [hundredths, isExcused] = [sql`edit.value ->> 2`, sql`edit.value ->> 3`]
  const changed = sql`from json_each(${list}) edit
    cross join ${users} on ${users.usernameKey} = edit.value ->> 0
    cross join ${gradebookColumns} on ${gradebookColumns.id} = edit.value ->> 1
    left join ${markSettings} on ${isSettingOf(gradebookColumns.id, users.id)}
    left join ${marks} on ${marks.columnId} = ${gradebookColumns.id} and ${marks.userId} = ${users.id}
    where (${markSettings.hundredths}, coalesce(${markSettings.isExcused}, 0)) is not (${hundredths}, ${isExcused})`
  const before = markJson(marks.hundredths, marks.isExcused)
  const { actor, now } = change
  return [
    demandStudents(
      db,
      course.id,
      edits.map(({ username }) => username),
    ),
    demandColumns(
      db,
      course,
      edits.map(({ columnId }) => columnId),
    ),
    insertAudit(db, change, {
      action: 'mark.set',
      subject: sql`${gradebookColumns.id}`,
      detail: sql`json_object('course', ${course.name}, 'column', ${columnTitle}, 'username', ${users.username},
        'before', ${before}, 'after', ${markJson(hundredths, isExcused)})`,
      from: changed,
    }),
    insertSelect(
      db,
      markSettings,
      {
        columnId: gradebookColumns.id,
        userId: users.id,
        hundredths,
        isExcused,
        reason,
        setterId: actor.id,
        setAt: now,
      },
      changed,
    ),
  ] as const
}

/** A cell that was set, as it is now. */
interface CellRow extends CellFacts {
  username: string
  columnId: number
}

/**
 * The cells that were set, and these students' totals where the caller may see them. What was set stands there at once, also where the marks that
 * follow are still to be computed. A homework's mark that staff took back is the computed one again, which is not known until then.
 */
async function readCells(db: Db, course: CourseStanding, { edits }: MarkEdits) {
  const cells = JSON.stringify(edits.map((edit) => [edit.username.toLowerCase(), edit.columnId]))
  const { id, kind } = gradebookColumns
  const isSet = sql`iif(${kind} = 'manual', ${markSettings.id} is not null, ${markSettings.hundredths} is not null or ${markSettings.isExcused})`
  const rows = await rawQuery<CellRow>(
    db,
    sql`with edited (name, column_id) as (select value ->> 0, value ->> 1 from json_each(${cells})),
      cell (name, column_id) as (select name, column_id from edited
        union select edited.name, ${id} from ${gradebookColumns} cross join edited
        where ${id} in (${selectSeenIds(course)}) and ${kind} = 'total')
      select ${users.username} as username, ${id} as "columnId",
        iif(${isSet}, ${markSettings.hundredths}, ${marks.hundredths}) as hundredths,
        iif(${isSet}, ${markSettings.isExcused}, ${marks.isExcused}) as "isExcused",
        (${isSet} and ${kind} = 'homework') as "isSet", ${isMarkHeld(users.id)} as "isHeld",
        exists (select 1 from ${questions} where ${questions.columnId} = ${id}
          and ${questions.studentId} = ${users.id} and ${isOpen}) as "isAsked", ${marks.isKept} as "isKept"
      from cell cross join ${users} on ${users.usernameKey} = cell.name
      cross join ${gradebookColumns} on ${id} = cell.column_id
      left join ${markSettings} on ${isSettingOf(id, users.id)}
      left join ${marks} on ${marks.columnId} = ${id} and ${marks.userId} = ${users.id}`,
  )
  return rows.map(({ username, columnId, ...facts }) => ({
    username,
    columnId,
    cell: toCell(facts),
  }))
}

/**
 * Sets marks by hand, all or none, and computes what follows from them; for many people the operation that begins after the call does. A cell's setting that stays the same is not written again.
 * @param first statements of the batch that still see the earlier settings
 * @throws Refusal `user_not_found`, `column_not_found` with the unknown ones
 */
export async function storeMarks(
  db: Db,
  course: Course,
  form: MarkEdits,
  change: Change,
  first: BatchItem<'sqlite'>[] = [],
): Promise<void> {
  const names = JSON.stringify(form.edits.map(({ username }) => username.toLowerCase()))
  const [people] = await db.batch([
    db
      .select({ id: users.id })
      .from(users)
      .where(sql`${users.usernameKey} in (select value from json_each(${names}))`),
    ...first,
    ...setMarks(db, course, form, change),
  ])
  const ids = people.map(({ id }) => id)
  if (ids.length <= GRADEBOOK_LIMITS.peopleAtOnce)
    await refreshMarks(db, course.id, ids, change.now)
}

/** Sets marks by hand as `storeMarks` does. @returns the cells as they are then */
export async function changeMarks(db: Db, course: CourseStanding, form: MarkEdits, change: Change) {
  await storeMarks(db, course, form, change)
  return { cells: await readCells(db, course, form) }
}

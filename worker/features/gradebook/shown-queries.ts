/** Says which marks students see: those of a column, and single ones that are held. */
import { and, eq, sql } from 'drizzle-orm'
import type { Shown } from '#contract/gradebook'
import { can } from '#contract/roles'
import { insertAudit } from '../../db/audit.ts'
import { aliasColumns, type Db } from '../../db/client.ts'
import { demand } from '../../db/demand.ts'
import { insertNotice } from '../../db/notices.ts'
import { gradebookColumns, heldMarks, memberships, users } from '../../db/schema.ts'
import { columnTitle, isColumnShown, isMarkHeld } from '../../db/shown-marks.ts'
import type { CourseStanding } from '../../db/standing.ts'
import { insertSelect } from '../../db/statements.ts'
import type { Change } from '../../http/change.ts'
import { AppError, fieldRefused } from '../../http/errors.ts'
import { demandStudents } from '../homeworks/people-queries.ts'

type Column = Awaited<ReturnType<typeof findColumn>>

/**
 * A column whose marks the caller may show and hold; of the total only the teacher does.
 * @throws AppError `column_not_found`, `forbidden`
 */
export async function findColumn(db: Db, course: CourseStanding, columnId: number) {
  const { id, kind, forAssistants, courseId } = gradebookColumns
  const column = await db
    .select({ ...aliasColumns({ id, kind, forAssistants }), name: columnTitle.as('name') })
    .from(gradebookColumns)
    .where(and(eq(id, columnId), eq(courseId, course.id)))
    .get()
  if (!column) throw new AppError('column_not_found')
  if (column.kind !== 'total' || can(course.standing, 'gradebook.manage')) return column
  throw new AppError(column.forAssistants ? 'forbidden' : 'column_not_found')
}

/** The statement that demands that nobody has deleted the column in the meantime. */
function demandColumn(db: Db, { id }: Column) {
  const isThere = sql`exists (select 1 from ${gradebookColumns} where ${gradebookColumns.id} = ${id})`
  return demand(db, 'column_not_found', isThere)
}

/** What notices of a column's marks have in common. */
function noticeOf(course: CourseStanding, { id }: Column, { actor, now }: Change) {
  const { id: courseId, timeZone } = course
  const subjectId = String(id)
  return { kind: 'marks_shown', courseId, timeZone, subjectId, actorId: actor.id, now } as const
}

/** Says whether students see the marks of a column. When they begin to, it tells them. */
export async function showColumn(
  db: Db,
  course: CourseStanding,
  column: Column,
  shown: Shown,
  change: Change,
): Promise<void> {
  if (shown === 'atClosing' && column.kind !== 'homework')
    throw fieldRefused(['shown'], 'invalid', 'Only homeworks show at closing; send no or yes')
  const isOther = sql`exists (select 1 from ${gradebookColumns}
    where ${gradebookColumns.id} = ${column.id} and ${gradebookColumns.shown} <> ${shown})`
  const before = sql`(select ${gradebookColumns.shown} from ${gradebookColumns} where ${gradebookColumns.id} = ${column.id})`
  const seers = sql`select ${memberships.userId} from ${memberships}
    join ${gradebookColumns} on ${gradebookColumns.id} = ${column.id}
    where ${memberships.courseId} = ${course.id} and not ${isMarkHeld(memberships.userId)}`
  await db.batch([
    demandColumn(db, column),
    ...insertNotice(
      db,
      { ...noticeOf(course, column, change), mailed: seers },
      sql`${shown === 'yes'} and ${isOther}`,
    ),
    insertAudit(db, change, {
      action: 'marks.show',
      subject: String(column.id),
      detail: sql`json_object('course', ${course.name}, 'column', ${column.name}, 'before', ${before}, 'after', ${shown})`,
      when: isOther,
    }),
    db.update(gradebookColumns).set({ shown }).where(eq(gradebookColumns.id, column.id)),
  ])
}

/**
 * Holds back the marks of some students in a column, or lets them go. It tells those who see their mark again.
 * @throws Refusal `user_not_found` with the unknown ones
 */
export async function holdMarks(
  db: Db,
  course: CourseStanding,
  column: Column,
  { usernames, held }: { usernames: string[]; held: boolean },
  change: Change,
): Promise<void> {
  const keys = JSON.stringify(usernames.map((name) => name.toLowerCase()))
  const isHeld = isMarkHeld(users.id)
  const changed = sql`from ${users} cross join ${gradebookColumns} on ${gradebookColumns.id} = ${column.id}
    where ${users.usernameKey} in (select value from json_each(${keys})) and ${held ? sql`not ${isHeld}` : isHeld}`
  const seers = sql`select ${users.id} ${changed} and ${isColumnShown(users.id, change.now)}`
  const store = held
    ? insertSelect(db, heldMarks, { columnId: column.id, userId: users.id }, changed)
    : db
        .delete(heldMarks)
        .where(
          and(
            eq(heldMarks.columnId, column.id),
            sql`${heldMarks.userId} in (select ${users.id} ${changed})`,
          ),
        )
  await db.batch([
    demandColumn(db, column),
    demandStudents(db, course.id, usernames),
    insertAudit(db, change, {
      action: held ? 'mark.hold' : 'mark.release',
      subject: String(column.id),
      detail: sql`json_object('course', ${course.name}, 'column', ${column.name}, 'username', ${users.username})`,
      from: changed,
    }),
    ...insertNotice(
      db,
      { ...noticeOf(course, column, change), userId: seers },
      held ? sql`false` : sql`true`,
    ),
    store,
  ])
}

/** Writing homeworks. */
import { and, eq, sql, type SQL } from 'drizzle-orm'
import type { HomeworkForm } from '#contract/homeworks'
import { insertAudit } from '../../db/audit.ts'
import { rawQuery, type Db } from '../../db/client.ts'
import { isCurrent } from '../../db/edits.ts'
import { homeworkProblems, homeworks, problems } from '../../db/schema.ts'
import type { CourseStanding } from '../../db/standing.ts'
import { insertSelect } from '../../db/statements.ts'
import type { Change } from '../../http/change.ts'
import { AppError } from '../../http/errors.ts'
import { newHexId } from '../../lib/ids.ts'
import type { HomeworkAccess } from './queries.ts'
import { toColumns } from './row.ts'

/** What stands against a form: problems that are none of the course's, and whether another homework has the name. */
interface Obstacles {
  unknown: string
  nameTaken: number
}

/** The problems of a form that the course does not have. */
function unknownProblems(courseId: number, form: HomeworkForm): SQL {
  return sql`select w.value from json_each(${JSON.stringify(form.problemIds)}) w
    where not exists (select 1 from ${problems} where ${problems.id} = w.value
      and ${problems.courseId} = ${courseId} and ${problems.deletedAt} is null)`
}

/** Another homework of the course that has the form's name. */
function selectNamesake(courseId: number, form: HomeworkForm, homeworkId: string): SQL {
  return sql`select 1 from ${homeworks} where ${homeworks.courseId} = ${courseId}
    and ${homeworks.name} = ${form.name} and ${homeworks.id} <> ${homeworkId}`
}

/** Reads what stands against a form, within the batch that would store it. */
function selectObstacles(db: Db, courseId: number, form: HomeworkForm, homeworkId: string) {
  return rawQuery<Obstacles>(
    db,
    sql`select (select json_group_array(value) from (${unknownProblems(courseId, form)})) as "unknown",
      exists (${selectNamesake(courseId, form, homeworkId)}) as nameTaken`,
  )
}

/** Whether nothing stands against a form. */
function isPossible(courseId: number, form: HomeworkForm, homeworkId: string): SQL {
  return sql`(not exists (${unknownProblems(courseId, form)}) and not exists (${selectNamesake(courseId, form, homeworkId)}))`
}

/** Puts what stood against a form into words; does nothing when nothing did. */
function refuseObstacles(rows: Obstacles[]): void {
  const { unknown = '[]', nameTaken = 0 } = rows[0] ?? {}
  const ids: unknown = JSON.parse(unknown)
  if (Array.isArray(ids) && ids.length > 0)
    throw new AppError('problem_not_found', { unknown: ids })
  if (nameTaken) throw new AppError('homework_exists')
}

/** Inserts a form's problems in order, as one JSON parameter, where the condition holds. */
function insertProblems(db: Db, homeworkId: string, form: HomeworkForm, when: SQL) {
  return insertSelect(
    db,
    homeworkProblems,
    { homeworkId, problemId: sql`value`, position: sql`key` },
    sql`from json_each(${JSON.stringify(form.problemIds)}) where ${when}`,
  )
}

/** Creates a homework and gives its id. Its problems must belong to the course. */
export async function insertHomework(
  db: Db,
  course: CourseStanding,
  form: HomeworkForm,
  change: Change,
): Promise<string> {
  const { now } = change
  const id = newHexId(Date.now())
  const isInserted = sql`exists (select 1 from ${homeworks} where ${homeworks.id} = ${id})`
  const detail = { course: course.name }
  const [obstacles] = await db.batch([
    selectObstacles(db, course.id, form, id),
    insertSelect(
      db,
      homeworks,
      {
        id,
        courseId: course.id,
        ...toColumns(form),
        createdAt: now,
        updatedAt: now,
      },
      sql`where ${isPossible(course.id, form, id)}`,
    ),
    insertProblems(db, id, form, isInserted),
    insertAudit(db, change, { action: 'homework.create', subject: id, detail, when: isInserted }),
  ])
  refuseObstacles(obstacles)
  return id
}

/**
 * Changes a homework.
 * @param basedOn version the edit was made on; null overwrites whatever there is
 */
export async function updateHomework(
  db: Db,
  { homeworkId, courseId, course }: HomeworkAccess,
  form: HomeworkForm,
  basedOn: number | null,
  change: Change,
): Promise<void> {
  const { now } = change
  const when = sql`(${isCurrent(homeworks, homeworkId, basedOn)} and ${isPossible(courseId, form, homeworkId)})`
  const [obstacles, , , , updated] = await db.batch([
    selectObstacles(db, courseId, form, homeworkId),
    db.delete(homeworkProblems).where(and(eq(homeworkProblems.homeworkId, homeworkId), when)),
    insertProblems(db, homeworkId, form, when),
    insertAudit(db, change, {
      action: 'homework.edit',
      subject: homeworkId,
      detail: { course },
      when,
    }),
    // Last, because it makes the version that the others ask for an older one.
    db
      .update(homeworks)
      .set({
        ...toColumns(form),
        version: sql`${homeworks.version} + 1`,
        updatedAt: now,
      })
      .where(and(eq(homeworks.id, homeworkId), when))
      .returning({ id: homeworks.id }),
  ])
  refuseObstacles(obstacles)
  if (updated.length === 0) throw new AppError('stale_edit')
}

/** Deletes a homework; its problems and their submissions stay. */
export async function deleteHomework(
  db: Db,
  { homeworkId, course }: HomeworkAccess,
  basedOn: number | null,
  change: Change,
): Promise<void> {
  const when = isCurrent(homeworks, homeworkId, basedOn)
  const [, deleted] = await db.batch([
    insertAudit(db, change, {
      action: 'homework.delete',
      subject: homeworkId,
      detail: { course },
      when,
    }),
    db
      .delete(homeworks)
      .where(and(eq(homeworks.id, homeworkId), when))
      .returning({ id: homeworks.id }),
  ])
  if (deleted.length === 0) throw new AppError('stale_edit')
}

/** Writing homeworks. */
import { and, eq, sql, type SQL } from 'drizzle-orm'
import type { HomeworkForm } from '#contract/homeworks'
import { insertAudit } from '../../db/audit.ts'
import type { Db } from '../../db/client.ts'
import { demand } from '../../db/demand.ts'
import { demandCurrent } from '../../db/edits.ts'
import { insertNotice } from '../../db/notices.ts'
import { homeworkProblems, homeworks, problems } from '../../db/schema.ts'
import type { CourseStanding } from '../../db/standing.ts'
import { excluded, insertSelect, onConflictUpdate } from '../../db/statements.ts'
import type { Change } from '../../http/change.ts'
import { newHexId } from '../../lib/ids.ts'
import { demandDates } from './override-queries.ts'
import type { HomeworkAccess } from './queries.ts'
import { toColumns } from './row.ts'

/** What a problem is worth, unless the form says otherwise. */
const POINTS_DEFAULT = 100

/** The problems of a form that the course does not have. */
function unknownProblems(courseId: number, form: HomeworkForm): SQL {
  return sql`select w.value from json_each(${JSON.stringify(form.problemIds)}) w
    where not exists (select 1 from ${problems} where ${problems.id} = w.value
      and ${problems.courseId} = ${courseId} and ${problems.deletedAt} is null)`
}

/** The statements that demand that the course has the form's problems, and no other homework of the form's name. */
function demandPossible(db: Db, courseId: number, form: HomeworkForm, homeworkId: string) {
  const unknown = unknownProblems(courseId, form)
  const namesake = sql`select 1 from ${homeworks} where ${homeworks.courseId} = ${courseId}
    and ${homeworks.name} = ${form.name} and ${homeworks.id} <> ${homeworkId}`
  return [
    demand(
      db,
      'problem_not_found',
      sql`not exists (${unknown})`,
      sql`json_object('unknown', (select json_group_array(value) from (${unknown})))`,
    ),
    demand(db, 'homework_exists', sql`not exists (${namesake})`),
  ] as const
}

/** Stores a form's problems in order, as one JSON parameter. Those that are there already stay, because each other row makes marks stale. */
function storeProblems(db: Db, homeworkId: string, form: HomeworkForm) {
  const { problemId, position, points } = homeworkProblems
  const isOther = sql`(${position}, ${points}) is not (${excluded(position)}, ${excluded(points)})`
  return insertSelect(
    db,
    homeworkProblems,
    {
      homeworkId,
      problemId: sql`value`,
      position: sql`key`,
      points: sql`coalesce(json_extract(${JSON.stringify(form.points ?? [])}, '$[' || key || ']'), ${POINTS_DEFAULT})`,
    },
    sql`from json_each(${JSON.stringify(form.problemIds)}) where true
      ${onConflictUpdate(homeworkProblems, [homeworkProblems.homeworkId, problemId], {
        position: excluded(position),
        points: excluded(points),
      })} where ${isOther}`,
  )
}

/** Creates a homework, whose problems must belong to the course. @returns its id */
export async function insertHomework(
  db: Db,
  course: CourseStanding,
  form: HomeworkForm,
  change: Change,
): Promise<string> {
  const { now } = change
  const id = newHexId(Date.now())
  await db.batch([
    ...demandPossible(db, course.id, form, id),
    db
      .insert(homeworks)
      .values({ id, courseId: course.id, ...toColumns(form), createdAt: now, updatedAt: now }),
    storeProblems(db, id, form),
    insertAudit(db, change, {
      action: 'homework.create',
      subject: id,
      detail: { course: course.name },
    }),
  ])
  return id
}

/** The condition that a form gives other dates, or another late rule, to a homework that has opened. */
function getsOtherDates(homeworkId: string, form: HomeworkForm, now: number): SQL {
  const { startAt, endAt, closeAt, graceMinutes, lateRule } = homeworks
  const { start, end, close, graceMinutes: grace, lateRule: rule } = form
  return sql`exists (select 1 from ${homeworks} where ${homeworks.id} = ${homeworkId} and ${startAt} <= ${now}
    and (${startAt}, ${endAt}, ${closeAt}, ${graceMinutes}, ${lateRule})
      is not (${start}, ${end}, ${close}, ${grace}, ${JSON.stringify(rule)}))`
}

/** Changes a homework. @param basedOn version the edit was made on; null overwrites any version */
export async function updateHomework(
  db: Db,
  { homeworkId, courseId, timeZone, course }: HomeworkAccess,
  form: HomeworkForm,
  basedOn: number | null,
  change: Change,
): Promise<void> {
  const { actor, now } = change
  await db.batch([
    ...demandPossible(db, courseId, form, homeworkId),
    demandCurrent(db, homeworks, homeworkId, basedOn),
    ...insertNotice(
      db,
      { kind: 'own_dates', courseId, timeZone, subjectId: homeworkId, actorId: actor.id, now },
      getsOtherDates(homeworkId, form, now),
    ),
    db
      .delete(homeworkProblems)
      .where(
        and(
          eq(homeworkProblems.homeworkId, homeworkId),
          sql`${homeworkProblems.problemId} not in (select value from json_each(${JSON.stringify(form.problemIds)}))`,
        ),
      ),
    storeProblems(db, homeworkId, form),
    db
      .update(homeworks)
      .set({ ...toColumns(form), version: sql`${homeworks.version} + 1`, updatedAt: now })
      .where(eq(homeworks.id, homeworkId)),
    demandDates(db, homeworkId, courseId, actor.id),
    insertAudit(db, change, { action: 'homework.edit', subject: homeworkId, detail: { course } }),
  ])
}

/** Deletes a homework; its problems and their submissions stay. */
export async function deleteHomework(
  db: Db,
  { homeworkId, course }: HomeworkAccess,
  basedOn: number | null,
  change: Change,
): Promise<void> {
  await db.batch([
    demandCurrent(db, homeworks, homeworkId, basedOn),
    db.delete(homeworks).where(eq(homeworks.id, homeworkId)),
    insertAudit(db, change, { action: 'homework.delete', subject: homeworkId, detail: { course } }),
  ])
}

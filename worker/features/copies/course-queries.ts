/** Copies a course: its problems, announcements, labels, late days, homeworks and gradebook, without people and submissions. */
import { and, eq, getTableColumns, isNull, sql, type SQL } from 'drizzle-orm'
import type { CourseCopied, CourseCopy } from '#contract/course-copy'
import { courseNameKey } from '#contract/names'
import { insertAudit } from '../../db/audit.ts'
import { rawQuery, type Db } from '../../db/client.ts'
import { isNamed } from '../../db/course-names.ts'
import { demand } from '../../db/demand.ts'
import { demandCurrent } from '../../db/edits.ts'
import {
  announcements,
  courses,
  homeworkOverrides,
  homeworks,
  labels,
  lateDayBudgets,
  problems,
} from '../../db/schema.ts'
import type { CourseStanding } from '../../db/standing.ts'
import { insertSelect } from '../../db/statements.ts'
import type { Change } from '../../http/change.ts'
import { newHexId } from '../../lib/ids.ts'
import { closeCourse, demandFree, demandTeacher, freeDeletedName } from '../courses/edit-queries.ts'
import { copyProblems, hexIdOfRow, selectCopies } from '../problems/copy-queries.ts'
import { copyGradebook } from './gradebook-queries.ts'
import { copyHomeworks } from './homework-queries.ts'

/** A homework of the body, with the id of its copy. */
type Copied = CourseCopy['homeworks'][number] & { copyId: string }

/** The labels of each homework of a JSON list, as rows `l` beside those of the homeworks, `w`. */
function fromLabels(copied: readonly Copied[]): SQL {
  return sql`from json_each(${JSON.stringify(copied)}) w, json_each(w.value, '$.labels') l`
}

/** The statements that demand that the course has these homeworks and labels. */
function demandKnown(db: Db, courseId: number, copied: readonly Copied[]) {
  const known = sql`select count(*) from ${homeworks} where ${homeworks.courseId} = ${courseId}
    and ${homeworks.id} in (select value ->> 'id' from json_each(${JSON.stringify(copied)}))`
  const unknown = sql`select 1 ${fromLabels(copied)} where not exists (select 1 from ${labels}
    where ${labels.id} = l.value ->> 'label' and ${labels.courseId} = ${courseId})`
  return [
    demand(db, 'homework_not_found', sql`(${known}) = ${copied.length}`),
    demand(db, 'label_not_found', sql`not exists (${unknown})`),
  ] as const
}

/** The statements that copy announcements, labels and late days. The copied announcements are new, in the same order. */
function copyTexts(db: Db, from: number, courseId: SQL, { actor, now }: Change) {
  const isLive = and(eq(announcements.courseId, from), isNull(announcements.deletedAt))
  const position = sql`row_number() over (order by ${announcements.id})`
  const { id: _l, ...label } = getTableColumns(labels)
  const { id: _b, ...budget } = getTableColumns(lateDayBudgets)
  return [
    insertSelect(
      db,
      announcements,
      {
        ...getTableColumns(announcements),
        id: hexIdOfRow(sql`${Date.now()} + ${position}`),
        courseId,
        creatorId: actor.id,
        updaterId: actor.id,
        version: 1,
        createdAt: now,
        updatedAt: now,
      },
      sql`from ${announcements} where ${isLive}`,
    ),
    insertSelect(
      db,
      labels,
      { ...label, courseId },
      sql`from ${labels} where ${labels.courseId} = ${from} order by ${labels.id}`,
    ),
    insertSelect(
      db,
      lateDayBudgets,
      { ...budget, courseId },
      sql`from ${lateDayBudgets} where ${lateDayBudgets.courseId} = ${from} order by ${lateDayBudgets.id}`,
    ),
  ] as const
}

/** The statement that copies the dates and rules of labels, with new dates. */
function copyLabelDates(db: Db, copied: readonly Copied[], courseId: SQL, { actor, now }: Change) {
  const { graceMinutes, latePercent, quota, excused, reason, homeworkId, labelId } =
    homeworkOverrides
  const [opens, due, closes] = ['opens', 'due', 'closes'].map((name) => sql`l.value ->> ${name}`)
  return insertSelect(
    db,
    homeworkOverrides,
    {
      homeworkId: sql`w.value ->> 'copyId'`,
      labelId: sql`copied.id`,
      opens,
      due,
      closes,
      graceMinutes,
      latePercent,
      quota,
      excused,
      reason: sql`coalesce(${reason}, '')`,
      setterId: actor.id,
      setAt: now,
    },
    sql`${fromLabels(copied)} join ${labels} on ${labels.id} = l.value ->> 'label'
      join ${labels} copied on copied.course_id = ${courseId} and copied.name = ${labels.name}
      left join ${homeworkOverrides} on ${homeworkId} = w.value ->> 'id' and ${labelId} = ${labels.id}
      where coalesce(${opens}, ${due}, ${closes}, ${graceMinutes}, ${latePercent}, ${quota}, ${excused}) is not null`,
  )
}

/** Copies a course for the person who teaches the copy. All or nothing comes along. */
export async function copyCourse(
  db: Db,
  source: CourseStanding,
  { course, timeZone = source.timeZone, closeOld, homeworks: named }: CourseCopy,
  change: Change,
): Promise<CourseCopied> {
  const { actor, now } = change
  const copied = named.map((homework) => ({ ...homework, copyId: newHexId(Date.now()) }))
  const courseId = sql`(select ${courses.id} from ${courses} where ${isNamed(course)})`
  const which = and(eq(problems.courseId, source.id), isNull(problems.deletedAt))
  const budgetId = sql`(select copied.id from ${lateDayBudgets} join ${lateDayBudgets} copied
    on copied.name = ${lateDayBudgets.name} and copied.course_id = ${courseId}
    where ${lateDayBudgets.id} = ${homeworks.budgetId})`
  const countOf = (table: typeof problems | typeof homeworks | typeof announcements) =>
    sql`(select count(*) from ${table} where ${table.courseId} = ${courseId})`
  const results = await db.batch([
    demandCurrent(db, courses, source.id, null),
    ...demandTeacher(db, actor.username),
    freeDeletedName(db, course, now),
    demandFree(db, course, null),
    ...demandKnown(db, source.id, copied),
    insertSelect(
      db,
      courses,
      {
        name: course,
        nameKey: courseNameKey(course),
        teacherId: actor.id,
        timeZone,
        counts: courses.counts,
        copiedFromId: courses.id,
        createdAt: now,
      },
      sql`from ${courses} where ${courses.id} = ${source.id}`,
    ),
    ...copyProblems(db, which, { courseId }, change),
    ...copyTexts(db, source.id, courseId, change),
    ...copyHomeworks(db, copied, { courseId, copies: selectCopies(which), budgetId }, now),
    copyLabelDates(db, copied, courseId, change),
    ...copyGradebook(db, source.id, courseId, copied),
    insertAudit(db, change, {
      action: 'course.copy',
      subject: course,
      detail: { from: source.name },
    }),
    ...(closeOld ? closeCourse(db, source, change) : []),
    rawQuery<Omit<CourseCopied, 'course'>>(
      db,
      sql`select ${countOf(problems)} as problems, ${countOf(homeworks)} as homeworks,
        ${countOf(announcements)} as announcements`,
    ),
  ])
  const [counts] = results.at(-1) as Omit<CourseCopied, 'course'>[]
  if (!counts) throw new Error('D1 did not count what came along')
  return { course, ...counts }
}

/** Copies homeworks: each with its rules and problems, to new dates. */
import { and, eq, getTableColumns, isNull, sql, type SQL } from 'drizzle-orm'
import type { HomeworkCopy } from '#contract/course-copy'
import { insertAudit } from '../../db/audit.ts'
import type { Db } from '../../db/client.ts'
import { demand } from '../../db/demand.ts'
import { homeworkProblems, homeworks, problems } from '../../db/schema.ts'
import type { SessionUser } from '../../db/sessions.ts'
import { selectStanding, type CourseStanding } from '../../db/standing.ts'
import { insertSelect } from '../../db/statements.ts'
import type { Change } from '../../http/change.ts'
import { newHexId } from '../../lib/ids.ts'
import { selectHomeworkAccess, type HomeworkAccess } from '../homeworks/queries.ts'
import { copyProblems, selectCopies } from '../problems/copy-queries.ts'

/** A homework to copy, with the id and dates of the copy. A copy without a name has that of the homework. */
interface Copied {
  id: string
  copyId: string
  name?: string | undefined
  start: number
  end: number
  close: number | null
}

/**
 * The statements that copy homeworks into a course. Dates of people, labels and all stay behind.
 * @param into `copies`: the problems and their copies, as `selectCopies` gives them. `budgetId`: of each row of `homeworks`
 */
export function copyHomeworks(
  db: Db,
  copied: readonly Copied[],
  into: { courseId: number | SQL; copies: SQL; budgetId?: SQL },
  now: number,
) {
  const from = sql`from json_each(${JSON.stringify(copied)}) w`
  return [
    insertSelect(
      db,
      homeworks,
      {
        ...getTableColumns(homeworks),
        id: sql`w.value ->> 'copyId'`,
        courseId: into.courseId,
        name: sql`coalesce(w.value ->> 'name', ${homeworks.name})`,
        startAt: sql`w.value ->> 'start'`,
        endAt: sql`w.value ->> 'end'`,
        closeAt: sql`w.value ->> 'close'`,
        budgetId: into.budgetId ?? null,
        version: 1,
        createdAt: now,
        updatedAt: now,
      },
      sql`${from} join ${homeworks} on ${homeworks.id} = w.value ->> 'id'`,
    ),
    insertSelect(
      db,
      homeworkProblems,
      {
        ...getTableColumns(homeworkProblems),
        homeworkId: sql`w.value ->> 'copyId'`,
        problemId: sql`copies.copy_id`,
      },
      sql`${from} join ${homeworkProblems} on ${homeworkProblems.homeworkId} = w.value ->> 'id'
        join (${into.copies}) copies on copies.id = ${homeworkProblems.problemId}`,
    ),
  ] as const
}

/** The access to a homework and the caller's standing in a course, in one round trip. */
export async function findCopyAccess(
  db: Db,
  user: SessionUser,
  homeworkId: string,
  courseName: string,
): Promise<{ access?: HomeworkAccess; target?: CourseStanding }> {
  const [accesses, targets] = await db.batch([
    selectHomeworkAccess(db, user, homeworkId),
    selectStanding(db, user, courseName),
  ])
  return { access: accesses[0], target: targets[0] }
}

/**
 * Copies a homework into a course. In its own course the copy has the same problems, in another one copies of them.
 * @returns the copy's id
 */
export async function copyHomework(
  db: Db,
  { homeworkId, courseId, course }: HomeworkAccess,
  target: CourseStanding,
  form: Omit<HomeworkCopy, 'courseName'>,
  change: Change,
): Promise<string> {
  const copyId = newHexId(Date.now())
  const isOwn = target.id === courseId
  const named = sql`select ${homeworkProblems.problemId} from ${homeworkProblems}
    where ${homeworkProblems.homeworkId} = ${homeworkId}`
  const which = and(isNull(problems.deletedAt), sql`${problems.id} in (${named})`)
  const same = sql`select ${problems.id} as id, ${problems.id} as copy_id from ${problems} where ${which}`
  const copies = isOwn ? same : selectCopies(which)
  const isThere = sql`exists (select 1 from ${homeworks} where ${homeworks.id} = ${homeworkId})`
  const namesake = sql`select 1 from ${homeworks} h join ${homeworks} on ${eq(homeworks.id, homeworkId)}
    where h.course_id = ${target.id} and h.name = coalesce(${form.name ?? null}, ${homeworks.name})`
  await db.batch([
    demand(db, 'homework_not_found', isThere),
    demand(db, 'homework_exists', sql`not exists (${namesake})`),
    ...(isOwn ? [] : copyProblems(db, which, { courseId: target.id }, change)),
    ...copyHomeworks(
      db,
      [{ id: homeworkId, copyId, ...form }],
      { courseId: target.id, copies },
      change.now,
    ),
    insertAudit(db, change, {
      action: 'homework.copy',
      subject: copyId,
      detail: { from: homeworkId, course, to: target.name },
    }),
  ])
  return copyId
}

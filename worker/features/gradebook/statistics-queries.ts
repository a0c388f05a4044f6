/** Reads the statistics of a homework: from stored marks, and from the summaries of submissions. */
import { asc, eq, sql } from 'drizzle-orm'
import type { HomeworkStatistics } from '#contract/gradebook'
import { PROBLEM_STATUS } from '#contract/problems'
import { can } from '#contract/roles'
import { STATUS } from '#contract/verdicts'
import { aliasColumns, rawQuery, type Db } from '../../db/client.ts'
import { isStudent } from '../../db/label-filter.ts'
import { attemptsWithin } from '../../db/problem-results.ts'
import {
  gradebookColumns,
  homeworkDates,
  homeworkProblems,
  labels,
  marks,
  memberLabels,
  memberships,
  problemResults,
  problems,
  users,
} from '../../db/schema.ts'
import { AppError } from '../../http/errors.ts'
import type { HomeworkAccess } from '../homeworks/queries.ts'
import { barsOf, countsOf, spreadOf } from './statistics.ts'

/** A student who is not excused. `parts`: JSON of the problems' points in hundredths, and when the submissions that count came. */
interface StudentRow {
  id: number
  username: string
  displayedName: string
  role: 0 | 1 | 2
  email: string | null
  due: number
  hundredths: number | null
  parts: string | null
  labels: string
}

/** A person's work on a problem. `until`: submissions up to the first accepted one, null while none is. */
interface WorkRow {
  userId: number
  problemId: number
  until: number | null
}

const HOUR_SECONDS = 3_600

/** The students who are not excused, by name, with their marks. */
function selectStudentRows(db: Db, access: HomeworkAccess, label: number | undefined) {
  const { courseId, homeworkId, standing } = access
  // Whoever manages the members sees the addresses of accounts that the course made, as in the list of members.
  const email = sql`iif(${can(standing, 'members.manage') ? 1 : 0} and ${users.madeInCourseId} = ${courseId}
    and ${users.emailConfirmedAt} is not null, ${users.email}, null)`
  const part = sql`json_array(p.value ->> 'problemId', p.value ->> 'hundredths', p.value ->> 'at')`
  return rawQuery<StudentRow>(
    db,
    sql`select ${users.id}, ${users.username}, ${users.displayedName} as displayedName, ${users.role}, ${email} as email,
        ${homeworkDates.due} as due, ${marks.hundredths} as hundredths,
        (select json_group_array(${part}) from json_each(${marks.derivation}, '$.problems') p) as parts,
        (select json_group_array(${memberLabels.labelId}) from ${memberLabels}
          where ${memberLabels.userId} = ${users.id} and ${memberLabels.courseId} = ${courseId}) as labels
      from ${memberships} join ${users} on ${users.id} = ${memberships.userId}
      join ${homeworkDates} on ${homeworkDates.homeworkId} = ${homeworkId} and ${homeworkDates.userId} = ${users.id}
      join ${gradebookColumns} on ${gradebookColumns.homeworkId} = ${homeworkId}
      left join ${marks} on ${marks.userId} = ${users.id} and ${marks.columnId} = ${gradebookColumns.id}
      where ${isStudent(courseId, label)} and not coalesce(${marks.isExcused}, ${homeworkDates.excused})
      order by ${users.usernameKey}`,
  )
}

/** Who has handed in what, for the problems of the homework. */
function selectWork(db: Db, { courseId, homeworkId }: HomeworkAccess, label: number | undefined) {
  const accepted = sql`select min(a.key) from json_each(attempts) a where a.value ->> 1 = ${STATUS.AC}`
  const until = sql`(select nullif(count(*), 0) from (select ${attemptsWithin(sql`''`, sql`'g'`)} as attempts), json_each(attempts) t
    where t.key <= (${accepted}))`
  return rawQuery<WorkRow>(
    db,
    sql`select ${problemResults.userId} as userId, ${problemResults.problemId} as problemId, ${until} as until
      from ${homeworkProblems}
      cross join ${problemResults} on ${problemResults.problemId} = ${homeworkProblems.problemId}
      cross join ${memberships} on ${memberships.userId} = ${problemResults.userId}
      where ${homeworkProblems.homeworkId} = ${homeworkId} and ${problemResults.tries} > 0 and ${isStudent(courseId, label)}`,
  )
}

/** The problems of the homework that students see, in order. */
function selectShownProblems(db: Db, homeworkId: string) {
  return db
    .select(
      aliasColumns({
        problemId: homeworkProblems.problemId,
        name: problems.name,
        max: homeworkProblems.points,
      }),
    )
    .from(homeworkProblems)
    .innerJoin(problems, eq(problems.id, homeworkProblems.problemId))
    .where(
      sql`${homeworkProblems.homeworkId} = ${homeworkId} and ${problems.status} = ${PROBLEM_STATUS.VISIBLE}
        and ${problems.deletedAt} is null`,
    )
    .orderBy(asc(homeworkProblems.position))
}

/**
 * The statistics of a homework. Distributions are of the students who have a mark.
 * @throws AppError `label_not_found`
 */
export async function getStatistics(
  db: Db,
  access: HomeworkAccess,
  label: number | undefined,
): Promise<HomeworkStatistics> {
  const { homeworkId, courseId } = access
  const [known, contents, students, work] = await db.batch([
    db
      .select({ id: labels.id, name: labels.name })
      .from(labels)
      .where(eq(labels.courseId, courseId))
      .orderBy(asc(labels.id)),
    selectShownProblems(db, homeworkId),
    selectStudentRows(db, access, label),
    selectWork(db, access, label),
  ])
  if (label !== undefined && !known.some(({ id }) => id === label))
    throw new AppError('label_not_found')
  const max = contents.reduce((sum, problem) => sum + problem.max, 0)
  const people = students.map(({ parts, labels: own, hundredths, ...student }) => ({
    ...student,
    points: hundredths === null ? null : hundredths / 100,
    labels: new Set<number>(JSON.parse(own)),
    parts: JSON.parse(parts ?? '[]') as [number, number | null, number | null][],
  }))
  const ids = new Set(people.map(({ id }) => id))
  const done = Map.groupBy(
    work.filter(({ userId }) => ids.has(userId)),
    ({ problemId }) => problemId,
  )
  const begun = new Set(work.map(({ userId }) => userId))
  const pointsOf = (some: typeof people) => some.flatMap(({ points }) => points ?? [])
  const percentOf = (points: number[]) =>
    max === 0 ? [] : points.map((each) => (each / max) * 100)
  return {
    students: people.length,
    max,
    marks: { bars: barsOf(percentOf(pointsOf(people))), spread: spreadOf(pointsOf(people)) },
    problems: contents.map((problem) => {
      const rows = done.get(problem.problemId) ?? []
      const until = rows.flatMap((row) => row.until ?? [])
      const points = people
        .flatMap(({ parts }) => parts.filter(([id]) => id === problem.problemId))
        .flatMap(([, hundredths]) => (hundredths === null ? [] : hundredths / 100))
      return {
        ...problem,
        tried: rows.length,
        solved: until.length,
        tries: countsOf(until).map(([tries, count]) => ({ tries, count })),
        marks: spreadOf(points),
      }
    }),
    hoursBefore: countsOf(
      people.flatMap(({ due, parts }) =>
        parts.flatMap(([, , at]) => (at === null ? [] : Math.floor((due - at) / HOUR_SECONDS))),
      ),
    ).map(([hours, count]) => ({ hours, count })),
    byLabel: known.map(({ id, name }) => ({
      label: name,
      marks: spreadOf(percentOf(pointsOf(people.filter(({ labels: own }) => own.has(id))))),
    })),
    notBegun: people
      .filter(({ id }) => !begun.has(id))
      .map(({ username, displayedName, role, email }) => ({
        user: { username, displayedName, role },
        email,
      })),
  }
}

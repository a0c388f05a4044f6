/** The waiting work in the courses where a person is staff; an admin's rights in other courses do not count. */
import { and, eq, inArray, isNull, sql, type Column, type SQL } from 'drizzle-orm'
import { LANGUAGES } from '#contract/languages'
import { COUNT_LIMITS } from '#contract/limits'
import { OVERVIEW_LIMITS, type Overview } from '#contract/overview'
import { STATUS } from '#contract/verdicts'
import { aliasColumns, type Db } from '../../db/client.ts'
import { isHomework } from '../../db/homework-status.ts'
import {
  courses,
  homeworkDates,
  homeworkProblems,
  homeworks,
  judgements,
  memberships,
  problems,
  submissions,
  users,
} from '../../db/schema.ts'
import type { SessionUser } from '../../db/sessions.ts'
import {
  membershipCan,
  ownMembership,
  ownStandingOf,
  selectOwnCourses,
  standingCan,
} from '../../db/standing.ts'
import { inlineNumber, scalar } from '../../db/statements.ts'
import { openQuestions } from '../../db/waiting-questions.ts'
import { itemColumns, toSubmissionItem } from '../submissions/list-queries.ts'
import { CLAIMED_SUBMISSION_SECONDS } from '../submissions/target-queries.ts'

/** The condition for the open courses that the overview is about. */
function isOverseen(user: SessionUser): SQL | undefined {
  return and(
    isNull(courses.deletedAt),
    isNull(courses.closedAt),
    sql`${courses.id} in (${selectOwnCourses(user, 'submission.readAll')})`,
  )
}

/** The number of Judge Errors in the row's course, up to a bound. Cancelled submissions do not count. */
const judgeErrors = scalar<number>(sql`select count(*) from (select 1
    from ${submissions} indexed by submissions_by_course_status
    where ${submissions.courseId} = ${courses.id} and ${submissions.status} >= 0
      and ${submissions.status} = ${inlineNumber(STATUS.JE)}
      and not exists (select 1 from ${judgements}
        where ${judgements.id} = ${submissions.judgementId} and ${judgements.state} = 'cancelled')
    limit ${COUNT_LIMITS.judgeErrors})`)

/** The courses, each with its open questions and Judge Errors. */
function selectCourses(db: Db, user: SessionUser) {
  const seesQuestions = standingCan(ownStandingOf(user), 'question.answer')
  const manages = standingCan(ownStandingOf(user), 'course.manage')
  return db
    .select({
      ...aliasColumns({ course: courses.name }),
      openQuestions:
        sql<number>`iif(${seesQuestions}, ${openQuestions(user.id, courses.id, manages)}, 0)`.as(
          'openQuestions',
        ),
      judgeErrors: judgeErrors.as('judgeErrors'),
    })
    .from(courses)
    .leftJoin(memberships, ownMembership(user))
    .where(isOverseen(user))
}

/** The condition for the students in the course of the row's homework. */
const isStudentThere = sql`${memberships.courseId} = ${homeworks.courseId} and ${membershipCan('scoreboard.appear')}`

/** The condition that the row's member has handed in to the row's homework since it opened for all. */
function hasHandedIn(opens: Column): SQL {
  // The id of a two-step submission is up to ten minutes older than its code.
  const from = sql`printf('%012x', max(0, ${opens} - ${CLAIMED_SUBMISSION_SECONDS}) * 1000)`
  return sql`exists (select 1 from ${homeworkProblems}
    join ${problems} on ${problems.id} = ${homeworkProblems.problemId} and ${problems.deletedAt} is null
    join ${submissions} on ${submissions.problemId} = ${problems.id} and ${submissions.userId} = ${memberships.userId}
    where ${homeworkProblems.homeworkId} = ${homeworks.id}
      and ${submissions.id} >= ${from} and ${submissions.acceptedAt} >= ${opens})`
}

/**
 * The homeworks that run by the dates for all and are due first, with how many students have handed in. For staff their own dates are
 * those for all.
 */
function selectHomeworks(db: Db, user: SessionUser, now: number) {
  const { homeworkId, opens, due, closes, userId, courseId } = homeworkDates
  // The homeworks are chosen before the count of who has handed in, because the count reads a row for each student and problem. The limit
  // makes SQLite work out their dates once, and not for each student.
  const dueFirst = db
    .select({ homeworkId, opens, due, closes })
    .from(homeworkDates)
    .innerJoin(courses, eq(courses.id, courseId))
    .where(and(eq(userId, user.id), isHomework('running', homeworkDates, now), isOverseen(user)))
    .orderBy(due, homeworkId)
    .limit(OVERVIEW_LIMITS.homeworks)
    .as('due_first')
  const students = sql`select count(*) from ${memberships} where ${isStudentThere}`
  return db
    .select({
      ...aliasColumns({
        id: homeworks.id,
        name: homeworks.name,
        course: courses.name,
        end: homeworks.endAt,
        due: dueFirst.due,
        close: dueFirst.closes,
      }),
      handedIn: scalar<number>(sql`${students} and ${hasHandedIn(dueFirst.opens)}`).as('handedIn'),
      students: scalar<number>(students).as('students'),
    })
    .from(dueFirst)
    .innerJoin(homeworks, eq(homeworks.id, dueFirst.homeworkId))
    .innerJoin(courses, eq(courses.id, homeworks.courseId))
}

/** The newest submissions: first those of each course and language, by an index, then the newest of all these. */
function selectNewest(db: Db, user: SessionUser) {
  const { courseId, languageType, id, status } = submissions
  const codes = JSON.stringify(LANGUAGES.map(({ code }) => code))
  const ofRange = sql`select json_group_array(id) from (select ${id} as id
      from ${submissions} indexed by submissions_by_course
      where ${courseId} = ${courses.id} and ${languageType} = language.value
        and ${status} <> ${inlineNumber(STATUS.CLAIMED)}
      order by ${id} desc limit ${OVERVIEW_LIMITS.submissions})`
  const newest = sql`select found.value from ${courses}, json_each(${codes}) language, json_each((${ofRange})) found
    where ${isOverseen(user)} order by found.value desc limit ${OVERVIEW_LIMITS.submissions}`
  return db
    .select(itemColumns())
    .from(submissions)
    .innerJoin(problems, eq(problems.id, submissions.problemId))
    .innerJoin(courses, eq(courses.id, submissions.courseId))
    .innerJoin(users, eq(users.id, submissions.userId))
    .where(inArray(submissions.id, sql`(${newest})`))
}

/** The waiting work in the courses where a person is staff, in one round trip. @param now epoch seconds */
export async function getOverview(db: Db, user: SessionUser, now: number): Promise<Overview> {
  const [overseen, due, newest] = await db.batch([
    selectCourses(db, user),
    selectHomeworks(db, user, now),
    selectNewest(db, user),
  ])
  return {
    courses: overseen.toSorted((left, right) => (left.course < right.course ? -1 : 1)),
    homeworks: due.toSorted((left, right) => left.due - right.due || (left.id < right.id ? -1 : 1)),
    submissions: newest
      .map((row) => toSubmissionItem(row, false))
      .toSorted((left, right) => (left.submissionId < right.submissionId ? 1 : -1)),
  }
}

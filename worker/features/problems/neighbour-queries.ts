/** Which homeworks a problem is in, and which problems come before and after it. */
import { and, asc, desc, eq, gt, lt, sql, type Placeholder } from 'drizzle-orm'
import type { Counts } from '#contract/homework-dates'
import type { Problem, ProblemHomework, ProblemName } from '#contract/problems'
import { aliasColumns, type Db } from '../../db/client.ts'
import { isHomework } from '../../db/homework-status.ts'
import {
  courses,
  homeworkDates,
  homeworkProblems,
  homeworks,
  memberships,
  problems,
} from '../../db/schema.ts'
import { ASKER, ownMembership, standingCan, standingOf } from '../../db/standing.ts'
import { visibleBy } from '../../db/visibility.ts'

const { opens, due, closes, graceMinutes, latePercent, excused, why, homeworkId, userId } =
  homeworkDates

/**
 * The homeworks of a problem. First come running homeworks in the order of their due times, then finished homeworks, the last due first.
 * Future homeworks come last, and only for people who see hidden problems.
 */
function selectHomeworks(db: Db, problemId: Placeholder, now: Placeholder) {
  const isRunning = isHomework('running', homeworkDates, now)
  const isOver = isHomework('over', homeworkDates, now)
  const seesAll = standingCan(standingOf(ASKER), 'problem.readHidden')
  return db
    .select({
      ...aliasColumns({
        id: homeworks.id,
        name: homeworks.name,
        start: homeworks.startAt,
        end: homeworks.endAt,
        lateRule: homeworks.lateRule,
        points: homeworkProblems.points,
        opens,
        due,
        closes,
        graceMinutes,
        latePercent,
        excused,
        why,
      }),
      counts: sql<Counts>`coalesce(${homeworks.counts}, ${courses.counts})`.as('counts'),
    })
    .from(homeworkProblems)
    .innerJoin(homeworks, eq(homeworks.id, homeworkProblems.homeworkId))
    .innerJoin(courses, eq(courses.id, homeworks.courseId))
    .innerJoin(homeworkDates, and(eq(homeworkId, homeworks.id), eq(userId, ASKER.id)))
    .leftJoin(memberships, ownMembership(ASKER))
    .where(
      and(
        eq(homeworkProblems.problemId, problemId),
        sql`(not ${isHomework('not-started', homeworkDates, now)} or ${seesAll})`,
      ),
    )
    .orderBy(
      sql`case when ${isRunning} then 0 when ${isOver} then 1 else 2 end`,
      sql`iif(${isOver}, -${due}, ${due})`,
      homeworks.id,
    )
}

type HomeworkRow = Awaited<ReturnType<typeof selectHomeworks>>[number]

/** Row → contract. */
export function toProblemHomework(row: HomeworkRow): ProblemHomework {
  const { id, name, start, end, lateRule, counts, points, ...own } = row
  return { id, name, start, end, own, lateRule, counts, points }
}

/** The names of problems, joined with the caller's membership. */
function selectNames(db: Db) {
  return db
    .select(aliasColumns({ problemId: problems.id, problemName: problems.name }))
    .from(problems)
    .innerJoin(courses, eq(courses.id, problems.courseId))
    .leftJoin(memberships, ownMembership(ASKER))
}

/** The prepared queries of a problem's homeworks and neighbours; `neighboursOf` reads their rows. */
export function prepareNeighbours(db: Db, problemId: Placeholder, now: Placeholder) {
  const isVisible = visibleBy(ASKER, now)
  const first = selectHomeworks(db, problemId, now).limit(1).as('first')
  const ofCourse = sql`${problems.courseId} = (select course_id from ${problems} here where here.id = ${problemId})`
  return {
    homeworks: selectHomeworks(db, problemId, now).prepare(),
    /** The problems of the first homework. */
    siblings: selectNames(db)
      .innerJoin(homeworkProblems, eq(homeworkProblems.problemId, problems.id))
      .where(
        and(sql`${homeworkProblems.homeworkId} = (select ${first.id} from ${first})`, isVisible),
      )
      .orderBy(asc(homeworkProblems.position))
      .prepare(),
    before: selectNames(db)
      .where(and(ofCourse, lt(problems.id, problemId), isVisible))
      .orderBy(desc(problems.id))
      .limit(1)
      .prepare(),
    after: selectNames(db)
      .where(and(ofCourse, gt(problems.id, problemId), isVisible))
      .orderBy(asc(problems.id))
      .limit(1)
      .prepare(),
  }
}

/** The problems before and after a problem: in its first homework or, if it is in none, in the course. */
export function neighboursOf(
  problemId: number,
  rows: { siblings: ProblemName[]; before: ProblemName[]; after: ProblemName[] },
): Problem['neighbours'] {
  const at = rows.siblings.findIndex((sibling) => sibling.problemId === problemId)
  return at === -1
    ? { previous: rows.before[0] ?? null, next: rows.after[0] ?? null }
    : { previous: rows.siblings[at - 1] ?? null, next: rows.siblings[at + 1] ?? null }
}

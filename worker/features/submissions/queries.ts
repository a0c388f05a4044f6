/** Reads one submission with its judgements. */
import { and, desc, eq, isNull, ne, sql, type Placeholder, type SQL } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import { can, type Standing } from '#contract/roles'
import { QUEUE_POSITION_MOST } from '#contract/limits'
import { STATUS } from '#contract/verdicts'
import { bindValues, aliasColumns, preparedOnce, type Db } from '../../db/client.ts'
import {
  courses,
  gradebookColumns,
  homeworkDates,
  homeworkProblems,
  homeworks,
  judgements,
  memberships,
  packs,
  problemResults,
  problems,
  staffPoints,
  submissionSources,
  submissions,
  subtasks,
  testDataVersions,
  users,
} from '../../db/schema.ts'
import { givenColumns } from '../../db/given-points.ts'
import { selectThroughput, type Throughput } from '../../db/queue-estimate.ts'
import type { SessionUser } from '../../db/sessions.ts'
import { isMarkShown } from '../../db/shown-marks.ts'
import { scalar } from '../../db/statements.ts'
import { ASKER, askerValues, ownMembership, standingOf, type Asker } from '../../db/standing.ts'
import { currentJudgement, shownHints } from '../mistakes/hint-queries.ts'
import { itemColumns } from './list-queries.ts'

/** The most judgements that a submission's page shows: the newest ones. */
export const HISTORY_LENGTH = 50

const queued = alias(judgements, 'queued')

/** The access to a submission: its course and the caller's standing there. */
export interface SubmissionAccess {
  submissionId: string
  courseId: number
  timeZone: string
  problemId: number
  userId: number
  standing: Standing
  isOwn: boolean
  /** Whether the problem has active test data; without them every judging ends as a Judge Error. */
  hasTestData: boolean
  judgementId: string | null
  /** The pack that has its code and judgements when it is old; null while they are in the database. */
  packId: number | null
}

/** The columns of an access; the query has to join `courses`, `problems`, and `memberships` by `ownMembership`. */
function accessColumns(user: Asker) {
  return {
    standing: standingOf(user).as('standing'),
    isOwn: sql<boolean>`${submissions.userId} = ${user.id}`.mapWith(Boolean).as('isOwn'),
    hasTestData: sql<boolean>`${problems.testDataVersion} is not null`
      .mapWith(Boolean)
      .as('hasTestData'),
    ...aliasColumns({
      submissionId: submissions.id,
      courseId: submissions.courseId,
      timeZone: courses.timeZone,
      problemId: submissions.problemId,
      userId: submissions.userId,
      judgementId: submissions.judgementId,
      packId: submissions.packId,
    }),
  }
}

/** The condition for a submission that has its code, in a live course. */
function isLive(submissionId: string | Placeholder): SQL | undefined {
  return and(
    eq(submissions.id, submissionId),
    ne(submissions.status, STATUS.CLAIMED),
    isNull(courses.deletedAt),
  )
}

/** An access, if the caller may see the submission: as its submitter or as staff. */
function ifVisible<Access extends SubmissionAccess>(
  access: Access | undefined,
): Access | undefined {
  if (!access || can(access.standing, 'submission.readAll')) return access
  return access.isOwn && can(access.standing, 'course.read') ? access : undefined
}

/** The access to a submission; undefined if the caller may not see it. */
export async function findSubmissionAccess(
  db: Db,
  user: SessionUser,
  submissionId: string,
): Promise<SubmissionAccess | undefined> {
  return ifVisible(
    await db
      .select(accessColumns(user))
      .from(submissions)
      .innerJoin(problems, eq(problems.id, submissions.problemId))
      .innerJoin(courses, eq(courses.id, submissions.courseId))
      .leftJoin(memberships, ownMembership(user))
      .where(isLive(submissionId))
      .get(),
  )
}

/**
 * A judgement's position in the queue: the number of free judgements before it, and itself. The count stops at a limit, so that a
 * long queue costs no more.
 */
const queuePosition = scalar<number>(sql`select count(*) from (
  select 1 from ${judgements} ${queued}
  where ${queued.finishedAt} is null and ${queued.leaseUntil} is null and ${judgements.state} = 'queued'
    and (${queued.priority}, ${queued.rank}, ${queued.id}) <= (${judgements.priority}, ${judgements.rank}, ${judgements.id})
  limit ${sql.raw(String(QUEUE_POSITION_MOST))})`)

/** The throughput of the judge hosts, for a judgement that waits for one. */
const throughput =
  scalar<Throughput | null>(sql`case when ${judgements.finishedAt} is null and ${judgements.state} = 'queued'
  then ${selectThroughput(sql.placeholder('now'))} end`)
    .mapWith((json: string): Throughput | null => JSON.parse(json))
    .as('throughput')

/** The submission's number among the person's tries at the problem; null if the person has more tries than the summary keeps. */
const tryNumber = sql<
  number | null
>`(select nullif(count(*), 0) from json_each(${problemResults.attempts})
  where key <= ${submissions.id})`.as('tryNumber')

/** The points that staff gave the submitter for the problem, with the homework's opening for the submitter, and whether the submitter sees their mark there. */
function selectGiven(db: Db, submissionId: Placeholder, now: Placeholder) {
  return db
    .select({
      ...givenColumns,
      isShown: sql<number>`${isMarkShown(submissions.userId, now)}`.as('isShown'),
      ...aliasColumns({
        homeworkId: homeworks.id,
        homework: homeworks.name,
        most: homeworkProblems.points,
        opens: homeworkDates.opens,
      }),
    })
    .from(submissions)
    .innerJoin(
      staffPoints,
      and(
        eq(staffPoints.userId, submissions.userId),
        eq(staffPoints.problemId, submissions.problemId),
      ),
    )
    .innerJoin(homeworks, eq(homeworks.id, staffPoints.homeworkId))
    .innerJoin(
      homeworkProblems,
      and(
        eq(homeworkProblems.homeworkId, homeworks.id),
        eq(homeworkProblems.problemId, submissions.problemId),
      ),
    )
    .innerJoin(
      homeworkDates,
      and(eq(homeworkDates.homeworkId, homeworks.id), eq(homeworkDates.userId, submissions.userId)),
    )
    .innerJoin(gradebookColumns, eq(gradebookColumns.homeworkId, homeworks.id))
    .where(eq(submissions.id, submissionId))
}

/** The queries of a submission's page, prepared once per client: no other call is as frequent. */
const pageQueries = preparedOnce((db) => {
  const submissionId = sql.placeholder('submissionId')
  return {
    items: db
      .select({
        ...accessColumns(ASKER),
        ...itemColumns(),
        tryNumber,
        hints: shownHints(ASKER.id, currentJudgement).as('hints'),
        ...aliasColumns({
          testDataVersion: problems.testDataVersion,
          code: submissionSources.code,
        }),
      })
      .from(submissions)
      .innerJoin(problems, eq(problems.id, submissions.problemId))
      .innerJoin(courses, eq(courses.id, submissions.courseId))
      .innerJoin(users, eq(users.id, submissions.userId))
      .leftJoin(memberships, ownMembership(ASKER))
      .leftJoin(
        problemResults,
        and(
          eq(problemResults.problemId, submissions.problemId),
          eq(problemResults.userId, submissions.userId),
        ),
      )
      .leftJoin(submissionSources, eq(submissionSources.submissionId, submissions.id))
      .where(isLive(submissionId))
      .prepare(),
    history: db
      .select({ judgement: judgements, position: queuePosition, throughput })
      .from(judgements)
      .where(and(eq(judgements.submissionId, submissionId), isNull(judgements.rejudgeId)))
      .orderBy(desc(judgements.id))
      .limit(HISTORY_LENGTH)
      .prepare(),
    subtasks: db
      .select({
        position: subtasks.position,
        score: subtasks.score,
        isSample: subtasks.isSample,
      })
      .from(subtasks)
      .innerJoin(submissions, eq(submissions.problemId, subtasks.problemId))
      .where(eq(submissions.id, submissionId))
      .orderBy(subtasks.position)
      .prepare(),
    given: selectGiven(db, submissionId, sql.placeholder('now')).prepare(),
  }
})

/** A submission's page, if the caller may see it; in one round trip. */
export async function getSubmission(db: Db, user: SessionUser, submissionId: string, now: number) {
  const page = pageQueries(db)
  const [items, history, subtasks, given] = await db.batch([
    bindValues(page.items, { submissionId, ...askerValues(user) }),
    bindValues(page.history, { submissionId, now }),
    bindValues(page.subtasks, { submissionId }),
    bindValues(page.given, { submissionId, now }),
  ])
  const item = ifVisible(items[0])
  if (!item) return undefined
  const isStaff = can(item.standing, 'submission.readAll')
  const shown = given.filter(({ opens, isShown }) => isStaff || (opens <= now && isShown))
  return { item, history, subtasks, given: shown }
}

/** A subtask of a submission's problem, with the test data of the judgement and the active test data. */
export interface JudgedSubtask {
  isSample: boolean | null
  judgedWith: string | null
  active: string | null
}

/**
 * Whether the submitter may see what the cases of a subtask read, printed and expected. The problem's present subtasks say which
 * are samples, so this holds only for the active test data.
 */
export function isOpenToSubmitter({ isSample, judgedWith, active }: JudgedSubtask): boolean {
  return isSample === true && active !== null && judgedWith === active
}

/** The current judgement's outputs and test data in R2, and the facts that decide who may see those of a subtask. */
export async function findOutputs(db: Db, submissionId: string, subtask: number) {
  return db
    .select({
      outputsKey: judgements.outputsKey,
      packKey: packs.objectKey,
      offset: judgements.outputsOffset,
      length: judgements.outputsBytes,
      zipKey: testDataVersions.objectKey,
      zipBytes: testDataVersions.sizeBytes,
      isSample: subtasks.isSample,
      judgedWith: judgements.testDataVersion,
      active: problems.testDataVersion,
    })
    .from(submissions)
    .innerJoin(problems, eq(problems.id, submissions.problemId))
    .innerJoin(judgements, eq(judgements.id, submissions.judgementId))
    .leftJoin(packs, eq(packs.id, judgements.outputsPackId))
    .leftJoin(testDataVersions, eq(testDataVersions.id, judgements.testDataVersion))
    .leftJoin(
      subtasks,
      and(eq(subtasks.problemId, submissions.problemId), eq(subtasks.position, subtask)),
    )
    .where(eq(submissions.id, submissionId))
    .get()
}

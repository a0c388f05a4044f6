/** Reads the last failing tries of people, by their mistakes. Staff's own tries never count. */
import { and, eq, inArray, isNotNull, sql, type SQL, type SQLWrapper } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import { rolesThatCan } from '#contract/roles'
import type { MistakeTry } from '#contract/mistakes'
import { STATUS } from '#contract/verdicts'
import { aliasColumns, rawQuery, type Db } from '../../db/client.ts'
import { userInfoColumns } from '../../db/people.ts'
import { attemptsWithin } from '../../db/problem-results.ts'
import { judgements, mergedMistakes, problemResults, submissions, users } from '../../db/schema.ts'
import { selectPeople } from '../../db/standing.ts'
import { inlineNumber } from '../../db/statements.ts'
import type { ProblemAccess } from '../problems/access-queries.ts'
import { readPacked } from '../storage/pack-queries.ts'
import type { Example } from './groups.ts'

const merged = alias(mergedMistakes, 'merged')

/** A problem and its course. */
type OfProblem = Pick<ProblemAccess, 'problemId' | 'courseId'>

/** Whether the person of a row has solved the problem. */
const isSolved = sql<boolean>`(${problemResults.statusCounts} ->> 0) > 0`.mapWith(Boolean)

/** Whether the person of a row has solved the problem after the last failing try. */
const isSolvedSince =
  sql<boolean>`exists (select 1 from json_each(${attemptsWithin(sql`${problemResults.failedId}`, sql`'g'`)}) later
    where later.key > ${problemResults.failedId} and later.value ->> 1 = ${inlineNumber(STATUS.AC)})`.mapWith(
    Boolean,
  )

/** Selects (as `id`) the people who may read everybody's submissions. */
function selectStaff(courseId: number): SQL {
  const right = 'submission.readAll'
  return sql`select id from (${selectPeople(courseId, right)})
    union all select ${users.id} from ${users} where ${users.role} in ${rolesThatCan(right)}`
}

/** The mistake that stands for another one's group: the one that it is merged into, else itself. */
export function standsFor(problemId: SQLWrapper | number, mistake: SQLWrapper | string): SQL {
  return sql`coalesce((select ${merged.into} from ${mergedMistakes} ${merged}
    where ${merged.problemId} = ${problemId} and ${merged.mistake} = ${mistake}), ${mistake})`
}

/** Selects (as `mistake`) the mistakes of the group that a mistake counts to. */
export function mistakesOfGroup(problemId: number, mistake: string): SQL {
  const stands = standsFor(problemId, mistake)
  return sql`select ${stands} as mistake union all select ${mergedMistakes.mistake} from ${mergedMistakes}
    where ${mergedMistakes.problemId} = ${problemId} and ${mergedMistakes.into} = ${stands}`
}

/** The condition on `problem_results` that a person is in the group that a mistake counts to. */
function isInGroup({ problemId, courseId }: OfProblem, mistake: string): SQL {
  return sql`(${problemResults.problemId} = ${problemId}
    and ${problemResults.mistake} in (${mistakesOfGroup(problemId, mistake)})
    and ${problemResults.userId} not in (${selectStaff(courseId)}))`
}

/** The last failing try of each person who has one, and which mistakes count to another one. */
export async function listTries(db: Db, { problemId, courseId }: OfProblem) {
  const [tries, counted, staff] = await db.batch([
    db
      .select({
        ...aliasColumns({ userId: problemResults.userId }),
        mistake: sql<string>`${problemResults.mistake}`.as('mistake'),
        submissionId: sql<string>`${problemResults.failedId}`.as('submissionId'),
        isSolved: isSolved.as('isSolved'),
        isSolvedSince: isSolvedSince.as('isSolvedSince'),
      })
      .from(problemResults)
      .where(and(eq(problemResults.problemId, problemId), isNotNull(problemResults.mistake))),
    db
      .select({ mistake: mergedMistakes.mistake, into: mergedMistakes.into })
      .from(mergedMistakes)
      .where(eq(mergedMistakes.problemId, problemId)),
    rawQuery<{ id: number }>(db, selectStaff(courseId)),
  ])
  // In the statement this would cost another row for each person.
  const ids = new Set(staff.map(({ id }) => id))
  return { tries: tries.filter(({ userId }) => !ids.has(userId)), merged: counted }
}

/** How submissions went, by id; old ones are read from their packs. */
export async function listExamples(
  db: Db,
  bucket: R2Bucket,
  ids: readonly string[],
): Promise<Map<string, Example>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .select({
      id: submissions.id,
      status: submissions.status,
      packId: submissions.packId,
      judgementId: submissions.judgementId,
      judged: { subtasks: judgements.subtasks, compileMessage: judgements.compileMessage },
    })
    .from(submissions)
    .leftJoin(judgements, eq(judgements.id, submissions.judgementId))
    .where(inArray(submissions.id, [...ids]))
  const old = rows.filter(({ packId }) => packId !== null).map(({ id }) => id)
  const packed = await readPacked(bucket, db, old)
  return new Map(
    rows.map(({ id, status, judgementId, judged }) => {
      const found = packed.get(id)?.judgements.find((judgement) => judgement.id === judgementId)
      return [id, { status, judged: found ?? judged }]
    }),
  )
}

/** The people of a group, those who have not solved the problem first, then by username. */
export async function listPeople(
  db: Db,
  problem: OfProblem,
  mistake: string,
): Promise<MistakeTry[]> {
  const rows = await db
    .select({
      user: userInfoColumns(users),
      key: users.usernameKey,
      submissionId: sql<string>`${problemResults.failedId}`,
      isSolved,
    })
    .from(problemResults)
    .innerJoin(users, eq(users.id, problemResults.userId))
    .where(isInGroup(problem, mistake))
  return rows
    .toSorted(
      (left, right) =>
        Number(left.isSolved) - Number(right.isSolved) || (left.key < right.key ? -1 : 1),
    )
    .map(({ user, submissionId, isSolved: solved }) => ({ user, submissionId, isSolved: solved }))
}

/** Whom a comment on a group is for: the people of the group who have not solved the problem. */
export function commentedOf(problem: OfProblem, mistake: string) {
  const { problemId } = problem
  const group = sql`from ${problemResults} where ${isInGroup(problem, mistake)}`
  return {
    tries: sql`select ${problemResults.userId} as user_id, ${problemResults.failedId} as submission_id
      ${group} and not ${isSolved}`,
    demanded: ['mistake_not_found', sql`exists (select 1 ${group})`],
    isMeant: sql`${judgements.mistake} in (${mistakesOfGroup(problemId, mistake)})`,
  } as const
}

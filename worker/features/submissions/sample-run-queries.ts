/** A person's sample run: a judgement and a row of `sampleRuns`. The person's next run replaces both rows. */
import { and, eq, isNull, lt, sql, type SQL } from 'drizzle-orm'
import type { LanguageCode } from '#contract/languages/codes'
import type { RunInputs } from '#contract/judging'
import { JUDGING, RUNS } from '#contract/limits'
import type { Db } from '../../db/client.ts'
import { takeToken, wasAllowed, type RateAnswer } from '../../db/rate-limits.ts'
import {
  courses,
  judgements,
  memberships,
  PRIORITY,
  problems,
  sampleRuns,
} from '../../db/schema.ts'
import type { SessionUser } from '../../db/sessions.ts'
import { ownMembership, standingOf } from '../../db/standing.ts'
import { insertSelect } from '../../db/statements.ts'
import { visibleBy } from '../../db/visibility.ts'
import { hexIdAt } from '../../lib/ids.ts'

/** A problem for which a person may run programs. */
export type RunTarget = NonNullable<Awaited<ReturnType<typeof findRunTarget>>>

/** The problem if the user sees it, with their standing in its course. */
export async function findRunTarget(db: Db, user: SessionUser, problemId: number, now: number) {
  const standing = standingOf(user)
  return db
    .select({
      standing: standing.as('standing'),
      problemId: problems.id,
      allowedLanguage: problems.allowedLanguage,
      compare: problems.compare,
      description: problems.description,
    })
    .from(problems)
    .innerJoin(courses, eq(courses.id, problems.courseId))
    .leftJoin(memberships, ownMembership(user))
    .where(and(eq(problems.id, problemId), isNull(courses.deletedAt), visibleBy(user, now)))
    .get()
}

/** A new run. `sampleCount`: how many of its inputs, the first ones, are samples. */
interface NewRun {
  id: string
  userId: number
  problemId: number
  languageType: LanguageCode
  sampleCount: number
  code: Uint8Array
  inputs: RunInputs['inputs']
}

/**
 * Queues a run in place of the person's last one. If the last one is the very same run and still waits or is judged, it stays.
 * So a key that is pressed twice makes one run and takes one token of the person's limit.
 * @param now epoch seconds
 * @returns the answer of that limit, and the id of the person's present run
 */
export async function insertRun(
  db: Db,
  { id, userId, problemId, languageType, sampleCount, code, inputs }: NewRun,
  now: number,
): Promise<{ rate: RateAnswer[]; runId: string | undefined }> {
  const key = `run:user:${userId}`
  const same = db
    .select({ id: sampleRuns.id })
    .from(sampleRuns)
    .innerJoin(judgements, eq(judgements.id, sampleRuns.id))
    .where(
      and(
        eq(sampleRuns.userId, userId),
        isNull(judgements.finishedAt),
        lt(judgements.attempt, JUDGING.maxAttempts),
        eq(sampleRuns.problemId, problemId),
        eq(sampleRuns.languageType, languageType),
        sql`${sampleRuns.code} = ${code}`,
        eq(sampleRuns.inputs, inputs),
      ),
    )
  const isNew = sql`not exists ${same}`
  const [rate, , , , [run]] = await db.batch([
    takeToken(db, key, RUNS.rate, Date.now(), isNew),
    db.delete(judgements).where(sql`${isRunOf(userId)} and ${isNew} and ${wasAllowed(key)}`),
    insertSelect(
      db,
      judgements,
      {
        id,
        userId,
        state: 'queued',
        priority: PRIORITY.run,
        rank: 0,
        queuedAt: now,
        ticketAt: now,
        phase: 'queued',
        casesTotal: inputs.length,
      },
      sql`where ${isNew} and ${wasAllowed(key)}`,
    ),
    insertSelect(
      db,
      sampleRuns,
      { id, userId, problemId, languageType, sampleCount, code: sql`${code}`, inputs },
      sql`where exists (select 1 from ${judgements} where ${judgements.id} = ${id})`,
    ),
    db.select({ id: sampleRuns.id }).from(sampleRuns).where(eq(sampleRuns.userId, userId)),
  ])
  return { rate, runId: run?.id }
}

/** The condition for the judgement of a person's run, with which the run is deleted. */
export function isRunOf(userId: number): SQL {
  return sql`${judgements.id} = (select ${sampleRuns.id} from ${sampleRuns} where ${sampleRuns.userId} = ${userId})`
}

/** A run, if it is the person's own. */
export async function getRun(db: Db, userId: number, id: string) {
  return db
    .select({
      id: sampleRuns.id,
      problemId: sampleRuns.problemId,
      attempt: judgements.attempt,
      state: judgements.state,
      leaseUntil: judgements.leaseUntil,
      finishedAt: judgements.finishedAt,
      result: sampleRuns.result,
    })
    .from(sampleRuns)
    .innerJoin(judgements, eq(judgements.id, sampleRuns.id))
    .where(and(eq(sampleRuns.id, id), eq(sampleRuns.userId, userId)))
    .get()
}

/** Deletes runs that are older than an hour. Ids begin with the time at which they were made. */
export async function deleteOldRuns(db: Db, now: number): Promise<void> {
  const { id, submissionId } = judgements
  await db
    .delete(judgements)
    .where(and(isNull(submissionId), lt(id, hexIdAt((now - RUNS.seconds) * 1000))))
}

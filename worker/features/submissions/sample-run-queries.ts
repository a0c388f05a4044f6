/** A person's sample run: one row, which the next run replaces. */
import { and, eq, isNull, lt, sql } from 'drizzle-orm'
import type { LanguageCode } from '#contract/languages'
import type { RunInputs } from '#contract/judging'
import { JUDGING, RUNS } from '#contract/limits'
import type { Db } from '../../db/client.ts'
import { takeToken, wasAllowed, type RateAnswer } from '../../db/rate-limits.ts'
import { courses, memberships, problems, sampleRuns } from '../../db/schema.ts'
import type { SessionUser } from '../../db/sessions.ts'
import { ownMembership, standingOf } from '../../db/standing.ts'
import { excluded, insertSelect, onConflictUpdate } from '../../db/statements.ts'
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
    .where(and(eq(problems.id, problemId), isNull(courses.deletedAt), visibleBy(standing, now)))
    .get()
}

/** A new run. */
interface NewRun {
  id: string
  userId: number
  problemId: number
  languageType: LanguageCode
  code: Uint8Array
  inputs: RunInputs['inputs']
}

/**
 * Stores a run in place of the person's last one. While the very same waits or runs, it stays: a key pressed
 * twice makes one run, and takes one token of the person's limit.
 * @returns the answer of that limit, and the id of the run that is there now
 */
export async function insertRun(
  db: Db,
  { id, userId, problemId, languageType, code, inputs }: NewRun,
): Promise<{ rate: RateAnswer[]; runId: string | undefined }> {
  const key = `run:user:${userId}`
  const same = db
    .select({ id: sampleRuns.id })
    .from(sampleRuns)
    .where(
      and(
        eq(sampleRuns.userId, userId),
        isNull(sampleRuns.finishedAt),
        lt(sampleRuns.attempt, JUDGING.maxAttempts),
        eq(sampleRuns.problemId, problemId),
        eq(sampleRuns.languageType, languageType),
        sql`${sampleRuns.code} = ${code}`,
        eq(sampleRuns.inputs, inputs),
      ),
    )
  const isNew = sql`not exists ${same}`
  const fresh = { attempt: 0, lease: null, leaseUntil: null, runnerId: null, avoidUntil: 0 }
  const [rate, , [run]] = await db.batch([
    takeToken(db, key, RUNS.rate, Date.now(), isNew),
    insertSelect(
      db,
      sampleRuns,
      { id, userId, problemId, languageType, code: sql`${code}`, inputs },
      sql`where ${isNew} and ${wasAllowed(key)}
        ${onConflictUpdate(sampleRuns, [sampleRuns.userId], {
          id: excluded(sampleRuns.id),
          problemId: excluded(sampleRuns.problemId),
          languageType: excluded(sampleRuns.languageType),
          code: excluded(sampleRuns.code),
          inputs: excluded(sampleRuns.inputs),
          ...fresh,
          timeLimitMs: null,
          finishedAt: null,
          result: null,
        })}`,
    ),
    db.select({ id: sampleRuns.id }).from(sampleRuns).where(eq(sampleRuns.userId, userId)),
  ])
  return { rate, runId: run?.id }
}

/** A run of the person's own. */
export async function getRun(db: Db, userId: number, id: string) {
  return db
    .select({
      id: sampleRuns.id,
      problemId: sampleRuns.problemId,
      attempt: sampleRuns.attempt,
      leaseUntil: sampleRuns.leaseUntil,
      finishedAt: sampleRuns.finishedAt,
      result: sampleRuns.result,
    })
    .from(sampleRuns)
    .where(and(eq(sampleRuns.id, id), eq(sampleRuns.userId, userId)))
    .get()
}

/** Deletes runs whose hour is over. Ids begin with the time of their making. */
export async function deleteOldRuns(db: Db, now: number): Promise<void> {
  await db.delete(sampleRuns).where(lt(sampleRuns.id, hexIdAt((now - RUNS.seconds) * 1000)))
}

/**
 * Keeps the table `problem_results`: what each person has reached on each problem, as the sum of their submissions' contributions.
 * A change first subtracts what its submissions contributed, then adds what they contribute now, in one transaction. So a change
 * costs the same for any number of submissions, and repeating it changes nothing. The two changes that every submission makes, its
 * arrival and its verdict, take one statement each.
 */
import { and, eq, sql, type SQL } from 'drizzle-orm'
import type { BatchItem } from 'drizzle-orm/batch'
import { alias, type SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { STATUS, type Verdict } from '#contract/verdicts'
import type { Db } from './client.ts'
import { judgements, problemResults, submissions } from './schema.ts'
import { columnName, excluded, insertSelect, inlineNumber, onConflictUpdate } from './statements.ts'

/**
 * Submissions of one person to one problem. `kept`: the most that the summary row holds, because each change writes the whole row.
 * `read`: for people with more submissions, homeworks and scoreboards read only this many of the newest in their time window;
 * nobody makes so many by hand.
 */
export const ATTEMPTS = { kept: 50, read: 1_000 } as const

/** A row as it was before the statement that writes it. */
const before = alias(problemResults, 'before')

/** The current judgement of a submission that failed. */
const failing = alias(judgements, 'failing')

/** The best submission so far, compared with one that may be better. */
const rival = alias(submissions, 'rival')

const STATUSES = Array.from({ length: 8 }, (_, status) => status)

/**
 * Submissions with a score: judged, and not ended by a Judge Error. The condition is written as in the index on scores, so that
 * SQLite uses the index.
 */
const isScored = sql`${submissions.status} >= 0 and ${submissions.status} <> ${inlineNumber(STATUS.JE)}`

/** Submissions that failed through their program. */
const isFailed = sql`${submissions.status} > ${inlineNumber(STATUS.AC)} and ${submissions.status} <> ${inlineNumber(STATUS.JE)}`

/** Submissions whose code has come. */
const isAccepted = sql`${submissions.status} <> ${inlineNumber(STATUS.CLAIMED)}`

/** A submission for homeworks and scoreboards with a time window, as a key and its value. */
const attempt = sql`${submissions.id}, json_array(${submissions.acceptedAt}, ${submissions.status}, ${submissions.score})`

/**
 * What the named submissions contribute, by person and problem. Submissions without code contribute nothing. `failed_id` and
 * `mistake`: the newest of them that failed with a known mistake; SQLite takes `mistake` from the row with the maximum. `has_failed`:
 * the summary names one of them as the newest that failed.
 */
function selectContributions(submissionIds: SQL): SQL {
  const counts = STATUSES.map((status) => sql`sum(${submissions.status} = ${inlineNumber(status)})`)
  return sql`(select ${submissions.problemId}, ${submissions.userId}, count(*) as tries,
      count(iif(${isScored}, 1, null)) as scored,
      coalesce(sum(iif(${isScored}, ${submissions.score}, 0)), 0) as score_sum,
      json_array(${sql.join(counts, sql`, `)}) as status_counts,
      sum(${submissions.quotaUsed} = 1 and ${submissions.acceptedAt} >= coalesce(${before.quotaSince}, 0)) as quota_uses,
      json_group_object(${attempt}) as attempts,
      max(iif(${failing.mistake} is null, null, ${submissions.id})) as failed_id, ${failing.mistake} as mistake,
      total(${submissions.id} = ${before.failedId}) as has_failed
    from ${submissions} left join ${problemResults} ${before}
      on ${before.problemId} = ${submissions.problemId} and ${before.userId} = ${submissions.userId}
    left join ${judgements} ${failing} on ${failing.id} = iif(${isFailed}, ${submissions.judgementId}, null)
    where ${submissions.id} in (${submissionIds}) and ${isAccepted}
    group by ${submissions.problemId}, ${submissions.userId})`
}

/** The counts by status of a summary, plus or minus other counts. */
function changedCounts(sign: '+' | '-', others: SQL): SQL {
  const own = problemResults.statusCounts
  const sums = STATUSES.map(
    (status) =>
      sql`(${own} ->> ${inlineNumber(status)}) ${sql.raw(sign)} (${others} ->> ${inlineNumber(status)})`,
  )
  return sql`json_array(${sql.join(sums, sql`, `)})`
}

/** The first row of an index for the person and problem of `c`. @param condition the `where` of that partial index */
function pickFromIndex(index: string, column: SQLiteColumn, condition: SQL, order: SQL): SQL {
  return sql`(select ${column} from ${submissions} indexed by ${sql.identifier(index)}
    where ${submissions.userId} = c.user_id and ${submissions.problemId} = c.problem_id
      and ${condition} order by ${order} limit 1)`
}

/** The accepted submission with the smallest value in a column. */
function bestBy(index: string, column: SQLiteColumn): SQL {
  const condition = sql`${submissions.status} = ${inlineNumber(STATUS.AC)} and ${column} is not null`
  return pickFromIndex(index, submissions.id, condition, sql`${column}, ${submissions.id}`)
}

/** A value of the newest submission that failed with a known mistake, apart from these. Packs are not read. */
function newestFailedExcept(submissionIds: SQL, column: SQLiteColumn): SQL {
  return sql`(select ${column} from ${submissions} indexed by submissions_user_problem
      cross join ${judgements} ${failing} on ${failing.id} = ${submissions.judgementId}
    where ${submissions.userId} = c.user_id and ${submissions.problemId} = c.problem_id and ${isFailed}
      and ${failing.mistake} is not null and ${submissions.id} not in (${submissionIds})
    order by ${submissions.id} desc limit 1)`
}

/** The condition that no failed submission of the summary is newer than this one; ids grow with time. */
function isNewerFailed(submissionId: SQL | SQLiteColumn): SQL {
  return sql`${submissionId} >= coalesce(${problemResults.failedId}, '')`
}

function subtractContributions(db: Db, submissionIds: SQL) {
  const { problemId, userId, tries, scored, scoreSum, quotaUses } = problemResults
  const { failedId, mistake } = problemResults
  const withoutThese = (column: SQLiteColumn, other: SQLiteColumn) =>
    sql`iif(c.has_failed, ${newestFailedExcept(submissionIds, other)}, ${column})`
  return db
    .update(problemResults)
    .set({
      tries: sql`${tries} - c.tries`,
      scored: sql`${scored} - c.scored`,
      scoreSum: sql`${scoreSum} - c.score_sum`,
      quotaUses: sql`${quotaUses} - c.quota_uses`,
      statusCounts: changedCounts('-', sql`c.status_counts`),
      failedId: withoutThese(failedId, submissions.id),
      mistake: withoutThese(mistake, failing.mistake),
    })
    .from(sql`${selectContributions(submissionIds)} c`)
    .where(sql`${problemId} = c.problem_id and ${userId} = c.user_id`)
}

/** The quota's day: its start in epoch seconds, and a select that counts its uses. */
interface QuotaDay {
  start: number
  uses: SQL
}

const NO_DAY: QuotaDay = { start: 0, uses: sql`0` }

/**
 * The statement that adds what submissions contribute, for a batch. New submissions must be stored before this statement.
 * @param submissionIds one id, or a select of ids
 * @param quotaDay for a submission that a quota counts
 */
export function addContributions(db: Db, submissionIds: SQL, { start, uses }: QuotaDay = NO_DAY) {
  const { tries, scored, scoreSum, quotaSince, quotaUses, attempts } = problemResults
  const { failedId, mistake } = problemResults
  // Uses are counted anew with the first submission of a day, and when the course's time zone has changed.
  const isCounted = sql`${start} in (0, ${quotaSince})`
  const kept = inlineNumber(ATTEMPTS.kept)
  const summed = (column: SQLiteColumn) => sql`${column} + ${excluded(column)}`
  const newer = (column: SQLiteColumn) =>
    sql`iif(${isNewerFailed(excluded(failedId))}, ${excluded(column)}, ${column})`
  return insertSelect(
    db,
    problemResults,
    {
      problemId: sql`c.problem_id`,
      userId: sql`c.user_id`,
      tries: sql`c.tries`,
      scored: sql`c.scored`,
      scoreSum: sql`c.score_sum`,
      bestScore: pickFromIndex(
        'submissions_score',
        submissions.score,
        isScored,
        sql`${submissions.score} desc`,
      ),
      worstScore: pickFromIndex(
        'submissions_score',
        submissions.score,
        isScored,
        sql`${submissions.score}`,
      ),
      statusCounts: sql`c.status_counts`,
      quotaSince: start,
      quotaUses: sql`c.quota_uses`,
      fastestId: bestBy('submissions_fastest', submissions.runTimeMs),
      leanestId: bestBy('submissions_leanest', submissions.memoryKb),
      failedId: sql`c.failed_id`,
      mistake: sql`c.mistake`,
      attempts: sql`iif(c.tries > ${kept}, '{}', c.attempts)`,
    },
    sql`from ${selectContributions(submissionIds)} c where true
    ${onConflictUpdate(problemResults, [problemResults.problemId, problemResults.userId], {
      tries: summed(tries),
      scored: summed(scored),
      scoreSum: summed(scoreSum),
      bestScore: excluded(problemResults.bestScore),
      worstScore: excluded(problemResults.worstScore),
      statusCounts: changedCounts('+', excluded(problemResults.statusCounts)),
      quotaSince: sql`iif(${isCounted}, ${quotaSince}, ${start})`,
      quotaUses: sql`iif(${isCounted}, ${summed(quotaUses)}, ${uses})`,
      fastestId: excluded(problemResults.fastestId),
      leanestId: excluded(problemResults.leanestId),
      failedId: newer(failedId),
      mistake: newer(mistake),
      attempts: sql`iif(${summed(tries)} > ${kept}, '{}', json_patch(${attempts}, ${excluded(attempts)}))`,
    })}`,
  )
}

/**
 * Wraps a change of submissions into the two statements that keep the summary in step, for a batch. It wraps every change of a
 * submission's existence, status, score, run time, memory or quota use, except a new submission (`addContributions`) and a
 * verdict that a submission waits for (`addVerdict`).
 * @param submissionIds one id, or a select that gives the same ids before and after the change
 * @param quotaDay for a submission that a quota counts
 */
export function keepingResults<const Changes extends readonly BatchItem<'sqlite'>[]>(
  db: Db,
  submissionIds: SQL,
  changes: Changes,
  quotaDay = NO_DAY,
) {
  return [
    subtractContributions(db, submissionIds),
    ...changes,
    addContributions(db, submissionIds, quotaDay),
  ] as const
}

interface Judged {
  status: Verdict
  score: number
  runTimeMs: number | null
  memoryKb: number | null
  mistake: string | null
}

/** The better of the best submission so far and the one with this verdict: the smaller value wins, in a tie the older submission. */
function betterBy(key: 'runTimeMs' | 'memoryKb', best: SQLiteColumn, judged: Judged): SQL {
  const value = judged[key]
  if (judged.status !== STATUS.AC || value === null) return sql`${best}`
  return sql`iif(exists (select 1 from ${submissions} ${rival} where ${rival.id} = ${best}
    and (${rival[key]}, ${rival.id}) < (${value}, ${submissions.id})), ${best}, ${submissions.id})`
}

/**
 * The statement that adds the verdict that a submission waits for; it stands in a batch before the verdict is stored. It costs
 * half as much as subtracting the old contribution and adding the new one.
 * @param isMeant the condition on `judgements` that finds the judgement with the verdict, and only until the verdict is stored
 * @param judged `mistake`: null unless the program failed and its mistake is known
 */
export function addVerdict(db: Db, isMeant: SQL | undefined, judged: Judged) {
  const { status, score } = judged
  const { tries, scored, scoreSum, bestScore, worstScore, statusCounts, attempts } = problemResults
  const { quotaSince, quotaUses, fastestId, leanestId, failedId, mistake } = problemResults
  const isNoFault = status === STATUS.JE
  const newer = (value: SQL, column: SQLiteColumn) =>
    sql`iif(${isNewerFailed(submissions.id)}, ${value}, ${column})`
  const isCounted = sql`${submissions.quotaUsed} = 1 and ${submissions.acceptedAt} >= coalesce(${quotaSince}, 0)`
  const path = sql`'$."' || ${submissions.id} || '"'`
  // D1 binds a number as a float, which the JSON would show.
  const attemptNow = sql`json_array(${submissions.acceptedAt}, ${inlineNumber(status)}, cast(${score} as integer))`
  const nth = `$[${status}]`
  return db
    .update(problemResults)
    .set({
      ...(isNoFault
        ? { quotaUses: sql`${quotaUses} - (${isCounted})` }
        : {
            scored: sql`${scored} + 1`,
            scoreSum: sql`${scoreSum} + ${score}`,
            bestScore: sql`max(coalesce(${bestScore}, ${score}), ${score})`,
            worstScore: sql`min(coalesce(${worstScore}, ${score}), ${score})`,
          }),
      statusCounts: sql`json_set(${statusCounts}, ${nth}, (${statusCounts} ->> ${nth}) + 1)`,
      fastestId: betterBy('runTimeMs', fastestId, judged),
      leanestId: betterBy('memoryKb', leanestId, judged),
      ...(judged.mistake !== null && {
        failedId: newer(sql`${submissions.id}`, failedId),
        mistake: newer(sql`${judged.mistake}`, mistake),
      }),
      attempts: sql`iif(${tries} > ${inlineNumber(ATTEMPTS.kept)}, '{}', json_set(${attempts}, ${path}, ${attemptNow}))`,
    })
    .from(judgements)
    .innerJoin(submissions, eq(submissions.id, judgements.submissionId))
    .where(
      and(
        isMeant,
        eq(submissions.judgementId, judgements.id),
        eq(problemResults.problemId, submissions.problemId),
        eq(problemResults.userId, submissions.userId),
      ),
    )
}

/**
 * The attempts of the present row of `problem_results`, as JSON of `Attempts`: all of them up to `ATTEMPTS.kept`, else the newest
 * of a time window, read from `submissions`.
 * @param from lower bound of the window's ids, included
 * @param until upper bound of the window's ids, not included
 */
export function attemptsWithin(from: SQL, until: SQL): SQL<string> {
  const { id, acceptedAt, status, score, userId, problemId } = submissions
  return sql<string>`iif(${problemResults.tries} <= ${inlineNumber(ATTEMPTS.kept)}, ${problemResults.attempts},
    (select json_group_object(${columnName(id)}, json_array(${columnName(acceptedAt)}, ${columnName(status)}, ${columnName(score)}))
      from (select ${id}, ${acceptedAt}, ${status}, ${score}
      from ${submissions} where ${userId} = ${problemResults.userId} and ${problemId} = ${problemResults.problemId}
        and ${id} >= ${from} and ${id} < ${until} and ${isAccepted}
      order by ${id} desc limit ${inlineNumber(ATTEMPTS.read)})))`
}

/** Jobs that no host finishes: they get new tickets, and a Judge Error after the last attempt. */
import { and, eq, gte, inArray, isNull, lt, or, sql } from 'drizzle-orm'
import { JUDGING } from '#contract/limits'
import { STATUS } from '#contract/verdicts'
import type { Db } from '../../../db/client.ts'
import { keepingResults } from '../../../db/problem-results.ts'
import { judgements, submissions } from '../../../db/schema.ts'
import { forgetHandBacks } from './hand-back-queries.ts'

/**
 * Ends jobs whose attempts are used up: Judge Error with a reason for staff, quota returned. Only the attempts in D1 decide which.
 * @param ids the jobs to look at; undefined: all, for the sweeper
 * @returns the submissions that got their verdict by this, and their authors
 */
export async function failExhausted(
  db: Db,
  now: number,
  ids?: string[],
): Promise<{ id: string; userId: number }[]> {
  const lastWords = `Given up after ${JUDGING.maxAttempts} attempts: no runner brought this submission to an end.`
  const { id, submissionId } = judgements
  const justFailed = sql`${judgements.state} = 'failed' and ${judgements.finishedAt} = ${now}`
  const [, , ended] = await db.batch([
    db
      .update(judgements)
      .set({
        state: 'failed',
        status: STATUS.JE,
        finishedAt: now,
        leaseUntil: null,
        lease: null,
        reason: sql`coalesce(${lastWords} || ' Last: ' || ${judgements.reason}, ${lastWords})`,
      })
      .where(
        and(
          ids && inArray(judgements.id, ids),
          isNull(judgements.finishedAt),
          gte(judgements.attempt, JUDGING.maxAttempts),
          or(isNull(judgements.leaseUntil), lt(judgements.leaseUntil, now)),
        ),
      ),
    ...keepingResults(db, sql`select ${submissionId} from ${judgements} where ${justFailed}`, [
      db
        .update(submissions)
        .set({ status: STATUS.JE, score: 0, runTimeMs: null, memoryKb: null, quotaUsed: 0 })
        .where(
          and(
            eq(submissions.status, STATUS.PENDING),
            sql`${submissions.id} in (select ${submissionId} from ${judgements} where ${justFailed})`,
            sql`${submissions.judgementId} in (select ${id} from ${judgements} where ${justFailed})`,
          ),
        )
        .returning({ id: submissions.id, userId: submissions.userId }),
    ]),
    forgetHandBacks(db, sql`select ${id} from ${judgements} where ${justFailed}`),
  ])
  return ended
}

/** Notes a new ticket for open jobs without a lease whose last ticket is old. @returns their ids */
export async function takeStaleTickets(db: Db, now: number): Promise<string[]> {
  const { id, finishedAt, ticketAt, leaseUntil } = judgements
  const rows = await db
    .update(judgements)
    .set({ ticketAt: now })
    .where(
      sql`${id} in (select ${id} from ${judgements} where ${finishedAt} is null
        and ${ticketAt} < ${now - JUDGING.ticketAgeSeconds} and (${leaseUntil} is null or ${leaseUntil} < ${now})
        order by ${ticketAt} limit 100)`,
    )
    .returning({ id })
  return rows.map((row) => row.id)
}

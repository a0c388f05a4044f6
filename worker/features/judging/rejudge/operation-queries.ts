/** The operation of a bulk rejudge in the database: its payload, who may see it, its progress, and how it is cancelled or applied. */
import { and, eq, getTableColumns, isNull, sql, type SQL } from 'drizzle-orm'
import * as z from 'zod'
import { hexId, problemId } from '#contract/fields'
import type { RejudgeProgress, RejudgeResult } from '#contract/judging/rejudges'
import { can } from '#contract/roles'
import { verdict } from '#contract/verdicts'
import { insertAudit } from '../../../db/audit.ts'
import { rawQuery, type Db } from '../../../db/client.ts'
import { demand } from '../../../db/demand.ts'
import { courses, memberships, operations, problems } from '../../../db/schema.ts'
import type { SessionUser } from '../../../db/sessions.ts'
import { ownMembership, selectOwnCourses, standingOf } from '../../../db/standing.ts'
import type { Change } from '../../../http/change.ts'
import { AppError } from '../../../http/errors.ts'
import { secondsOfId } from '../../../lib/ids.ts'
import { begunAnew, ended, type OperationRow } from '../../operations/queries.ts'
import { deleteLeft, getJudging, getOutcome } from './outcome-queries.ts'
import { countEarlier, isAnyUnchanged } from './target-queries.ts'

/** How long after its start a rejudge can be applied by hand. Its outputs must be kept longer: `SWEEP.markedSeconds`. */
export const APPLY_SECONDS = 2 * 86_400

/** The result of a rejudge that ended without being applied. */
export const CANCELLED: RejudgeResult = { cancelled: true }

/**
 * The operation's payload: which submissions, the position in their list, and the counts so far. `courseId`: the course whose
 * staff may see it; null for several courses.
 */
export const rejudgePayload = z.object({
  courseId: z.int().nullable(),
  problemIds: z.array(problemId),
  statuses: z.array(verdict).nullable(),
  since: z.int(),
  earlierOnly: z.boolean(),
  apply: z.boolean(),
  phase: z.enum(['queue', 'judge', 'ready', 'apply']),
  after: z.object({ problemId, judgementId: hexId }).nullable(),
  lostCount: z.int(),
  changedCount: z.int(),
  keptCount: z.int(),
  outdatedCount: z.int(),
})
export type RejudgePayload = z.infer<typeof rejudgePayload>

/** An operation, and the caller's standing in the course of a bulk rejudge. For several courses the caller counts as an outsider. */
async function findOperation(db: Db, user: SessionUser, id: string) {
  return db
    .select({ operation: getTableColumns(operations), standing: standingOf(user) })
    .from(operations)
    .leftJoin(
      courses,
      and(sql`${courses.id} = ${operations.payload} ->> 'courseId'`, isNull(courses.deletedAt)),
    )
    .leftJoin(memberships, ownMembership(user))
    .where(eq(operations.id, id))
    .get()
}

/** The progress of an unfinished rejudge for GET /jobs/{jobId}, and how many submissions are done. */
export async function readProgress(
  db: Db,
  { id, done, total, payload: carried }: OperationRow,
): Promise<{ done: number; rejudge: RejudgeProgress }> {
  const { phase, apply, lostCount } = rejudgePayload.parse(carried)
  const { openCount, isLive, counts } =
    phase === 'ready'
      ? await getOutcome(db, id)
      : { ...(await getJudging(db, id)), counts: undefined }
  const isJudging = phase === 'queue' || phase === 'judge'
  return {
    done: isJudging ? Math.max(0, done - openCount) : done,
    rejudge: {
      // A rejudge without submissions is not outdated, because it has no problem that could change.
      phase:
        !isLive && total > 0
          ? 'outdated'
          : isJudging
            ? 'judging'
            : phase === 'ready'
              ? 'ready'
              : 'applying',
      expiresAt: apply ? null : secondsOfId(id) + APPLY_SECONDS,
      ...((isLive && counts) || { changedCount: null, keptCount: null }),
      lostCount,
    },
  }
}

/** Whether a person is staff of all courses of a rejudge. A finished rejudge names no course. */
async function isStaffOfAll(db: Db, user: SessionUser, rejudgeId: string): Promise<boolean> {
  const others = await rawQuery(
    db,
    sql`select 1 from ${operations} join json_each(${operations.payload}, '$.problemIds') p
        join ${problems} on ${problems.id} = p.value
      where ${operations.id} = ${rejudgeId}
        and ${problems.courseId} not in (${selectOwnCourses(user, 'submission.rejudge')}) limit 1`,
  )
  return others.length === 0
}

/**
 * A rejudge that the caller may decide about. Staff of its course may decide. If the rejudge is finished or covers several courses,
 * the person who began it may decide, while they are staff of all its courses.
 * @throws AppError `job_not_found` or `forbidden`
 */
async function demandDecidable(
  db: Db,
  found: Awaited<ReturnType<typeof findOperation>>,
  user: SessionUser,
): Promise<OperationRow> {
  if (found?.operation.kind !== 'rejudge') throw new AppError('job_not_found')
  const { operation, standing } = found
  const isOfCourse = rejudgePayload.safeParse(operation.payload).data?.courseId != null
  if (can(standing, 'submission.rejudge')) return operation
  const isOwn = !isOfCourse && operation.ownerId === user.id
  if (isOwn && (await isStaffOfAll(db, user, operation.id))) return operation
  throw new AppError(can(standing, 'course.read') ? 'forbidden' : 'job_not_found')
}

/** A rejudge that the caller may decide about. @throws AppError `job_not_found` or `forbidden` */
export async function demandRejudge(db: Db, user: SessionUser, id: string): Promise<OperationRow> {
  return demandDecidable(db, await findOperation(db, user, id), user)
}

/**
 * An operation that the caller may look at: their own, or a rejudge that they may decide about.
 * @throws AppError `job_not_found` or `forbidden`
 */
export async function demandOperation(
  db: Db,
  user: SessionUser,
  id: string,
): Promise<OperationRow> {
  const found = await findOperation(db, user, id)
  return found?.operation.ownerId === user.id ? found.operation : demandDecidable(db, found, user)
}

const phase = sql`${operations.payload} ->> 'phase'`

/** The condition that a rejudge may be cancelled. */
const isCancellable = sql`(${operations.kind} = 'rejudge' and ${operations.finishedAt} is null and ${phase} <> 'apply')`

/** The statement that ends rejudges without applying them. @param which the condition on `operations` */
function endRejudges(db: Db, which: SQL, now: number) {
  return db
    .update(operations)
    .set({ state: 'done', result: CANCELLED, ...ended(now) })
    .where(and(which, isCancellable))
}

/**
 * The statements that make a rejudge the present one of its problem. An earlier rejudge that is to be applied by hand is
 * cancelled; an earlier one that applies itself goes on.
 */
export function takePlace(db: Db, problemId: number, rejudgeId: string, now: number) {
  const before = sql`(select ${problems.rejudgeId} from ${problems} where ${problems.id} = ${problemId})`
  return [
    endRejudges(
      db,
      sql`${operations.id} = ${before} and not (${operations.payload} ->> 'apply')`,
      now,
    ),
    db.update(problems).set({ rejudgeId }).where(eq(problems.id, problemId)),
    deleteLeft(db),
  ] as const
}

/** The problem's unfinished rejudge; without one, how many results are from earlier test data, up to a bound. */
export async function getProblemRejudge(
  db: Db,
  problemId: number,
  most: number,
): Promise<{ jobId: string | null; earlierCount: number | null }> {
  const [row] = await rawQuery<{ jobId: string | null; earlierCount: number | null }>(
    db,
    sql`select ${operations.id} as jobId, iif(${operations.id} is null, (${countEarlier(problemId, most)}), null) as earlierCount
      from ${problems} left join ${operations} on ${operations.id} = ${problems.rejudgeId} and ${operations.finishedAt} is null
      where ${problems.id} = ${problemId}`,
  )
  return row ?? { jobId: null, earlierCount: 0 }
}

/** The statement that refuses its batch while a rejudge is applied. */
function demandNotApplying(db: Db, id: string) {
  const isApplying = sql`exists (select 1 from ${operations}
    where ${operations.id} = ${id} and ${operations.finishedAt} is null and ${phase} = 'apply')`
  return demand(db, 'rejudge_applying', sql`not ${isApplying}`)
}

/** Ends a rejudge; a finished one stays as it is. @throws Refusal `rejudge_applying` */
export async function cancelRejudge(db: Db, id: string, change: Change): Promise<void> {
  await db.batch([
    demandNotApplying(db, id),
    insertAudit(db, change, {
      action: 'submission.cancel_rejudge',
      subject: id,
      when: sql`exists (select 1 from ${operations} where ${operations.id} = ${id} and ${isCancellable})`,
    }),
    endRejudges(db, sql`${operations.id} = ${id}`, change.now),
    deleteLeft(db),
  ])
}

/**
 * Begins to apply a rejudge that is fully judged, unless all its problems have changed.
 * @throws Refusal `rejudge_applying` or `rejudge_not_ready`
 */
export async function applyRejudge(db: Db, id: string, change: Change): Promise<void> {
  const isReady = sql`exists (select 1 from ${operations} where ${operations.id} = ${id}
    and ${operations.finishedAt} is null and ${phase} = 'ready' and ${isAnyUnchanged(id)})`
  await db.batch([
    demandNotApplying(db, id),
    demand(db, 'rejudge_not_ready', isReady),
    insertAudit(db, change, { action: 'submission.apply_rejudge', subject: id }),
    db
      .update(operations)
      .set({
        payload: sql`json_set(${operations.payload}, '$.phase', 'apply')`,
        done: 0,
        ...begunAnew(change.now),
      })
      .where(eq(operations.id, id)),
  ])
}

/**
 * Cheap polling of pending submissions. The ETag of a pending submission names everything on its page that can change. So an unchanged
 * page costs one statement that reads two rows: the newest judgement and the caller's membership. While a host judges, it also
 * costs one call to the submitter's channel.
 */
import { sql } from 'drizzle-orm'
import type { Context } from 'hono'
import { roleCan } from '#contract/roles'
import { rawQuery, type Db } from '../../db/client.ts'
import { judgements } from '../../db/schema.ts'
import type { SessionUser } from '../../db/sessions.ts'
import { mayInCourse } from '../../db/standing.ts'
import type { Env } from '../../env.ts'
import type { UserEnv } from '../../http/session.ts'
import { nowSeconds } from '../../lib/clock.ts'
import { progressOf } from '../../lib/live.ts'

/** Largest age of the queue position on a waiting page, in seconds. */
export const QUEUE_POSITION_SECONDS = 10

/** The parts of a pending page that can change, with the submitter's id and the lease. */
interface PendingState {
  userId: number
  lease: string | null
  id: string
  phase: 'queued' | 'compiling' | 'running'
  casesDone: number
  casesTotal: number
}

/**
 * The state with the progress that the submitter's channel remembers. The database knows that a job is being judged; it knows the
 * progress only if there are no channels.
 */
export async function withLatestProgress<State extends PendingState>(
  env: Env,
  state: State,
): Promise<State> {
  if (state.phase === 'queued' || state.lease === null) return state
  const heard = await progressOf(env, state.userId, state.lease)
  return heard ? { ...state, phase: heard.phase, casesDone: heard.done } : state
}

/** The ETag of a pending submission. While it is queued, its tag changes every few seconds, so that the position is read anew. */
export function pendingTag(
  { id, phase, casesDone, casesTotal }: Omit<PendingState, 'userId' | 'lease'>,
  now: number,
): string {
  const moment = phase === 'queued' ? `-${Math.floor(now / QUEUE_POSITION_SECONDS)}` : ''
  return `"pending-${id}-${phase}-${casesDone}-${casesTotal}${moment}"`
}

/** The open judgement of a submission, if the caller may see it: as staff, or as submitter and member. */
async function findPending(
  db: Db,
  user: SessionUser,
  submissionId: string,
): Promise<PendingState | undefined> {
  const mayRead = roleCan(user.role, 'submission.readAll')
    ? sql`1`
    : sql`((${judgements.userId} = ${user.id} and ${mayInCourse(user, judgements.courseId, 'course.read')})
        or ${mayInCourse(user, judgements.courseId, 'submission.readAll')})`
  const [row] = await rawQuery<PendingState>(
    db,
    sql`select ${judgements.id}, ${judgements.phase}, ${judgements.casesDone} as casesDone,
        ${judgements.casesTotal} as casesTotal, ${judgements.userId} as userId, ${judgements.lease}
      from ${judgements}
      where ${judgements.submissionId} = ${submissionId} and ${judgements.finishedAt} is null
        and ${judgements.rejudgeId} is null and ${mayRead}
      order by ${judgements.id} desc limit 1`,
  )
  return row
}

/** The caller's tag of a pending submission, while it is still current; else null. */
export async function unchangedTag(
  c: Context<UserEnv>,
  submissionId: string,
): Promise<string | null> {
  const known = c.req.header('If-None-Match')?.replace(/^W\//, '')
  if (!known?.startsWith('"pending-')) return null
  const found = await findPending(c.var.db, c.var.user, submissionId)
  const pending = found && (await withLatestProgress(c.env, found))
  return pending && pendingTag(pending, nowSeconds()) === known ? known : null
}

/**
 * Cheap polling of pending submissions. The ETag of a pending submission names all that can change on its
 * page, so "nothing new" costs one statement that reads two rows: the newest judgement and the caller's
 * membership.
 */
import { sql } from 'drizzle-orm'
import { createMiddleware } from 'hono/factory'
import { hexId } from '#contract/fields'
import { QUEUE_POSITION_SECONDS } from '#contract/limits'
import { roleCan } from '#contract/roles'
import { execute, type Db } from '../../db/client.ts'
import { courses, judgements, memberships } from '../../db/schema.ts'
import type { SessionUser } from '../../db/sessions.ts'
import { teaches } from '../../db/standing.ts'
import type { Env } from '../../env.ts'
import type { UserEnv } from '../../http/session.ts'
import { nowSeconds } from '../../lib/clock.ts'
import { progressOf } from '../../lib/live.ts'

/** The parts of a pending page that can change. */
interface PendingState {
  id: string
  phase: 'queued' | 'compiling' | 'running'
  casesDone: number
  casesTotal: number
}

/**
 * The state with the progress that the submitter's channel remembers. The database knows that a job is being judged; how far it is,
 * only where there are no channels.
 */
export async function withLatestProgress<State extends PendingState>(
  env: Env,
  { userId, submissionId }: { userId: number; submissionId: string },
  state: State,
): Promise<State> {
  if (state.phase === 'queued') return state
  const heard = await progressOf(env, userId, submissionId)
  // Of another number of cases: of another judging.
  if (heard?.total !== state.casesTotal) return state
  return { ...state, phase: heard.phase, casesDone: heard.done }
}

/** The ETag of a pending submission. The queue position is part of it and looked up every few seconds. */
export function pendingTag(
  { id, phase, casesDone, casesTotal }: PendingState,
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
): Promise<(PendingState & { userId: number }) | undefined> {
  const mayRead = roleCan(user.role, 'submission.readAll')
    ? sql`1`
    : sql`(exists (select 1 from ${memberships}
            where ${memberships.courseId} = ${judgements.courseId} and ${memberships.userId} = ${user.id}
              and (${memberships.role} = 'ta' or ${judgements.userId} = ${user.id}))
          or exists (select 1 from ${courses} where ${courses.id} = ${judgements.courseId} and ${teaches(user)}))`
  const [row] = await execute<PendingState & { userId: number }>(
    db,
    sql`select ${judgements.id}, ${judgements.phase}, ${judgements.casesDone} as casesDone,
        ${judgements.casesTotal} as casesTotal, ${judgements.userId} as userId
      from ${judgements}
      where ${judgements.submissionId} = ${submissionId} and ${judgements.finishedAt} is null
        and ${judgements.previewId} is null and ${mayRead}
      order by ${judgements.id} desc limit 1`,
  )
  return row
}

/** Answers 304 when the caller's tag is still that of the pending state. Mount it after `requireUser`. */
export const unchangedWhilePending = createMiddleware<UserEnv>(async (c, next) => {
  const known = c.req.header('If-None-Match')?.replace(/^W\//, '')
  const id = hexId.safeParse(c.req.param('id'))
  if (!known?.startsWith('"pending-') || !id.success) return next()
  const found = await findPending(c.var.db, c.var.user, id.data)
  if (!found) return next()
  const { userId } = found
  const pending = await withLatestProgress(c.env, { userId, submissionId: id.data }, found)
  if (pendingTag(pending, nowSeconds()) !== known) return next()
  return c.body(null, 304, { ETag: known })
})

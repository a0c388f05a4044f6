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
import type { UserEnv } from '../../http/session.ts'
import { nowSeconds } from '../../lib/clock.ts'

/** The parts of a pending page that can change. */
interface PendingState {
  id: string
  phase: 'queued' | 'compiling' | 'running'
  casesDone: number
  casesTotal: number
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
): Promise<PendingState | undefined> {
  const mayRead = roleCan(user.role, 'submission.readAll')
    ? sql`1`
    : sql`(exists (select 1 from ${memberships}
            where ${memberships.courseId} = ${judgements.courseId} and ${memberships.userId} = ${user.id}
              and (${memberships.role} = 'ta' or ${judgements.userId} = ${user.id}))
          or exists (select 1 from ${courses} where ${courses.id} = ${judgements.courseId} and ${teaches(user)}))`
  const [row] = await execute<PendingState>(
    db,
    sql`select ${judgements.id}, ${judgements.phase}, ${judgements.casesDone} as casesDone,
        ${judgements.casesTotal} as casesTotal
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
  const pending = await findPending(c.var.db, c.var.user, id.data)
  if (!pending || pendingTag(pending, nowSeconds()) !== known) return next()
  return c.body(null, 304, { ETag: known })
})

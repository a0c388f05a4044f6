/** POST /course/:name/invitations: mails invitations to become teaching assistants. */
import type { Context } from 'hono'
import { and, eq, sql } from 'drizzle-orm'
import { joinCodeText } from '#contract/joining'
import { JOIN_LIMITS } from '#contract/limits'
import { insertAudit } from '../../db/audit.ts'
import type { Db } from '../../db/client.ts'
import { takeToken, wasAllowed } from '../../db/rate-limits.ts'
import { joinCodes } from '../../db/schema.ts'
import type { CourseStanding } from '../../db/standing.ts'
import { insertSelect } from '../../db/statements.ts'
import { changeOf, type Change } from '../../http/change.ts'
import { originForLinks, sendLater } from '../../http/mail.ts'
import { demandTokens } from '../../http/rate-limit.ts'
import { demandFreshPassword, type UserEnv } from '../../http/session.ts'
import { invitationLetter } from '../../lib/mail-letters.ts'
import { demandCodeRoom } from './code-queries.ts'
import { codeHashOf, newCode } from './join-code.ts'

/** Invitations that one person mails: `burst` at once, then one per interval. */
const INVITATION_LIMIT = { burst: 100, intervalMs: 60_000 } as const

const DAY_SECONDS = 86_400

/** Stores invitations; each takes the place of earlier ones to its address that nobody has accepted. @returns whether the person may invite now */
async function storeInvitations(
  db: Db,
  { id: courseId, name }: CourseStanding,
  invited: { email: string; codeHash: string }[],
  change: Change,
) {
  const { actor, now } = change
  const json = JSON.stringify(invited.map(({ email, codeHash }) => ({ email, codeHash })))
  const key = `invite:user:${actor.id}`
  const isAllowed = wasAllowed(key)
  const inCourse = eq(joinCodes.courseId, courseId)
  const cost = invited.length
  const [rate] = await db.batch([
    takeToken(db, key, INVITATION_LIMIT, Date.now(), sql`true`, cost),
    db
      .delete(joinCodes)
      .where(
        and(
          inCourse,
          isAllowed,
          eq(joinCodes.joined, 0),
          sql`${joinCodes.email} in (select value ->> 'email' from json_each(${json}))`,
        ),
      ),
    insertSelect(
      db,
      joinCodes,
      {
        courseId,
        codeHash: sql`value ->> 'codeHash'`,
        role: 'ta',
        email: sql`value ->> 'email'`,
        until: now + JOIN_LIMITS.invitationDays * DAY_SECONDS,
        most: 1,
        domains: [],
        approval: false,
        createdAt: now,
      },
      sql`from json_each(${json}) where ${isAllowed}`,
    ),
    demandCodeRoom(db, courseId, now),
    insertAudit(db, change, {
      action: 'course.invite',
      subject: name,
      detail: { count: invited.length },
      when: isAllowed,
    }),
  ])
  return rate
}

/** Mails each address an invitation with a code of its own, after the answer. */
export async function inviteAssistants(
  c: Context<UserEnv>,
  course: CourseStanding,
  emails: string[],
): Promise<void> {
  demandFreshPassword(c)
  const origin = originForLinks(c.env)
  const invited = await Promise.all(
    [...new Set(emails)].map(async (email) => {
      const code = newCode(JOIN_LIMITS.invitationLength)
      return { email, code, codeHash: await codeHashOf(code) }
    }),
  )
  demandTokens([await storeInvitations(c.var.db, course, invited, changeOf(c))])
  for (const { email, code } of invited) {
    const about = { course: course.name, by: c.var.user.displayedName, code: joinCodeText(code) }
    sendLater(c, invitationLetter(origin, email, about))
  }
}

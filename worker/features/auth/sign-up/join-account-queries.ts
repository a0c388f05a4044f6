/** SQL of accounts that people make by joining a course. */
import { eq, notExists, sql } from 'drizzle-orm'
import { ROLES } from '#contract/roles'
import { insertAudit } from '../../../db/audit.ts'
import type { Db } from '../../../db/client.ts'
import { demand } from '../../../db/demand.ts'
import { takeToken, takeTokens, wasAllowed } from '../../../db/rate-limits.ts'
import { users } from '../../../db/schema.ts'
import { insertSelect } from '../../../db/statements.ts'
import { asConflict } from '../../../http/conflict.ts'
import { sha256Hex } from '../../../lib/ids.ts'
import { addressBuckets, selectConfirmed } from '../accounts/account-queries.ts'
import { ACCOUNT_LIMITS } from '../auth-limits.ts'
import { beginSession, type LoginAttempt } from '../queries.ts'
import { joinStatements, selectJoined, type OpenCode } from '../../joining/join-queries.ts'

/** Whether a username or an e-mail of a new account is taken, and whether this IP address may make one now. */
export async function checkAccount(
  db: Db,
  { email, username }: { email: string; username: string },
  ip: string,
) {
  const named = eq(users.usernameKey, username.toLowerCase())
  const [owners, confirmed, ...rates] = await db.batch([
    db.select({ id: users.id }).from(users).where(named),
    selectConfirmed(db, email),
    ...takeTokens(db, addressBuckets('join', ip), Date.now()).statements,
  ])
  return { rates, isNameTaken: owners.length > 0, isConfirmed: confirmed.length > 0 }
}

/** An account that its owner makes. `confirmDueAt` null: it need not confirm its address. */
interface NewAccount {
  username: string
  email: string
  displayedName: string
  passwordHash: string
  confirmDueAt: number | null
}

/**
 * Makes an account, joins with it and begins its session, all or nothing. Mails to an address that was typed too often wait until its owner asks.
 * @throws AppError `username_exists`, `email_exists`, or what refuses a join
 */
export async function storeJoiner(
  db: Db,
  account: NewAccount,
  code: OpenCode,
  attempt: LoginAttempt,
  session: { tokenHash: string; oldTokenHash: string | null; shared: boolean },
) {
  const { ip, now } = attempt
  const { email, passwordHash: verifiedHash, confirmDueAt } = account
  const usernameKey = account.username.toLowerCase()
  const userId = sql`(select ${users.id} from ${users} where ${users.usernameKey} = ${usernameKey})`
  const mailKey = `email:join:${(await sha256Hex(email)).slice(0, 32)}`
  const isMailed = sql`${confirmDueAt !== null} and ${wasAllowed(mailKey)}`
  try {
    const [, , [made], [joined], , , [replaced]] = await db.batch([
      demand(db, 'email_exists', notExists(selectConfirmed(db, email))),
      takeToken(db, mailKey, ACCOUNT_LIMITS.joinMail, Date.now()),
      insertSelect<typeof users, { id: number }>(
        db,
        users,
        {
          ...account,
          usernameKey,
          bio: '',
          role: ROLES.student,
          active: true,
          emailConfirmedAt: code.email === null ? null : now,
          madeInCourseId: code.courseId,
          linkDueAt: sql`iif(${isMailed}, ${now}, null)`,
          createdAt: now,
        },
        sql`returning ${users.id}`,
      ),
      selectJoined(db, code.codeHash),
      ...beginSession(db, attempt, { ...session, userId, verifiedHash, newHash: null }),
      insertAudit(db, { actor: { id: userId }, ip, now }, { action: 'user.join', subject: userId }),
      ...joinStatements(db, { ...code, userId, ip, now }),
    ])
    // The statements of the join have refused the batch where there is no such code.
    if (!made || !joined) throw new Error('an account was not made')
    return { id: made.id, joined, replaced }
  } catch (error) {
    throw asConflict(error)
  }
}

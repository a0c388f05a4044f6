/**
 * Identities: whether an e-mail counts. An e-mail counts once its owner has confirmed it or an admin has vouched for it. Until then
 * it is a claim of the account's maker, and proves no identity.
 */
import { sql, type SQL } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import type { CourseRole } from '#contract/roles'
import { memberships, users } from './schema.ts'
import { standingCan } from './standing.ts'

const others = alias(users, 'others')

/**
 * The condition that a typed name means this account: its username, or its e-mail if that counts.
 * @param key what was typed, in lower case
 */
export function isMeantBy(key: SQL): SQL {
  return sql`(${users.usernameKey} = ${key}
    or (${users.email} = ${key} and ${users.emailConfirmedAt} is not null))`
}

/**
 * The condition that an account may have `role` in a course: its e-mail counts, or it is to be a student of the course that
 * made it, or it has the role already. So an edit of other members never removes it.
 */
export function mayJoin(courseId: SQL, role: SQL<CourseRole>): SQL {
  const isHarmless = sql`not ${standingCan(role, 'submission.readAll')}`
  return sql`(${users.emailConfirmedAt} is not null
    or (${isHarmless} and ${users.madeInCourseId} is ${courseId})
    or exists (select 1 from ${memberships} where ${memberships.courseId} = ${courseId} and ${memberships.userId} = ${users.id}
      and (${memberships.role} = ${role} or ${isHarmless})))`
}

/**
 * The condition that an e-mail leads to this row of `users` at sign-in: it counts, or nobody else claims it. An unconfirmed e-mail
 * that several accounts claim leads to none of them, so that no claim can take the true owner's place.
 */
export function isFoundByEmail(email: string): SQL {
  return sql`(${users.email} = ${email} and (${users.emailConfirmedAt} is not null
    or not exists (select 1 from ${users} ${others}
      where ${others.email} = ${email} and ${others.id} <> ${users.id})))`
}

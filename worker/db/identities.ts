/**
 * Whose word an e-mail address is. It counts once its owner has confirmed it or an admin has vouched for it; until then
 * it is a claim of whoever made the account, and says nothing about who that is.
 */
import { sql, type SQL } from 'drizzle-orm'

/**
 * The condition that an account `u` is who a typed name means: a username, or an e-mail that counts.
 * @param key what was typed, in lower case
 */
export function isMeantBy(key: SQL): SQL {
  return sql`(u.username_key = ${key} or (u.email = ${key} and u.email_confirmed_at is not null))`
}

/**
 * The condition that an account `u` may be `role` in a course: its e-mail counts; or it is to be a student of the course
 * that made it; or it is as much there already, so that nobody loses a place by an edit of others.
 */
export function mayJoin(courseId: SQL, role: SQL): SQL {
  return sql`(u.email_confirmed_at is not null or (${role} = 'student' and u.made_in_course_id = ${courseId})
    or exists (select 1 from memberships h where h.course_id = ${courseId} and h.user_id = u.id
      and (h.role = ${role} or ${role} = 'student')))`
}

/**
 * The condition that an e-mail leads to this row of `users` at sign-in: it counts, or nobody else claims it.
 * A claim beside another one leads nowhere: whoever made it must not stand in the way of the true owner.
 */
export function isFoundByEmail(email: string): SQL {
  return sql`(users.email = ${email} and (users.email_confirmed_at is not null
    or not exists (select 1 from users o where o.email = ${email} and o.id <> users.id)))`
}

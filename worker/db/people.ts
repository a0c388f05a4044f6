/** People as others see them, in SQL and out of it. */
import { eq, sql, type SQL } from 'drizzle-orm'
import type { UserInfo } from '#contract/fields'
import type { Db } from './client.ts'
import { users } from './schema.ts'

/** The columns of a `UserInfo`; takes `users` or an alias of it, so that one query may join several people. */
export function userInfoColumns<T extends Record<keyof UserInfo, unknown>>(
  table: T,
): Pick<T, keyof UserInfo> {
  return { username: table.username, displayedName: table.displayedName, role: table.role }
}

/** For a person whose account is gone. */
export function toUserInfo(row: UserInfo | null): UserInfo {
  return row ?? { username: '', displayedName: '', role: 2 }
}

/** Courses of a person whose names are looked at, at most. */
const COURSES = 50

/**
 * The SQL that gives what others know of a person, as a list: names, e-mail address, courses. A password must not be it.
 * @param userId e.g. the column of the row at hand
 */
export function aboutPerson(userId: SQL | number) {
  return sql<string[]>`(select json_group_array(word) from (
    select p.username as word from users p where p.id = ${userId}
    union all select p.email from users p where p.id = ${userId}
    union all select p.displayed_name from users p where p.id = ${userId}
    union all select * from (select c.name from memberships m join courses c on c.id = m.course_id
      where m.user_id = ${userId} limit ${COURSES})
    union all select * from (select c.name from courses c where c.teacher_id = ${userId} limit ${COURSES})
  ))`.mapWith((list: string): string[] => JSON.parse(list))
}

/** The same list by itself. */
export async function listAboutPerson(db: Db, userId: number): Promise<string[]> {
  const row = await db
    .select({ about: aboutPerson(userId) })
    .from(users)
    .where(eq(users.id, userId))
    .get()
  return row?.about ?? []
}

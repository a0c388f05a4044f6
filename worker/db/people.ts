/** People as others see them: columns and rows. */
import { eq, sql, type SQL } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import type { UserInfo } from '#contract/fields'
import type { Db } from './client.ts'
import { courses, memberships, users } from './schema.ts'

const person = alias(users, 'person')

/** The columns of a `UserInfo`, from `users` or an alias, so that one query may join several people. */
export function userInfoColumns<T extends Record<keyof UserInfo, unknown>>(
  table: T,
): Pick<T, keyof UserInfo> {
  return { username: table.username, displayedName: table.displayedName, role: table.role }
}

/** For a person whose account is gone. */
export function toUserInfo(row: UserInfo | null): UserInfo {
  return row ?? { username: '', displayedName: '', role: 2 }
}

/** The most courses whose names are read. */
const COURSES = 50

/**
 * The SQL for what others know of a person, as a list: names, e-mail address, courses. No password may be
 * among them.
 * @param userId e.g. the column of the present row
 */
export function aboutPerson(userId: SQL | number) {
  return sql<string[]>`(select json_group_array(word) from (
    select ${person.username} as word from ${users} ${person} where ${person.id} = ${userId}
    union all select ${person.email} from ${users} ${person} where ${person.id} = ${userId}
    union all select ${person.displayedName} from ${users} ${person} where ${person.id} = ${userId}
    union all select * from (select ${courses.name} from ${memberships}
      join ${courses} on ${courses.id} = ${memberships.courseId} where ${memberships.userId} = ${userId} limit ${COURSES})
    union all select * from (select ${courses.name} from ${courses} where ${courses.teacherId} = ${userId}
      limit ${COURSES})
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

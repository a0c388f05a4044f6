/** People as others see them: columns and rows. */
import { eq, sql, type SQL } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import type { UserInfo } from '#contract/fields'
import type { Db } from './client.ts'
import { courses, memberships, users } from './schema.ts'

/** The most accounts that a search for people looks through in one call, among those the caller knows, or for admins among all. */
export const SEARCHED_ACCOUNTS = 20_000

const person = alias(users, 'person')

/** The columns of a `UserInfo`, from `users` or an alias, so that one query may join several people. */
export function userInfoColumns<T extends Record<keyof UserInfo, unknown>>(
  table: T,
): Pick<T, keyof UserInfo> {
  return { username: table.username, displayedName: table.displayedName, role: table.role }
}

/** A `UserInfo` of `users` as JSON, for the data of a refusal. */
export const userInfoJson = sql`json_object('username', ${users.username}, 'displayedName', ${users.displayedName},
  'role', ${users.role})`

/** Erased accounts are named `*<id>`; all other names sort from here on. */
export const FIRST_KEY = '-'
/** Sorts after every character that a key can hold. */
export const LAST_KEY = '\u{10ffff}'

/** Selects the last account that a search may look through, by its key. @param from the condition where the search begins */
export function lastSearched(from: SQL | undefined): SQL {
  return sql`select ${users.usernameKey} as key from ${users} where ${from}
    order by ${users.usernameKey} limit 1 offset ${SEARCHED_ACCOUNTS - 1}`
}

/** The condition that an account is among those that a search from `from` on looks through. */
export function isSearched(from: SQL | undefined): SQL {
  return sql`(${from} and ${users.usernameKey} <= coalesce((${lastSearched(from)}), ${LAST_KEY}))`
}

/** The condition that the username, the displayed name or the e-mail contains a text. @param email null: the e-mail is not searched */
export function personContains(text: string, email: SQL = sql`${users.email}`): SQL {
  // SQLite knows the case of ASCII letters only.
  const wanted = text.toLowerCase()
  return sql`(instr(${users.usernameKey}, ${wanted}) > 0
    or instr(${users.displayedName}, ${text}) > 0
    or instr(lower(${users.displayedName}), ${wanted}) > 0 or instr(${email}, ${wanted}) > 0)`
}

/** A row as a `UserInfo`, empty for a person whose account is gone. */
export function toUserInfo(row: UserInfo | null): UserInfo {
  return row ?? { username: '', displayedName: '', role: 2 }
}

/** The most courses whose names are read. */
const COURSES = 50

/**
 * The SQL for what others know of a person, as a list: names, e-mail address, courses. A password made of these words is refused.
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

/** The list of `aboutPerson`, as a query of its own. */
export async function listAboutPerson(db: Db, userId: number): Promise<string[]> {
  const row = await db
    .select({ about: aboutPerson(userId) })
    .from(users)
    .where(eq(users.id, userId))
    .get()
  return row?.about ?? []
}

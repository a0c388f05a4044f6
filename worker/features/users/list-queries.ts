/**
 * The admin's list of people. Every query reads one index from where the last page ended. For all people the index is by username, for
 * one role by role and username; for one course it is that of the member rows. A search skips rows without its text, and ends after
 * the most rows that one call may read.
 */
import { and, asc, count, eq, gt, gte, isNull, lt, sql } from 'drizzle-orm'
import * as z from 'zod'
import type { UserItem, UserList, UserListParams, UserSummary } from '#contract/people/users'
import { rawQuery, aliasColumns, type Db } from '../../db/client.ts'
import { isNamed } from '../../db/course-names.ts'
import { FIRST_KEY, isSearched, LAST_KEY, lastSearched, personContains } from '../../db/people.ts'
import { courses, memberships, users } from '../../db/schema.ts'
import { itemTag } from '../../http/edit-tag.ts'
import { fromCursor, toCursor, toPage } from '../../http/paging.ts'
import { accountVersion } from './queries.ts'

const columns = {
  id: users.id,
  username: users.username,
  usernameKey: users.usernameKey,
  displayedName: users.displayedName,
  role: users.role,
  email: users.email,
  emailConfirmedAt: users.emailConfirmedAt,
  bio: users.bio,
  active: users.active,
  createdAt: users.createdAt,
}
type Row = Pick<typeof users.$inferSelect, keyof typeof columns>

/** Row → contract. */
export function toUserItem(row: Omit<Row, 'id' | 'usernameKey'>): UserItem {
  const { username, displayedName, role, email, emailConfirmedAt, active, createdAt } = row
  return {
    username,
    displayedName,
    role,
    email,
    emailConfirmed: emailConfirmedAt !== null,
    active,
    createTime: createdAt,
    etag: itemTag(accountVersion(row)),
  }
}

/** A position in the list: the key of the last row, or its id in a course's list. */
const position = z.strictObject({ key: z.string(), id: z.int() })
type Position = z.infer<typeof position>

/** GET /user. */
export async function listUsers(db: Db, query: UserListParams): Promise<UserList> {
  const after = fromCursor(query.cursor, position)
  if (query.course !== undefined) return listOfCourse(db, query, query.course, after)
  const { search, role, limit } = query
  const from = and(
    role === undefined ? undefined : eq(users.role, role),
    after ? gt(users.usernameKey, after.key) : gte(users.usernameKey, FIRST_KEY),
  )
  const rows = await db
    .select(columns)
    .from(users)
    .where(search === '' ? from : and(isSearched(from), personContains(search)))
    .orderBy(asc(users.usernameKey))
    .limit(limit + 1)
  const page = toList(rows, limit, (row) => ({ key: row.usernameKey, id: 0 }))
  if (search === '' || page.next !== null) return page
  const [end] = await rawQuery<{ key: string }>(db, lastSearched(from))
  // The next page goes on after the rows that this search has read.
  return end ? { ...page, next: toCursor({ key: end.key, id: 0 }) } : page
}

/** A page as the contract has it. */
function toList<T extends Row>(
  rows: T[],
  limit: number,
  positionOf: (row: T) => Position,
): UserList {
  const page = toPage(rows, limit, positionOf)
  return { items: page.rows.map(toUserItem), next: page.next }
}

/** The people of a course: its teacher first, then the members in the order of their accounts. */
async function listOfCourse(
  db: Db,
  { search, role, limit }: UserListParams,
  course: string,
  after: Position | undefined,
): Promise<UserList> {
  // The `+` keeps SQLite from using the index on roles instead and sorting.
  const wanted = and(
    role === undefined ? undefined : sql`+${users.role} = ${role}`,
    search === '' ? undefined : personContains(search),
  )
  const isCourse = and(isNamed(course), isNull(courses.deletedAt))
  const [teachers, members] = await db.batch([
    db
      .select(aliasColumns(columns))
      .from(courses)
      .innerJoin(users, eq(users.id, courses.teacherId))
      .where(and(isCourse, wanted))
      .limit(after ? 0 : 1),
    db
      .select(aliasColumns(columns))
      .from(memberships)
      .innerJoin(users, eq(users.id, memberships.userId))
      .where(
        and(
          sql`${memberships.courseId} = (select ${courses.id} from ${courses} where ${isNamed(course)} and ${courses.deletedAt} is null)`,
          gt(memberships.userId, after?.id ?? 0),
          wanted,
        ),
      )
      .orderBy(asc(memberships.userId))
      .limit(limit + 1),
  ])
  const rows = [
    ...teachers.map((row) => ({ ...row, after: 0 })),
    ...members.map((row) => ({ ...row, after: row.id })),
  ]
  return toList(rows, limit, (row) => ({ key: '', id: row.after }))
}

/** GET /user/summary. */
export async function getSummary(db: Db): Promise<UserSummary> {
  const breakdown = await db
    .select({ role: users.role, count: count() })
    .from(users)
    .where(and(gte(users.usernameKey, FIRST_KEY), lt(users.usernameKey, LAST_KEY)))
    .groupBy(users.role)
  return { userCount: breakdown.reduce((sum, part) => sum + part.count, 0), breakdown }
}

/**
 * The admin's list of people. Every query walks along one index from where the last page ended: all (by
 * username), of one role (role, username), of one course (its member rows), or a search. A search is up to
 * three walks in turn, over usernames, e-mails and displayed names that begin with the text.
 */
import { and, asc, count, eq, gt, gte, isNull, lt, not, sql, type SQL } from 'drizzle-orm'
import * as z from 'zod'
import type { UserItem, UserList, UserListParams, UserSummary } from '#contract/users'
import { named, type Db } from '../../db/client.ts'
import { courses, memberships, users } from '../../db/schema.ts'
import { itemTag } from '../../http/edit-tag.ts'
import { fromCursor, toPage } from '../../http/paging.ts'
import { accountVersion } from './queries.ts'

/** Erased accounts are named `*<id>`; all other names sort from here on. */
const FIRST_KEY = '-'
/** Sorts after every character that can follow. */
const LAST = '\u{10ffff}'

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

/** The condition that a column begins with a text, as a range for its index. */
function beginsWith(column: SQL, text: string): SQL {
  return sql`(${column} >= ${text} and ${column} < ${text + LAST})`
}

/** The condition on the role of a walk. The `+` keeps SQLite from using the index on roles instead and sorting. */
function hasRole(role: UserListParams['role']): SQL | undefined {
  return role === undefined ? undefined : sql`+${users.role} = ${role}`
}

const keyColumn = sql`${users.usernameKey}`
const emailColumn = sql`${users.email}`
const nameColumn = sql`${users.displayedName} collate nocase`

/** A position: the walk (`step`), and the last row's key and id there. */
const position = z.object({ step: z.int().min(0).max(2), key: z.string(), id: z.int() })
type Position = z.infer<typeof position>

/** GET /user. */
export async function listUsers(db: Db, query: UserListParams): Promise<UserList> {
  const after = fromCursor(query.cursor, position)
  if (query.course !== undefined) return listOfCourse(db, query, query.course, after)
  if (query.search !== '') return listFound(db, query, after)
  const rows = await db
    .select(columns)
    .from(users)
    .where(
      and(
        query.role === undefined ? undefined : eq(users.role, query.role),
        after ? gt(users.usernameKey, after.key) : gte(users.usernameKey, FIRST_KEY),
      ),
    )
    .orderBy(asc(users.usernameKey))
    .limit(query.limit + 1)
  return toList(rows, query.limit, (row) => ({ step: 0, key: row.usernameKey, id: row.id }))
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

/** The remaining walks of a search, in one round trip. */
async function listFound(
  db: Db,
  { search, role, limit }: UserListParams,
  after: Position | undefined,
): Promise<UserList> {
  const text = search.toLowerCase()
  const inKey = beginsWith(keyColumn, text)
  const inEmail = beginsWith(emailColumn, text)
  const isRole = hasRole(role)
  const isPast = (step: number) => (after?.step ?? 0) > step
  const from = (step: number, column: SQL) =>
    after?.step === step ? sql`(${column}, ${users.id}) > (${after.key}, ${after.id})` : undefined
  const walk = (step: number, column: SQL, where: SQL | undefined) =>
    db
      .select(named(columns))
      .from(users)
      .where(and(where, from(step, column), isRole))
      .orderBy(asc(column), asc(users.id))
      .limit(isPast(step) ? 0 : limit + 1)
  const found = await db.batch([
    walk(0, keyColumn, and(inKey, gte(users.usernameKey, FIRST_KEY))),
    walk(1, emailColumn, and(inEmail, not(inKey), gte(users.usernameKey, FIRST_KEY))),
    walk(2, nameColumn, and(beginsWith(nameColumn, text), not(inKey), not(inEmail))),
  ])
  const rows = found.flatMap((part, step) => part.map((row) => ({ ...row, step })))
  return toList(rows, limit, ({ step, id, usernameKey, email, displayedName }) => ({
    step,
    id,
    key: [usernameKey, email, displayedName][step] ?? '',
  }))
}

/** The people of a course: its teacher first, then the members in the order of their accounts. */
async function listOfCourse(
  db: Db,
  { search, role, limit }: UserListParams,
  course: string,
  after: Position | undefined,
): Promise<UserList> {
  const text = search.toLowerCase()
  const wanted = and(
    hasRole(role),
    text === ''
      ? undefined
      : sql`(${beginsWith(keyColumn, text)} or ${beginsWith(emailColumn, text)} or ${beginsWith(nameColumn, text)})`,
  )
  const isCourse = and(eq(courses.name, course), isNull(courses.deletedAt))
  const [teachers, members] = await db.batch([
    db
      .select(named(columns))
      .from(courses)
      .innerJoin(users, eq(users.id, courses.teacherId))
      .where(and(isCourse, wanted))
      .limit(after ? 0 : 1),
    db
      .select(named(columns))
      .from(memberships)
      .innerJoin(users, eq(users.id, memberships.userId))
      .where(
        and(
          sql`${memberships.courseId} = (select ${courses.id} from ${courses} where ${courses.name} = ${course} and ${courses.deletedAt} is null)`,
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
  return toList(rows, limit, (row) => ({ step: 0, key: '', id: row.after }))
}

/** GET /user/summary. */
export async function getSummary(db: Db): Promise<UserSummary> {
  const breakdown = await db
    .select({ role: users.role, count: count() })
    .from(users)
    .where(and(gte(users.usernameKey, FIRST_KEY), lt(users.usernameKey, LAST)))
    .groupBy(users.role)
  return { userCount: breakdown.reduce((sum, part) => sum + part.count, 0), breakdown }
}

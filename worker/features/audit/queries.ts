/** Reads the audit log and removes old addresses. */
import { desc, eq, lt, sql, type SQL } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import type { AuditEntryItem } from '#contract/audit'
import type { Db } from '../../db/client.ts'
import { auditEntries, loginRecords, submissions, users } from '../../db/schema.ts'
import { hexIdAt } from '../../lib/ids.ts'

const subjects = alias(users, 'subjects')

/** The account an entry is about; batch sign-ups are about a course. */
const isSubject = sql`${subjects.id} = iif(
  ${auditEntries.action} glob 'user.*' and ${auditEntries.action} <> 'user.batch_signup'
    or ${auditEntries.action} glob 'session.*',
  cast(${auditEntries.subject} as integer), null)`

/** The filter of a page. `before` is an entry's id. */
interface AuditFilter {
  actor?: string | undefined
  action?: string | undefined
  before?: number | undefined
  limit: number
}

/** A page of entries, newest first, one more than `limit`; every combination of filters is one index range. */
export async function listAuditEntries(
  db: Db,
  { actor, action, before, limit }: AuditFilter,
): Promise<AuditEntryItem[]> {
  const conditions = [
    ...(actor === undefined
      ? []
      : [
          sql`${auditEntries.actorId} = (select ${users.id} from ${users} where ${users.usernameKey} = ${actor.toLowerCase()})`,
        ]),
    ...(action === undefined ? [] : [sql`${auditEntries.action} = ${action}`]),
    sql`${auditEntries.id} < ${before ?? Number.MAX_SAFE_INTEGER}`,
  ]
  return db
    .select({
      id: auditEntries.id,
      time: auditEntries.createdAt,
      actor: users.username,
      action: auditEntries.action,
      subject: auditEntries.subject,
      subjectName: subjects.username,
      detail: auditEntries.detail,
      ip: auditEntries.ip,
    })
    .from(auditEntries)
    .leftJoin(users, eq(users.id, auditEntries.actorId))
    .leftJoin(subjects, isSubject)
    .where(sql.join(conditions, sql` and `))
    .orderBy(desc(auditEntries.id))
    .limit(limit + 1)
}

/** Rows per sweep whose address is removed. */
const CHUNK = 500

/** The statement that empties addresses in one table; an index finds the rows that have one. */
function forgetAddressesOf(db: Db, table: typeof submissions | typeof auditEntries, isOld: SQL) {
  const old = sql`select ${table.id} from ${table} where ${table.ip} <> '' and ${isOld} limit ${CHUNK}`
  return db
    .update(table)
    .set({ ip: '' })
    .where(sql`${table.id} in (${old})`)
}

/**
 * Removes addresses from submissions and audit entries made before `before`, and deletes records of
 * sign-ins.
 * @param before epoch seconds
 */
export async function forgetAddresses(db: Db, before: number): Promise<void> {
  await db.batch([
    forgetAddressesOf(db, submissions, lt(submissions.id, hexIdAt(before * 1000))),
    forgetAddressesOf(db, auditEntries, lt(auditEntries.createdAt, before)),
    // Ids follow time, so only the oldest few are looked at.
    db.delete(loginRecords).where(
      sql`${loginRecords.id} in (select ${loginRecords.id} from
        (select ${loginRecords.id}, ${loginRecords.createdAt} from ${loginRecords}
          order by ${loginRecords.id} limit ${CHUNK}) ${loginRecords}
        where ${loginRecords.createdAt} < ${before})`,
    ),
  ])
}

/** Reading the audit log, and forgetting addresses when their time is over. */
import { desc, eq, sql, type SQL } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import type { AuditEntryItem } from '#contract/audit'
import { execute, type Db } from '../../db/client.ts'
import { auditEntries, loginRecords, submissions, users } from '../../db/schema.ts'
import { hexIdAt } from '../../lib/ids.ts'

const subjects = alias(users, 'subjects')

/** The account an entry is about; batch sign-ups are about a course. */
const isSubject = sql`${subjects.id} = iif(
  ${auditEntries.action} glob 'user.*' and ${auditEntries.action} <> 'user.batch_signup'
    or ${auditEntries.action} glob 'session.*',
  cast(${auditEntries.subject} as integer), null)`

/** Which entries a page holds; `before` is an entry's id. */
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
          sql`${auditEntries.actorId} = (select id from users where username_key = ${actor.toLowerCase()})`,
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

/** Rows whose address is removed in one sweep; a minute later come the next. */
const CHUNK = 500

/** The statement that empties the addresses of one table's rows found by an index of those that have one. */
function forgetAddressesOf(db: Db, table: SQL, id: SQL, isOld: SQL) {
  return execute(
    db,
    sql`update ${table} set ip = '' where ${id} in
      (select ${id} from ${table} where ip <> '' and ${isOld} limit ${CHUNK})`,
  )
}

/**
 * Removes the addresses of submissions and audit entries made before a moment, and records of sign-ins altogether.
 * @param before epoch seconds
 */
export async function forgetAddresses(db: Db, before: number): Promise<void> {
  await db.batch([
    forgetAddressesOf(db, sql`${submissions}`, sql`id`, sql`id < ${hexIdAt(before * 1000)}`),
    forgetAddressesOf(db, sql`${auditEntries}`, sql`id`, sql`created_at < ${before}`),
    // Ids follow time, so only the oldest few are looked at.
    execute(
      db,
      sql`delete from ${loginRecords} where id in (select id from
        (select id, created_at from ${loginRecords} order by id limit ${CHUNK}) where created_at < ${before})`,
    ),
  ])
}

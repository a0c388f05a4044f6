/** Reads the audit log and removes old addresses. */
import { and, desc, eq, ne, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import type { AuditEntryItem } from '#contract/audit'
import type { Db } from '../../db/client.ts'
import { auditEntries, loginRecords, submissions, users } from '../../db/schema.ts'
import { nextPage } from '../../db/sweep-cursors.ts'
import { hexIdAt } from '../../lib/ids.ts'

const subjects = alias(users, 'subjects')

/** The account an entry is about; batch sign-ups are about a course. */
const isSubject = sql`${subjects.id} = iif(
  ${auditEntries.action} glob 'user.*' and ${auditEntries.action} <> 'user.batch_signup'
    or ${auditEntries.action} glob 'session.*' or ${auditEntries.action} glob 'calendar.*',
  cast(${auditEntries.subject} as integer), null)`

/** The filter of a page. `before` is an entry's id. */
interface AuditFilter {
  actor?: string | undefined
  action?: string | undefined
  before?: number | undefined
  limit: number
}

/** A page of entries, newest first, and one entry more. Each combination of filters reads one index range. */
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

/** The most rows of one sweep whose addresses are removed. */
const CHUNK = 500

/**
 * Removes addresses from submissions and audit entries made before `before`, and deletes records of
 * sign-ins.
 * @param before epoch seconds
 */
export async function forgetAddresses(db: Db, before: number): Promise<void> {
  const end = hexIdAt(before * 1000)
  const { isInPage, advance } = await nextPage(db, 'addresses', submissions.id, CHUNK, end)
  const { id, ip, createdAt } = auditEntries
  const old = sql`select ${id} from ${auditEntries} where ${ip} <> '' and ${createdAt} < ${before} limit ${CHUNK}`
  await db.batch([
    db
      .update(submissions)
      .set({ ip: '' })
      .where(and(isInPage, ne(submissions.ip, ''))),
    advance,
    // An index finds the entries that have an address.
    db
      .update(auditEntries)
      .set({ ip: '' })
      .where(sql`${id} in (${old})`),
    // Ids grow with time, so only the oldest records are checked.
    db.delete(loginRecords).where(
      sql`${loginRecords.id} in (select ${loginRecords.id} from
        (select ${loginRecords.id}, ${loginRecords.createdAt} from ${loginRecords}
          order by ${loginRecords.id} limit ${CHUNK}) ${loginRecords}
        where ${loginRecords.createdAt} < ${before})`,
    ),
  ])
}

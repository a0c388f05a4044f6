/** Writing the audit log. */
import { sql, type SQL } from 'drizzle-orm'
import type { Db } from './client.ts'
import { auditEntries } from './schema.ts'
import { insertSelect } from './statements.ts'

/** An entry, for the same batch as the change it records. */
interface AuditEntry {
  /** `<thing>.<deed>`, e.g. `course.create`. */
  action: string
  /** The public id of the thing or person that was acted on. */
  subject: string | SQL
  detail?: Record<string, unknown> | SQL
  /** The condition under which it is written, for batches whose change may not happen. */
  when?: SQL | undefined
  /** In place of `when`: the rest of a select from its `from` on, each row of which is an entry. */
  from?: SQL
}

/** Who made the change (id null: a person who was not signed in), from where and when (epoch seconds). */
interface Origin {
  actor: { id: number | SQL | null }
  ip: string
  now: number
}

/** The statement that writes an entry. */
export function insertAudit(
  db: Db,
  { actor, ip, now }: Origin,
  { when, from, ...entry }: AuditEntry,
) {
  const values = { createdAt: now, actorId: actor.id, detail: {}, ...entry, ip }
  return insertSelect(db, auditEntries, values, from ?? (when && sql`where ${when}`))
}

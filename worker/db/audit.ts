/** Writing the audit log. */
import { sql, type SQL } from 'drizzle-orm'
import { execute, type Db } from './client.ts'
import { auditEntries } from './schema.ts'
import { insertSelect } from './statements.ts'

/** An entry, for the same batch as the change it records. */
interface AuditEntry {
  actorId: number | null
  /** `<thing>.<deed>`, e.g. `course.create`. */
  action: string
  /** What it was done to, as its public id. */
  subject: string
  detail?: Record<string, unknown>
  ip: string
  /** Epoch seconds. */
  now: number
}

/**
 * The statement that writes an entry.
 * @param when the condition to write it, for batches whose change may turn out not to happen
 */
export function insertAudit(db: Db, entry: AuditEntry, when?: SQL) {
  const { now: createdAt, actorId, action, subject, detail = {}, ip } = entry
  const values = { createdAt, actorId, action, subject, detail, ip }
  return execute(db, insertSelect(auditEntries, values, when && sql`where ${when}`))
}

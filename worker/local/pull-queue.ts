/** Messages of one queue and their leases, in SQLite so that a restart loses none. */
import { DurableObject } from 'cloudflare:workers'
import * as z from 'zod'

/**
 * Deliveries without an acknowledgement after which Cloudflare deletes a message (`max_retries` of 3, plus
 * the first).
 */
const MAX_DELIVERIES = 4
/** Visibility timeout of a pull that names none. */
const DEFAULT_VISIBILITY_TIMEOUT_MS = 30_000

/** Body of a pull. */
export const pullRequest = z.object({
  batch_size: z.int().min(1).max(100).default(5),
  visibility_timeout_ms: z.int().min(0).max(43_200_000).default(DEFAULT_VISIBILITY_TIMEOUT_MS),
})
type PullRequest = z.infer<typeof pullRequest>

/** Body of an acknowledgement. */
export const ackRequest = z.object({
  acks: z.array(z.object({ lease_id: z.string() })).default([]),
  retries: z
    .array(z.object({ lease_id: z.string(), delay_seconds: z.int().min(0).max(86_400).default(0) }))
    .default([]),
})
type AckRequest = z.infer<typeof ackRequest>

/** A message as the pull API gives it. `body` is base64, as for every message of content type json. */
interface PulledMessage {
  id: string
  body: string
  timestamp_ms: number
  attempts: number
  lease_id: string
  metadata: Record<string, string>
}

/** A message as it arrives. */
export interface IncomingMessage {
  id: string
  body: string
  timestampMs: number
}

const storedMessage = z.object({
  id: z.string(),
  body: z.string(),
  timestamp_ms: z.number(),
  attempts: z.number(),
})

/** One queue. A message is visible from `visible_at_ms` on; leasing it sets a later `visible_at_ms`. */
export class PullQueue extends DurableObject {
  constructor(state: DurableObjectState, env: Cloudflare.Env) {
    super(state, env)
    state.storage.sql.exec(`
      CREATE TABLE IF NOT EXISTS messages (
        id TEXT PRIMARY KEY,
        body TEXT NOT NULL,
        timestamp_ms INTEGER NOT NULL,
        attempts INTEGER NOT NULL DEFAULT 0,
        lease_id TEXT,
        visible_at_ms INTEGER NOT NULL
      );
      CREATE INDEX IF NOT EXISTS messages_visible ON messages (visible_at_ms, timestamp_ms);
      CREATE INDEX IF NOT EXISTS messages_lease ON messages (lease_id);
    `)
  }

  /** Stores messages. A known message is left alone. */
  add(messages: IncomingMessage[]): void {
    for (const message of messages)
      this.ctx.storage.sql.exec(
        'INSERT OR IGNORE INTO messages (id, body, timestamp_ms, visible_at_ms) VALUES (?, ?, ?, 0)',
        message.id,
        message.body,
        message.timestampMs,
      )
  }

  /** Leases up to `batch_size` visible messages, oldest first. */
  pull(request: PullRequest): { message_backlog_count: number; messages: PulledMessage[] } {
    const sql = this.ctx.storage.sql
    const now = Date.now()
    sql.exec('DELETE FROM messages WHERE visible_at_ms <= ? AND attempts >= ?', now, MAX_DELIVERIES)
    const rows = sql
      .exec(
        'SELECT id, body, timestamp_ms, attempts FROM messages WHERE visible_at_ms <= ? ORDER BY timestamp_ms LIMIT ?',
        now,
        request.batch_size,
      )
      .toArray()
    const messages = rows.map((row) => {
      const message = storedMessage.parse(row)
      const leased = {
        ...message,
        attempts: message.attempts + 1,
        lease_id: crypto.randomUUID(),
        metadata: { 'CF-Content-Type': 'json', 'CF-sourceMessageSource': 'worker' },
      }
      sql.exec(
        'UPDATE messages SET attempts = ?, lease_id = ?, visible_at_ms = ? WHERE id = ?',
        leased.attempts,
        leased.lease_id,
        now + request.visibility_timeout_ms,
        leased.id,
      )
      return leased
    })
    const backlog = sql.exec('SELECT count(*) AS n FROM messages').one()
    return { message_backlog_count: Number(backlog['n']), messages }
  }

  /**
   * Removes acknowledged messages and makes retried ones visible again. An expired lease still counts until
   * the message is given out anew.
   */
  ack(request: AckRequest): { ackCount: number; retryCount: number; warnings: string[] } {
    const sql = this.ctx.storage.sql
    const now = Date.now()
    const warnings: string[] = []
    let ackCount = 0
    let retryCount = 0
    for (const { lease_id } of request.acks) {
      const changed = sql.exec('DELETE FROM messages WHERE lease_id = ?', lease_id).rowsWritten
      if (changed > 0) ackCount += 1
      else warnings.push(`unknown lease ${lease_id}`)
    }
    for (const { lease_id, delay_seconds } of request.retries) {
      const changed = sql.exec(
        'UPDATE messages SET lease_id = NULL, visible_at_ms = ? WHERE lease_id = ?',
        now + delay_seconds * 1_000,
        lease_id,
      ).rowsWritten
      if (changed > 0) retryCount += 1
      else warnings.push(`unknown lease ${lease_id}`)
    }
    return { ackCount, retryCount, warnings }
  }
}

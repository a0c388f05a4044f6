/** GET /health: whether this installation can judge. */
import { count, eq, gt } from 'drizzle-orm'
import { Hono } from 'hono'
import type { Health } from '#contract/health'
import { JUDGING } from '#contract/limits'
import { openDb } from '../../db/client.ts'
import { installation, runners } from '../../db/schema.ts'
import type { AppEnv, Env } from '../../env.ts'
import { ok } from '../../http/respond.ts'
import { nowSeconds } from '../../lib/clock.ts'
import packageJson from '../../../package.json' with { type: 'json' }

/** Counts live runners and reads the sweeper's last word; null when the database does not answer. */
async function askDatabase(env: Env): Promise<Pick<Health, 'runners' | 'storage'> | null> {
  const db = openDb(env.DB)
  const since = nowSeconds() - JUDGING.runnerAliveSeconds
  try {
    const [alive, storage] = await db.batch([
      db.select({ count: count() }).from(runners).where(gt(runners.heartbeatAt, since)),
      db.select({ state: installation.state }).from(installation).where(eq(installation.id, 1)),
    ])
    return { runners: alive[0]?.count ?? 0, storage: storage[0]?.state ?? 'unchecked' }
  } catch (error) {
    console.error(JSON.stringify({ health: 'database', error: String(error) }))
    return null
  }
}

/** Whether the queue answers. Asking for its metrics sends nothing. */
async function isQueueUp(env: Env): Promise<boolean> {
  try {
    await env.JUDGE_QUEUE.metrics()
    return true
  } catch (error) {
    console.error(JSON.stringify({ health: 'queue', error: String(error) }))
    return false
  }
}

export const health = new Hono<AppEnv>().get('/health', async (c) => {
  const [database, queue] = await Promise.all([askDatabase(c.env), isQueueUp(c.env)])
  const answer: Health = {
    version: packageJson.version,
    db: database === null ? 'down' : 'ok',
    queue: queue ? 'ok' : 'down',
    runners: database?.runners ?? 0,
    storage: database?.storage ?? 'unchecked',
  }
  return ok(c, answer)
})

/** GET /health: anyone may ask whether this installation can judge. */
import { count, gt } from 'drizzle-orm'
import { Hono } from 'hono'
import type { Health } from '#contract/health'
import { JUDGING } from '#contract/limits'
import { openDb } from '../../db/client.ts'
import { runners } from '../../db/schema.ts'
import type { AppEnv, Env } from '../../env.ts'
import { ok } from '../../http/respond.ts'
import { nowSeconds } from '../../lib/clock.ts'
import packageJson from '../../../package.json' with { type: 'json' }

/** How many runners gave a sign of life lately; null when the database does not answer. */
async function countRunners(env: Env): Promise<number | null> {
  try {
    const since = nowSeconds() - JUDGING.runnerAliveSeconds
    const row = await openDb(env.DB)
      .select({ alive: count() })
      .from(runners)
      .where(gt(runners.heartbeatAt, since))
      .get()
    return row?.alive ?? 0
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
  const [alive, queue] = await Promise.all([countRunners(c.env), isQueueUp(c.env)])
  const answer: Health = {
    version: packageJson.version,
    db: alive === null ? 'down' : 'ok',
    queue: queue ? 'ok' : 'down',
    runners: alive ?? 0,
  }
  return ok(c, answer)
})

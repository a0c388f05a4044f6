/** GET /health: whether this installation can judge. */
import type { Health } from '#contract/installation/health'
import { checkSchema } from '../../db/applied-migrations.ts'
import { openDb } from '../../db/client.ts'
import type { Env } from '../../env.ts'
import { AppError } from '../../http/errors.ts'
import { route } from '../../http/route.ts'
import { nowSeconds } from '../../lib/clock.ts'
import packageJson from '../../../package.json' with { type: 'json' }
import { ALARM_WAITING_SECONDS, getHealth } from './queries.ts'

type OfDatabase = Omit<Health, 'version' | 'queue'>

/** The answer while the database is down or has an older schema. */
const NOTHING_KNOWN = {
  runners: 0,
  oldestSeconds: 0,
  sweep: 'unchecked',
  storage: 'unchecked',
} as const

/** The database's part of the answer. With a schema behind the code, the tables to read may not exist. */
async function askDatabase(env: Env): Promise<OfDatabase> {
  const db = openDb(env.DB)
  const schema = await checkSchema(db)
  if (schema === 'behind') return { db: 'ok', schema, ...NOTHING_KNOWN }
  const known = schema === 'ok' ? await getHealth(db, nowSeconds()).catch(() => null) : null
  if (known === null) return { db: 'down', schema: 'unknown', ...NOTHING_KNOWN }
  return { db: 'ok', schema: 'ok', ...known }
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

/** Whether judging stands still. */
function isIdle({ runners, oldestSeconds }: Health): boolean {
  return runners === 0 || oldestSeconds > ALARM_WAITING_SECONDS
}

export const health = [
  route('GET /health', async (c, { query }) => {
    const [database, isUp] = await Promise.all([askDatabase(c.env), isQueueUp(c.env)])
    const answer: Health = {
      version: packageJson.version,
      queue: isUp ? 'ok' : 'down',
      ...database,
    }
    const isBroken = answer.schema !== 'ok' || answer.sweep === 'late'
    if (isBroken || (query.strict === '1' && isIdle(answer)))
      throw new AppError('unhealthy', answer)
    return answer
  }),
]

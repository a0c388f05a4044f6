/** GET /metrics: figures for a collector that has the token. */
import { settingFaults } from '#contract/installation/settings'
import { bearerToken } from '../../http/client.ts'
import { AppError, notConfigured } from '../../http/errors.ts'
import { guard } from '../../http/guard.ts'
import { route } from '../../http/route.ts'
import { nowSeconds } from '../../lib/clock.ts'
import { isSecret } from '../../lib/ids.ts'
import { openMetrics } from './open-metrics.ts'
import { readFigures } from './queries.ts'

const NEEDED = ['METRICS_TOKEN'] as const

/** Lets the collector with the token through. */
const collector = guard('metrics', async (c) => {
  const faults = settingFaults(c.env, NEEDED, NEEDED)
  if (faults.length > 0) throw notConfigured(faults)
  if (!(await isSecret(bearerToken(c), c.env.METRICS_TOKEN))) throw new AppError('bad_token')
})

export const metrics = [
  route('GET /metrics', collector, async (c) => {
    const text = openMetrics(await readFigures(c.var.db), nowSeconds())
    return c.body(text, 200, {
      'Content-Type': 'application/openmetrics-text; version=1.0.0; charset=utf-8',
    })
  }),
]

/** The Worker's entry: requests to the app, the clock to the sweeper. */
import { app } from './app.ts'
import type { Env } from './env.ts'
import { nowSeconds } from './lib/clock.ts'
import { sweep } from './features/judging/sweep.ts'

export default {
  fetch: app.fetch,
  async scheduled(_controller, env) {
    await sweep(env, nowSeconds())
  },
} satisfies ExportedHandler<Env>

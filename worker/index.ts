/** The Worker's entry: requests to the app, the clock to the sweeper, the task queue to its consumer. */
import { app } from './app.ts'
import type { Env } from './env.ts'
import { nowSeconds } from './lib/clock.ts'
import { consumeTasks } from './background/consume-tasks.ts'
import { sweep } from './background/sweep.ts'

export default {
  fetch: app.fetch,
  async queue(batch, env) {
    await consumeTasks(batch, env)
  },
  async scheduled(_controller, env) {
    await sweep(env, nowSeconds())
  },
} satisfies ExportedHandler<Env>

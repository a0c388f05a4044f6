/** The Worker's entry point: requests go to the app, the clock to the sweeper, the step queue to its consumer. */
import { app } from './app.ts'
import type { Env } from './env.ts'
import { nowSeconds } from './lib/clock.ts'
import { consumeSteps } from './background/consume-steps.ts'
import { sweep } from './background/sweep.ts'
import { watchSweeper } from './features/alarms/watch-sweeper.ts'

export { HostChannel } from './features/judging/hosts/host-channel.ts'
export { LiveChannel } from './features/live/channel.ts'

export default {
  fetch(request, env, context) {
    context.waitUntil(watchSweeper(env, Date.now()))
    return app.fetch(request, env, context)
  },
  async queue(batch, env) {
    await consumeSteps(batch, env)
  },
  async scheduled(_controller, env) {
    await sweep(env, nowSeconds())
  },
} satisfies ExportedHandler<Env>

/** `npm start`: the whole judge on this machine, in the shape it has in production, with a demo course. */
import { buildWeb } from './build-web.ts'
import { DEMO_PASSWORD } from './demo/accounts.ts'
import { handInCopies } from './demo/copies.ts'
import { onInterruption, untilAborted } from './interruption.ts'
import { readLocalSettings, workerVariables } from './local-settings.ts'
import { runCommand } from './plain-error.ts'
import { requireFreePort } from './ports.ts'
import { seedDemo } from './seed-demo.ts'
import { setUp } from './setup.ts'
import { startStack } from './stack.ts'

async function start(): Promise<void> {
  const settings = readLocalSettings(process.env)
  const signal = onInterruption()
  const untilStopped = untilAborted(signal)
  try {
    await requireFreePort(settings.PORT)
    await setUp({ judging: settings.RUNNERS > 0, browser: false })
    await buildWeb(signal)
    console.log('Starting …')
    const stack = await startStack({
      port: settings.PORT,
      stateDir: settings.STATE_DIR,
      runners: settings.RUNNERS,
      variables: workerVariables(settings),
      signal,
      log: console.log,
    })
    try {
      await Promise.race([seedDemo(stack.url, signal), stack.failure])
      await Promise.race([handInCopies(stack.url, signal), stack.failure])
      await stack.untilHealthy()
      console.log(`
  Ready: http://localhost:${settings.PORT}
  Demo logins: admin, teacher, ta, student (password: ${DEMO_PASSWORD})
  Logs and data: ${stack.stateDir}
  Stop with Ctrl-C.
`)
      await Promise.race([untilStopped, stack.failure])
    } finally {
      console.log('Stopping …')
      await stack.stop()
    }
  } catch (error) {
    if (!signal.aborted) throw error
  }
}

await runCommand(start)

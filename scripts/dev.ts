/** `npm run dev`: like `npm start`, with vite's dev server in front so that the web app reloads as it is edited. */
import { mkdirSync } from 'node:fs'
import { createServer } from 'vite'
import { DEMO_PASSWORD } from './demo/accounts.ts'
import { handInCopies } from './demo/copies.ts'
import { onInterruption, untilAborted } from './interruption.ts'
import { readLocalSettings, workerVariables } from './local-settings.ts'
import { runCommand } from './plain-error.ts'
import { freePort, requireFreePort } from './ports.ts'
import { ROOT } from './root.ts'
import { seedDemo } from './seed-demo.ts'
import { setUp } from './setup.ts'
import { startStack } from './stack.ts'

async function develop(): Promise<void> {
  const settings = readLocalSettings(process.env)
  const signal = onInterruption()
  const untilStopped = untilAborted(signal)
  try {
    await requireFreePort(settings.PORT)
    await setUp({ judging: settings.RUNNERS > 0, browser: false })
    // The Worker's configuration names the folder, so it has to exist, built or not.
    mkdirSync(`${ROOT}dist/web`, { recursive: true })
    const stack = await startStack({
      port: await freePort(),
      stateDir: settings.STATE_DIR,
      runners: settings.RUNNERS,
      variables: {
        ...workerVariables(settings),
        WEB_ORIGIN: `http://localhost:${settings.PORT}`,
      },
      signal,
      log: console.log,
    })
    try {
      process.env['API_ORIGIN'] = stack.url
      const vite = await createServer({
        configFile: `${ROOT}vite.config.ts`,
        server: { host: '127.0.0.1', port: settings.PORT, strictPort: true },
      })
      await vite.listen()
      await Promise.race([seedDemo(stack.url, signal), stack.failure])
      await Promise.race([handInCopies(stack.url, signal), stack.failure])
      await stack.untilHealthy()
      console.log(`
  Ready, with hot reload: http://localhost:${settings.PORT}
  Demo logins: admin, teacher, ta, student (password: ${DEMO_PASSWORD})
  Stop with Ctrl-C.
`)
      await Promise.race([untilStopped, stack.failure])
    } finally {
      await stack.stop()
    }
  } catch (error) {
    if (!signal.aborted) throw error
  }
}

await runCommand(develop)
// vite keeps watching files; there is nothing of it that would need an orderly end.
process.exit()

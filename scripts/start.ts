/**
 * `npm start`: the whole judge on this machine, with the same parts as in production, and a demo course.
 * `npm run dev` (`--reload`): the same behind vite's dev server, which reloads the web app when its files change.
 */
import { mkdirSync } from 'node:fs'
import { buildWeb } from './bundle/build-web.ts'
import { DEMO_PASSWORD } from './demo/accounts.ts'
import { handInCopies, lookForCopies } from './demo/copies.ts'
import { seedTerm } from './demo/term/seed-term.ts'
import { onInterruption, untilAborted } from './process/interruption.ts'
import { readLocalSettings, workerVariables } from './stack/local-settings.ts'
import { runCommand } from './plain-error.ts'
import { freePort, requireFreePort } from './stack/ports.ts'
import { ROOT } from './root.ts'
import { setUp } from './stack/setup.ts'
import { startStack, type Stack } from './stack/stack.ts'
import { claimStateFolder } from './stack/state-folder.ts'

const reloads = process.argv.includes('--reload')

/** Serves the web app and reloads it when its files change; calls below `/api` go to the stack. */
async function startVite(host: string, port: number, apiOrigin: string): Promise<void> {
  process.env['API_ORIGIN'] = apiOrigin
  const { createServer } = await import('vite')
  const vite = await createServer({
    configFile: `${ROOT}vite.config.ts`,
    server: { host, port, strictPort: true },
  })
  await vite.listen()
}

async function fillDemo(stack: Stack, signal: AbortSignal): Promise<void> {
  const teacher = await seedTerm(stack, signal)
  await lookForCopies(teacher, await handInCopies(teacher))
}

async function start(signal: AbortSignal): Promise<void> {
  const settings = readLocalSettings(process.env)
  const untilStopped = untilAborted(signal)
  const origin = `http://localhost:${settings.PORT}`
  await requireFreePort(settings.PORT)
  claimStateFolder(settings.STATE_DIR)
  await setUp({ judging: settings.RUNNERS > 0 })
  // The Worker's configuration names the folder of the web app, so it has to exist even when the app is not built.
  if (reloads) mkdirSync(`${ROOT}dist/web`, { recursive: true })
  else await buildWeb(signal)
  console.log(`Starting the Worker, the queue and judge hosts (${settings.RUNNERS}) …`)
  const stack = await startStack({
    port: reloads ? await freePort() : settings.PORT,
    ...(!reloads && { listen: settings.LISTEN }),
    stateDir: settings.STATE_DIR,
    runners: settings.RUNNERS,
    variables: { ...workerVariables(settings), WEB_ORIGIN: origin },
    signal,
    log: console.log,
  })
  try {
    console.log('Sending a term of demo data through the API; the first start takes a minute …')
    if (reloads) await startVite(settings.LISTEN, settings.PORT, stack.url)
    await Promise.race([fillDemo(stack, signal), stack.failure])
    await stack.untilHealthy()
    console.log(`
  Ready${reloads ? ', with hot reload' : ''}: ${origin}
  Demo logins: admin, teacher, ta, student (password: ${DEMO_PASSWORD})
  Logs and data: ${stack.stateDir}${settings.RUNNERS === 0 ? '\n  No judge host runs here: submissions wait until one does.' : ''}
  Stop with Ctrl-C.
`)
    await Promise.race([untilStopped, stack.failure])
  } finally {
    console.log('Stopping …')
    await stack.stop()
  }
}

await runCommand(async () => {
  const signal = onInterruption()
  await start(signal).catch((error: unknown) => {
    if (!signal.aborted) throw error
  })
})
// vite still watches files; it needs no orderly end.
if (reloads) process.exit()

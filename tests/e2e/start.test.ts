/** `npm start` as a person runs it: a real process on another port. */
import { spawn } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { networkInterfaces, tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterEach, expect, test } from 'vitest'
import { health } from '#contract/installation/health'
import { setupItems } from '#contract/installation/setup'
import { createApiClient } from '../../scripts/api-client.ts'
import { freePort } from '../../scripts/stack/ports.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const cleanUps: (() => Promise<void> | void)[] = []

afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp()
})

interface Start {
  port: number
  /** Everything printed so far. */
  output(): string
  /** Resolves with the exit code. */
  ended: Promise<number | null>
  /** Resolves when a line with the text has been printed, or when the process ends. */
  printed(text: string): Promise<void>
  signal(signal: NodeJS.Signals): void
}

/** Runs scripts/start.ts. */
async function runStart(
  environment: Record<string, string>,
  nodeOptions: readonly string[] = [],
): Promise<Start> {
  const port = Number(environment['PORT'] ?? (await freePort()))
  const child = spawn(process.execPath, [...nodeOptions, 'scripts/start.ts'], {
    cwd: root,
    env: { ...process.env, ...environment, PORT: String(port) },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  const waiting: { text: string; resolve: () => void }[] = []
  for (const stream of [child.stdout, child.stderr])
    createInterface({ input: stream }).on('line', (line) => {
      output += `${line}\n`
      for (const { text, resolve } of waiting) if (line.includes(text)) resolve()
    })
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  cleanUps.push(() => {
    child.kill('SIGKILL')
  })
  return {
    port,
    output: () => output,
    ended,
    printed: (text) =>
      Promise.race([
        new Promise<void>((resolve) => {
          waiting.push({ text, resolve })
          if (output.includes(text)) resolve()
        }),
        ended.then(() => undefined),
      ]),
    signal: (signal) => void child.kill(signal),
  }
}

/** An empty state folder that is removed after the test. */
async function stateFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'judge-start-'))
  cleanUps.push(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** The processes with a text in their arguments or environment. */
async function processesWith(text: string): Promise<{ pid: number; command: string }[]> {
  const found: { pid: number; command: string }[] = []
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    if (Number(pid) === process.pid) continue
    const [args = '', environment = ''] = await Promise.all(
      ['cmdline', 'environ'].map((file) =>
        readFile(`/proc/${pid}/${file}`, 'utf8').catch(() => ''),
      ),
    )
    if (args.includes(text) || environment.includes(text))
      found.push({ pid: Number(pid), command: args.replaceAll('\0', ' ') })
  }
  return found
}

test('npm start comes up with one runner and the demo, and SIGTERM leaves no process behind', async () => {
  const stateDir = await stateFolder()
  const start = await runStart({ STATE_DIR: stateDir, RUNNERS: '1' })
  await start.printed('Ready:')
  expect(start.output()).toContain(`Ready: http://localhost:${start.port}`)

  const api = createApiClient(`http://127.0.0.1:${start.port}`)
  expect(await api.call('GET', '/health', health)).toMatchObject({ db: 'ok', runners: 1 })
  await api.login('admin', 'demo-password')
  const origin = encodeURIComponent(`http://localhost:${start.port}`)
  expect(await api.call('GET', `/setup?page=${origin}`, setupItems)).toContainEqual(
    expect.objectContaining({ item: 'address', state: 'done' }),
  )
  // On machines with IPv6 the first address is ::1, where nothing listens.
  const page = await fetch(`http://localhost:${start.port}/`)
  expect(await page.text()).toContain('<html')
  // wrangler's own page for looking into the database is off: the app's page answers there.
  const explorer = await fetch(
    `http://localhost:${start.port}/cdn-cgi/local/explorer/api/d1/database`,
  )
  expect(explorer.headers.get('Content-Type')).toMatch(/^text\/html/)
  expect((await processesWith(stateDir)).length).toBeGreaterThan(2)

  start.signal('SIGTERM')
  expect(await start.ended).toBe(0)
  expect(await processesWith(stateDir)).toEqual([])
  // No file records every call; such a file would grow for ever.
  for (const part of ['worker', 'queue'])
    expect(await readdir(join(stateDir, part, 'v3'))).not.toContain('observability')

  // As on a Mac, where only judging needs Linux.
  const again = await runStart({ STATE_DIR: stateDir, PORT: String(start.port) }, [
    '--import',
    `data:text/javascript,Object.defineProperty(process,'platform',{value:'darwin'})`,
  ])
  await again.printed('Ready:')
  await again.printed('No judge host')
  expect(again.output()).toContain('No judge host runs here: submissions wait until one does.')
  again.signal('SIGTERM')
  expect(await again.ended).toBe(0)
})

/** An address by which other machines would reach this one, if it has one. */
const outerAddress = Object.values(networkInterfaces())
  .flat()
  .find((address) => address?.family === 'IPv4' && !address.internal)?.address

test('SIGKILL of npm start ends its processes too', async () => {
  const stateDir = await stateFolder()
  // As in a container, whose ports the engine passes on.
  const start = await runStart({ STATE_DIR: stateDir, RUNNERS: '0', LISTEN: '0.0.0.0' })
  await start.printed('Ready:')
  if (outerAddress)
    expect((await fetch(`http://${outerAddress}:${start.port}/api/health`)).status).toBe(200)
  start.signal('SIGKILL')
  await start.ended
  await expect.poll(() => processesWith(stateDir)).toEqual([])
})

test('a part that dies while the others start ends the start', async () => {
  const stateDir = await stateFolder()
  const start = await runStart({ STATE_DIR: stateDir, RUNNERS: '0' })
  const queue = async () =>
    (await processesWith(stateDir)).find(({ command }) => command.includes('local/wrangler.toml'))
  await expect.poll(queue).toBeDefined()
  process.kill((await queue())?.pid ?? 0, 'SIGKILL')
  expect(await start.ended).toBe(1)
  expect(start.output()).toContain('Error: queue has ended (SIGKILL):')
  expect(await processesWith(stateDir)).toEqual([])
})

test('a port in use is one clear line and exit code 1', async () => {
  const stateDir = await stateFolder()
  const { createServer } = await import('node:net')
  const port = await freePort()
  const server = createServer().listen(port, '127.0.0.1')
  cleanUps.push(() => void server.close())
  const start = await runStart({ STATE_DIR: stateDir, PORT: String(port) })
  expect(await start.ended).toBe(1)
  expect(start.output().trim().split('\n')).toEqual([
    expect.stringContaining(`Port ${port} is in use`),
  ])
})

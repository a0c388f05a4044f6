/** A local stack's folder, ports and settings, and how the start waits for it. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer as createHttpServer } from 'node:http'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { untilAborted } from '../../scripts/process/interruption.ts'
import { seedDemo } from '../../scripts/stack/seed-demo.ts'
import { readLocalSettings, workerVariables } from '../../scripts/stack/local-settings.ts'
import { freePort, requireFreePort } from '../../scripts/stack/ports.ts'
import type { RunnerProcess } from '../../scripts/stack/runner-process.ts'
import {
  fireCron,
  type Site,
  untilAnswering,
  untilHealthy,
} from '../../scripts/stack/stack-parts.ts'
import { claimStateFolder, folderSecret } from '../../scripts/stack/state-folder.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'site-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

test('a state folder is one living stack’s, whatever process has the number of a dead one', async () => {
  const state = join(folder, 'state')
  const release = claimStateFolder(state)
  const owner = join(state, 'owner-pid')
  expect(readFileSync(owner, 'utf8')).toBe(String(process.pid))
  claimStateFolder(state)
  release()
  expect(existsSync(owner)).toBe(false)
  const stack = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000); console.log(1)'])
  await once(stack.stdout, 'data')
  writeFileSync(owner, String(stack.pid))
  expect(() => claimStateFolder(state)).toThrow(
    `${state} is in use by process ${stack.pid}. Stop that process, or choose another folder`,
  )
  expect(readFileSync(owner, 'utf8')).toBe(String(stack.pid))
  stack.kill('SIGKILL')
  await once(stack, 'exit')
  claimStateFolder(state)()
  const other = spawn('sleep', ['600'])
  writeFileSync(owner, String(other.pid))
  claimStateFolder(state)()
  other.kill('SIGKILL')
  writeFileSync(join(folder, 'file'), '')
  expect(() => claimStateFolder(join(folder, 'file', 'state'))).toThrow(
    /^Nothing can be written in /,
  )
})

test('a secret stays the same in its folder, and is its owner’s', () => {
  const first = folderSecret(folder, 'one')
  expect(first).toMatch(/^[\w-]{43}$/)
  expect(folderSecret(folder, 'one')).toBe(first)
  expect(folderSecret(folder, 'two')).not.toBe(first)
  expect(statSync(join(folder, 'one')).mode & 0o777).toBe(0o600)
})

test.each(['127.0.0.1', '::1'])(
  'a port on which somebody listens at %s is refused',
  async (host) => {
    const port = await freePort()
    expect(port).toBeGreaterThanOrEqual(20_000)
    expect(port).toBeLessThan(32_000)
    const server = createServer()
    const isThere = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false))
      server.listen({ port, host }, () => resolve(true))
    })
    // Not every machine has IPv6.
    if (!isThere) return
    await expect(requireFreePort(port)).rejects.toThrow(`Port ${port} is in use.`)
    await new Promise((resolve) => server.close(resolve))
    await requireFreePort(port)
  },
)

test('settings of a start have defaults, and one that makes no sense is named', () => {
  const defaults = { PORT: 8787, LISTEN: '127.0.0.1', STATE_DIR: '.state', RUNNERS: 1 }
  expect(readLocalSettings({})).toEqual(defaults)
  const given = { PORT: '65535', LISTEN: '0.0.0.0', STATE_DIR: 'x', RUNNERS: '64' }
  const settings = readLocalSettings({ ...given, SUBMIT_LIMIT_PER_MINUTE: '0' })
  expect(settings).toEqual({
    PORT: 65_535,
    LISTEN: '0.0.0.0',
    STATE_DIR: 'x',
    RUNNERS: 64,
    SUBMIT_LIMIT_PER_MINUTE: '0',
  })
  expect(workerVariables(settings)).toEqual({ SUBMIT_LIMIT_PER_MINUTE: '0' })
  expect(workerVariables(readLocalSettings({}))).toEqual({})
  for (const [name, value] of [
    ['PORT', '0'],
    ['PORT', '65536'],
    ['PORT', 'x'],
    ['LISTEN', '::'],
    ['STATE_DIR', ''],
    ['RUNNERS', '-1'],
    ['RUNNERS', '65'],
    ['RUNNERS', '1.5'],
  ] as const)
    expect(() => readLocalSettings({ [name]: value })).toThrow(`${name}=${value} does not work: `)
})

test('the demo, whose passwords everybody knows, is put on no other machine', async () => {
  for (const url of [
    'https://judge.example.org',
    'http://127.0.0.1.example.org',
    'http://10.0.0.1',
  ])
    await expect(seedDemo(url)).rejects.toThrow(
      `The demo data belong on this machine only, not on ${url}.`,
    )
})

test('whoever waits for a signal that was given already does not wait', async () => {
  const stop = new AbortController()
  const waiting = untilAborted(stop.signal)
  stop.abort()
  await waiting
  await untilAborted(stop.signal)
})

/** A stack that gives these answers in turn, and then the last one for ever. */
async function serving(...answers: [status: number, data?: unknown][]) {
  const asked: string[] = []
  const server = createHttpServer((request, response) => {
    asked.push(request.url ?? '')
    const [status = 500, data] = answers.length > 1 ? (answers.shift() ?? []) : (answers[0] ?? [])
    response.writeHead(status).end(JSON.stringify({ status: 'ok', message: '', data }))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { asked, url, logs: folder, close: () => server.close() }
}

const process_ = (isRunning: boolean) =>
  ({ name: 'worker', logFile: join(folder, 'log'), isRunning: () => isRunning }) as Parameters<
    typeof untilAnswering
  >[1]

test('an address is there when it answers without a fault of its own, and never when its process has ended', async () => {
  const { url, asked, close } = await serving([500], [503], [404])
  await untilAnswering(`${url}/ready`, process_(true))
  expect(asked).toEqual(['/ready', '/ready', '/ready'])
  writeFileSync(join(folder, 'log'), 'why it ended\n')
  await expect(untilAnswering(url, process_(false))).rejects.toThrow(
    'worker did not start:\nwhy it ended',
  )
  expect(asked).toHaveLength(3)
  const stopped = AbortSignal.abort(new Error('stopped'))
  await expect(untilAnswering(url, process_(true), stopped)).rejects.toThrow('stopped')
  close()
})

/** A runner that is ready when it is asked the second time. */
function runnerOf(name: string, isBroken = false) {
  let looks = 0
  return {
    name,
    isReady: () => ++looks > 1,
    givenUp: () => isBroken,
    logTail: () => 'its last words',
  } as unknown as RunnerProcess
}

test('a stack is healthy with its database and all its runners, and never with one that does not stay up', async () => {
  const healthy = {
    version: '1',
    db: 'ok',
    schema: 'ok',
    queue: 'ok',
    runners: 2,
    oldestSeconds: 0,
    sweep: 'ok',
    storage: 'ok',
  }
  const site = await serving(
    [200, healthy],
    [200, healthy],
    [200, { ...healthy, runners: 1 }],
    [503, { ...healthy, db: 'down' }],
    [200, healthy],
  )
  const runners = [runnerOf('runner-1'), runnerOf('runner-2')]
  expect(await untilHealthy(site as unknown as Site, runners)).toMatchObject(healthy)
  expect(site.asked).toEqual(Array.from({ length: 5 }, () => '/api/health'))
  const broken = [runnerOf('runner-1'), runnerOf('runner-2', true)]
  await expect(untilHealthy(site as unknown as Site, broken)).rejects.toThrow(
    'runner-2 does not stay up:\nits last words',
  )
  site.close()
})

test('the minute task has run when its address says so', async () => {
  const { url, asked, close } = await serving([200], [500])
  expect([await fireCron(url), await fireCron(url)]).toEqual([true, false])
  expect(asked[0]).toBe('/cdn-cgi/local/scheduled?cron=*%20*%20*%20*%20*')
  close()
  expect(await fireCron('http://127.0.0.1:1')).toBe(false)
})

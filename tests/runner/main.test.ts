import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, mkdtemp, readdir, rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Job } from '#contract/judging'
import { STATUS } from '#contract/verdicts'
import { JudgeServer, QUEUE_TOKEN, REGISTRATION_TOKEN } from './judge-server.ts'
import { buildZip } from './zip-builder.ts'

// Not below /tmp: boxes have a /tmp of their own and would not reach the precompiled header.
const BUILD_DIR = join(import.meta.dirname, '../../build')
/** The header takes seconds to compile; all tests share one. */
const TOOLS_DIR = join(BUILD_DIR, 'test-tools')
const MAIN = join(import.meta.dirname, '../../runner/main.ts')

let server: JudgeServer
let stateDir = ''
const started: ChildProcess[] = []

beforeEach(async () => {
  await mkdir(TOOLS_DIR, { recursive: true })
  stateDir = await mkdtemp(join(BUILD_DIR, 'runner-test-'))
  await chmod(stateDir, 0o755)
  await symlink(TOOLS_DIR, join(stateDir, 'tools'))
  server = new JudgeServer()
  await server.start()
})
afterEach(async () => {
  for (const child of started.splice(0)) {
    child.kill('SIGKILL')
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  }
  await server.stop()
  await rm(stateDir, { recursive: true, force: true })
})

const QUEUE = {
  QUEUES_ACCOUNT_ID: 'account',
  QUEUE_ID: 'queue',
  QUEUES_API_TOKEN: QUEUE_TOKEN,
}

interface Running {
  child: ChildProcess
  /** Waits for a log line of this event, past ones included. */
  logged: (event: string) => Promise<Record<string, unknown>>
  ended: Promise<number | null>
  complaint: () => string
}

/** The real program with the real sandbox; it finds the test's server. */
function startRunner(env: Record<string, string> = QUEUE): Running {
  const child = spawn(process.execPath, [MAIN], {
    env: {
      PATH: '/usr/bin:/bin',
      SERVER_URL: server.url,
      RUNNER_REGISTRATION_TOKEN: REGISTRATION_TOKEN,
      RUNNER_STATE_DIR: stateDir,
      RUNNER_SLOTS: '2',
      QUEUES_API_BASE: `${server.url}/queue`,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  started.push(child)
  const lines: Record<string, unknown>[] = []
  const watchers = new Set<() => void>()
  let stderr = ''
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()))
  createInterface(child.stdout).on('line', (line) => {
    lines.push(JSON.parse(line))
    for (const wake of watchers) wake()
  })
  return {
    child,
    complaint: () => stderr,
    ended: once(child, 'exit').then(([code]) => code),
    async logged(event) {
      for (;;) {
        const found = lines.find((line) => line['event'] === event)
        if (found) return found
        const { promise, resolve } = Promise.withResolvers<void>()
        watchers.add(resolve)
        await promise
        watchers.delete(resolve)
      }
    },
  }
}

function source(code: string): Pick<Job, 'source'> {
  return { source: Buffer.from(code).toString('base64') }
}

/** Runs until the wall limit of the job's two seconds. */
const SLOW = source('import time\ntime.sleep(60)')

describe('a runner', () => {
  it('claims at once, judges, and reports with the lease', async () => {
    server.jobs.push(server.job(1))
    startRunner()
    const { id, body } = await server.seen('result')
    expect(id).toBe('1'.padStart(24, '0'))
    expect(body).toMatchObject({ lease: 'lease-1', status: STATUS.AC, score: 100, reason: null })
  })

  it('works without a queue, by asking', async () => {
    startRunner({ RUNNER_SLOTS: '1' })
    await server.seen('claim', 2)
    server.jobs.push(server.job(1))
    await server.seen('result')
    expect(server.named('pull')).toEqual([])
  })

  it('turns a ticket into a claim and acknowledges it when the claim was answered', async () => {
    startRunner()
    await server.seen('pull')
    server.jobs.push(server.job(1))
    server.ticket()
    server.ticket('nonsense')
    await server.seen('result')
    await server.seen('ack')
    const acks = server.named('ack').flatMap(({ body }) => body['acks'])
    expect(acks).toHaveLength(2)
  })

  it('does not acknowledge a ticket whose claim got no answer, and finds the job later', async () => {
    const runner = startRunner()
    await server.seen('pull')
    server.jobs.push(server.job(1))
    server.script = ({ name }) => (name === 'claim' ? 'cut' : undefined)
    server.ticket()
    await runner.logged('server_lost')
    expect(server.named('ack')).toEqual([])
    // What the lost answer held is given to the next claim when its lease has ended.
    server.jobs.push(server.job(1))
    server.script = () => undefined
    await runner.logged('server_back')
    await server.seen('result')
  })

  it('keeps judging by asking when the queue refuses it', async () => {
    server.script = ({ name }) => (name === 'pull' ? 403 : undefined)
    const runner = startRunner()
    await runner.logged('queue_failed')
    server.jobs.push(server.job(1))
    await server.seen('result')
  })

  it('judges as many jobs at once as it has slots, without tickets in between', async () => {
    for (let id = 1; id <= 6; id++) server.jobs.push(server.job(id))
    startRunner()
    await server.seen('result', 6)
    expect(new Set(server.named('result').map(({ id }) => id)).size).toBe(6)
    expect(server.named('pull')).toEqual([])
  })

  it('downloads test data once for many jobs', async () => {
    for (let id = 1; id <= 4; id++) server.jobs.push(server.job(id))
    startRunner()
    await server.seen('result', 4)
    expect(server.named('test-data')).toHaveLength(1)
  })

  it('calls a bad zip a Judge Error and names the entry', async () => {
    server.jobs.push(server.job(1, {}, buildZip([{ name: '0000.in', data: 'x', crc: 7 }])))
    startRunner()
    const { body } = await server.seen('result')
    expect(body).toMatchObject({ status: STATUS.JE, reason: expect.stringMatching(/^0000\.in: /) })
  })

  it('hands a job back, with the reason, when its test data are not there', async () => {
    server.script = ({ name }) => (name === 'test-data' ? 404 : undefined)
    server.jobs.push(server.job(1))
    startRunner()
    const { body } = await server.seen('release')
    expect(body).toMatchObject({ lease: 'lease-1', drained: false })
    expect(server.named('result')).toEqual([])
  })

  it('names its jobs in heartbeats, so that their leases live', async () => {
    server.heartbeatSeconds = 1
    server.jobs.push(server.job(1, SLOW))
    startRunner()
    await server.seen('progress')
    await server.seen('heartbeat', server.named('heartbeat').length + 1)
    expect(server.named('heartbeat').at(-1)?.body).toMatchObject({
      active: ['1'.padStart(24, '0')],
      slots: 2,
      free: 1,
    })
  })

  it('shows progress, and drops a job whose lease is gone', async () => {
    const first = server.job(1, SLOW)
    server.script = ({ name, id }) =>
      name === 'progress' && id === first.judgementId ? 409 : undefined
    const tasks = [50, 50].map((taskScore) => ({
      caseCount: 1,
      taskScore,
      timeLimit: 200,
      memoryLimit: 65_536,
      outputLimit: 64,
    }))
    server.jobs.push({ ...first, tasks })
    const runner = startRunner({ ...QUEUE, RUNNER_SLOTS: '1' })
    await runner.logged('lease_lost')
    server.jobs.push(server.job(2))
    await server.seen('result')
    expect(server.named('result').map(({ id }) => id)).toEqual(['2'.padStart(24, '0')])
    expect(server.named('release')).toEqual([])
    expect(server.named('progress')[0]?.body).toMatchObject({ lease: 'lease-1' })
  })

  it('takes nothing while the server says draining, and goes on afterwards', async () => {
    server.state = 'draining'
    server.heartbeatSeconds = 1
    const runner = startRunner()
    await runner.logged('paused')
    server.jobs.push(server.job(1))
    const claims = server.named('claim').length
    await server.seen('heartbeat', 3)
    expect(server.named('claim').length - claims).toBeLessThanOrEqual(1)
    server.state = 'active'
    await server.seen('result')
  })

  it('registers anew when its token is no longer known', async () => {
    startRunner()
    await server.seen('pull')
    server.token = 'token-2'
    server.jobs.push(server.job(1))
    server.ticket()
    await server.seen('result')
    expect(server.named('register')).toHaveLength(2)
  })
})

describe('a result', () => {
  it('is posted again until the server has stored it', async () => {
    let left = 2
    server.script = ({ name }) => (name === 'result' && left-- > 0 ? 503 : undefined)
    server.jobs.push(server.job(1))
    const runner = startRunner()
    await runner.logged('result_stored')
    expect(server.named('result')).toHaveLength(3)
    expect(await readdir(join(stateDir, 'results'))).toEqual([])
  })

  it('is dropped when the lease is stale', async () => {
    server.script = ({ name }) => (name === 'result' ? 409 : undefined)
    server.jobs.push(server.job(1))
    const runner = startRunner()
    await runner.logged('result_stale')
    expect(server.named('result')).toHaveLength(1)
    expect(await readdir(join(stateDir, 'results'))).toEqual([])
  })

  it('survives kill -9 and is posted by the next start', async () => {
    server.script = ({ name }) => (name === 'result' ? 503 : undefined)
    server.jobs.push(server.job(1))
    const first = startRunner()
    await first.logged('result_waits')
    first.child.kill('SIGKILL')
    await first.ended
    const tried = server.named('result').length
    server.script = () => undefined
    const second = startRunner()
    await second.logged('result_stored')
    expect(server.named('result')[tried]?.body).toMatchObject({
      lease: 'lease-1',
      status: STATUS.AC,
    })
    expect(server.named('register')).toHaveLength(1)
  })

  it('of judging during an outage is delivered when the server is back, before new claims', async () => {
    const runner = startRunner()
    await server.seen('pull')
    let down = false
    server.script = ({ name }) => {
      if (name === 'result') down = true
      return down ? 'cut' : undefined
    }
    server.jobs.push(server.job(1))
    server.ticket()
    await runner.logged('server_lost')
    const before = server.calls.length
    server.script = () => undefined
    await runner.logged('result_stored')
    const later = server.calls.slice(before).map(({ name }) => name)
    expect(later.filter((name) => name === 'result' || name === 'claim')[0]).toBe('result')
  })

  it('too large for the server goes without its outputs', async () => {
    server.script = ({ name, body }) =>
      name === 'result' && Array.isArray(body['outputs']) && body['outputs'].length > 0
        ? 413
        : undefined
    server.jobs.push(server.job(1, source('print(2)')))
    const runner = startRunner()
    await runner.logged('result_stored')
    expect(server.named('result')[1]?.body).toMatchObject({ status: STATUS.WA, outputs: [] })
  })
})

describe('a signal to stop', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)('%s lets a running job finish', async (signal) => {
    server.jobs.push(server.job(1, source('import time\ntime.sleep(0.5)\nprint(input())')))
    const runner = startRunner()
    await server.seen('progress')
    runner.child.kill(signal)
    server.jobs.push(server.job(2))
    expect(await runner.ended).toBe(0)
    expect(server.named('result')[0]?.body).toMatchObject({ status: STATUS.AC })
    expect(server.jobs).toHaveLength(1)
  })

  it('hands back what does not finish in time, without counting the attempt', async () => {
    const [task] = server.job(1).tasks
    const tasks = task ? [{ ...task, timeLimit: 60_000 }] : []
    server.jobs.push(server.job(1, { ...SLOW, tasks }))
    const runner = startRunner()
    await server.seen('progress')
    runner.child.kill('SIGTERM')
    expect(await runner.ended).toBe(0)
    expect(server.named('release')[0]?.body).toMatchObject({ lease: 'lease-1', drained: true })
    expect(server.named('result')).toEqual([])
  })

  it('ends an idle runner at once', async () => {
    const runner = startRunner()
    await runner.logged('ready')
    runner.child.kill('SIGTERM')
    expect(await runner.ended).toBe(0)
  })
})

describe('a runner that cannot work', () => {
  it('says every setting that is wrong and exits with 1', async () => {
    const runner = startRunner({ SERVER_URL: 'nowhere', RUNNER_SLOTS: '0' })
    expect(await runner.ended).toBe(1)
    expect(runner.complaint()).toMatch(/SERVER_URL must be an address[^]*RUNNER_SLOTS must be/)
  })

  it('says that the registration token is wrong and exits with 1', async () => {
    const runner = startRunner({ RUNNER_REGISTRATION_TOKEN: 'wrong' })
    expect(await runner.ended).toBe(1)
    expect(runner.complaint()).toMatch(/Check SERVER_URL, and that RUNNER_REGISTRATION_TOKEN/)
  })
})

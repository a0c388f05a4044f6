/** Jobs without a result: which go back, with which words, and what happens to the slot. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { type ActiveJob, ActiveJobs } from '../../runner/active-jobs.ts'
import { COMPILE_ANEW } from '../../runner/compile/program-cache.ts'
import { readConfig } from '../../runner/config.ts'
import { SlotPool } from '../../runner/host/slot-pool.ts'
import { JobWork } from '../../runner/job-work.ts'
import type { Box, CompileResult } from '../../runner/sandbox/box.ts'
import { SandboxError } from '../../runner/sandbox/errors.ts'
import { ServerClient } from '../../runner/server/client.ts'
import { RefusedError, UnreachableError } from '../../runner/server/errors.ts'
import { IdentityStore } from '../../runner/server/identity.ts'
import { TestDataCache } from '../../runner/test-data/store.ts'
import { eventually } from '../support/eventually.ts'
import { JudgeServer, REGISTRATION_TOKEN } from './fixtures/judge-server.ts'

let server: JudgeServer
let root = ''

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'job-work-'))
  server = new JudgeServer()
  await server.start()
})
afterEach(async () => {
  await server.stop()
  await rm(root, { recursive: true, force: true })
})

interface Given {
  openBox?: () => Promise<Box>
  isDraining?: boolean
}

/** Two slots, with one job at work and one that waits for a slot. */
async function working({ openBox = () => new Promise(() => {}), isDraining = false }: Given) {
  const events: string[] = []
  const log = (event: string) => void events.push(event)
  const env = { SERVER_URL: server.url, RUNNER_REGISTRATION_TOKEN: REGISTRATION_TOKEN }
  const host = {
    hostname: 'h',
    kernel: 'k',
    cpu: 'c',
    cores: 1,
    memoryKb: 1,
    cgroup: 'v2' as const,
  }
  const registration = { name: 'one', slots: 2, version: '0', host }
  const client = new ServerClient(readConfig(env), registration, new IdentityStore(root))
  const pool = await SlotPool.start(
    2,
    join(root, 'scratch'),
    async () => ({ openBox, openRefereeBox: openBox, close: async () => {} }),
    log,
  )
  const active = new ActiveJobs()
  const onSlot = vi.fn()
  const work = new JobWork(
    {
      server: client,
      settings: { ...(await client.register()).config, progressIntervalMs: 1 },
      pool,
      testData: await TestDataCache.open(join(root, 'data'), 1_000_000, client.download),
      compiler: COMPILE_ANEW,
      log,
    },
    { active, isDraining: () => isDraining, onSlot },
  )
  const [first, ahead] = [active.add(server.job(1)), active.add(server.job(2))]
  ahead.isAhead = true
  return {
    work,
    pool,
    active,
    events,
    onSlot,
    first,
    ahead,
    judge(job: ActiveJob) {
      const slot = pool.take()
      if (!slot) throw new Error('No slot is free.')
      return work.judgeIn(slot, job)
    },
  }
}

/** The jobs that went back, by number. */
function released() {
  return Object.fromEntries(server.named('release').map(({ id, body }) => [parseInt(id, 16), body]))
}

const AHEAD_BACK = {
  lease: 'lease-2',
  drained: true,
  fault: 'host',
  began: false,
  reason: 'The host could not judge the job before it.',
}

it.each([
  { error: new SandboxError('broken'), fault: 'host', used: 1 },
  { error: new TypeError('no such field'), fault: 'job', used: 2 },
])(
  'after $error the slot is opened anew, and what waits for one goes back',
  async ({ error, fault, used }) => {
    const { work, pool, events, onSlot, first, judge } = await working({
      openBox: () => Promise.reject(error),
    })
    expect(await judge(first)).toBeNull()
    await server.seen('release', 2)
    expect(released()).toEqual({
      1: { lease: 'lease-1', drained: false, fault, reason: error.message },
      2: AHEAD_BACK,
    })
    await eventually(() => expect(onSlot).toHaveBeenCalledTimes(1))
    expect(pool.free).toBe(used)
    expect(events.includes('fewer_slots')).toBe(used === 1)
    expect([work.ownFailures, work.mayWait]).toEqual([1, false])
    expect(first.abandoned).toBe(true)
  },
)

it.each([
  { error: new UnreachableError('no route'), fault: 'host' },
  { error: new RefusedError(404, 'test_data_not_found', 'gone'), fault: 'job' },
])('after $error the slot is as good as before, and what waits stays', async ({ error, fault }) => {
  const { work, pool, onSlot, first, ahead, judge } = await working({
    openBox: () => Promise.reject(error),
  })
  expect(await judge(first)).toBeNull()
  expect(released()).toEqual({
    1: { lease: 'lease-1', drained: false, fault, reason: error.message },
  })
  expect({ free: pool.free, failures: work.ownFailures }).toEqual({ free: 2, failures: 0 })
  expect(onSlot).not.toHaveBeenCalled()
  expect(ahead.abandoned).toBe(false)
})

it('a sandbox that fails while the runner stops was stopped with it', async () => {
  const { first, judge } = await working({
    openBox: () => Promise.reject(new SandboxError('ended')),
    isDraining: true,
  })
  await judge(first)
  expect(released()[1]).toMatchObject({ drained: true, fault: 'host' })
})

it('a job that gets its slot when the runner stops goes back before it begins, and the slot is free', async () => {
  const { pool, ahead, judge } = await working({ isDraining: true })
  expect(await judge(ahead)).toBeNull()
  await server.seen('release')
  expect(released()).toEqual({ 2: { ...AHEAD_BACK, reason: 'The runner was stopped.' } })
  expect(pool.free).toBe(2)
})

it('a job that is handed back says whether it had begun, and why', async () => {
  const { work, first, ahead } = await working({})
  await work.abandon(first, 'room')
  await work.abandon(ahead, 'late')
  const { began: _, ...begun } = AHEAD_BACK
  expect(released()).toEqual({
    1: { ...begun, lease: 'lease-1', reason: 'room' },
    2: { ...AHEAD_BACK, reason: 'late' },
  })
  expect([first, ahead].map(({ abort }) => abort.signal.aborted)).toEqual([true, true])
})

/** A box whose compiler runs until it is stopped. */
const COMPILES_ON: Box = {
  compile: async ({ stop }) => {
    await stop
    return { ok: false, message: new Uint8Array() } as CompileResult
  },
  run: () => Promise.reject(new Error('Nothing is compiled.')),
  attach: async () => {},
  close: async () => {},
}

it('only the server’s word that the lease is lost ends a job, and then nothing goes back', async () => {
  const { events, first, judge, pool, work } = await working({ openBox: async () => COMPILES_ON })
  const answers = [500, 404, 400, 403]
  server.script = ({ name }) => (name === 'progress' ? answers.shift() : undefined)
  const judged = judge(first)
  await server.seen('progress', 5)
  server.page = 409
  await server.seen('progress', 7)
  expect(first.abandoned).toBe(false)
  server.page = null
  server.script = ({ name }) => (name === 'progress' ? 409 : undefined)
  expect(await judged).toBeNull()
  expect([...new Set(events)]).toEqual(['lease_lost'])
  expect(server.named('release')).toEqual([])
  expect({ free: pool.free, failures: work.ownFailures }).toEqual({ free: 2, failures: 0 })
  expect(server.named('progress')[0]?.body).toEqual({
    lease: 'lease-1',
    phase: 'compiling',
    done: 0,
    total: 1,
  })
})

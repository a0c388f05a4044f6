/** A runner whose machine cannot judge. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { COMPILE_ANEW } from '../../runner/compile/program-cache.ts'
import { readConfig } from '../../runner/config.ts'
import { SlotPool } from '../../runner/host/slot-pool.ts'
import { Updates } from '../../runner/host/updates.ts'
import { Runner } from '../../runner/runner.ts'
import { SandboxError } from '../../runner/sandbox/errors.ts'
import { ServerClient } from '../../runner/server/client.ts'
import { IdentityStore } from '../../runner/server/identity.ts'
import { ResultOutbox } from '../../runner/server/outbox.ts'
import { TestDataCache } from '../../runner/test-data/store.ts'
import { JudgeServer, REGISTRATION_TOKEN } from './fixtures/judge-server.ts'

let server: JudgeServer
let root = ''

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'runner-'))
  server = new JudgeServer()
  await server.start()
})
afterEach(async () => {
  await server.stop()
  await rm(root, { recursive: true, force: true })
})

it('a machine that keeps failing rests longer each time, whatever happens meanwhile', async () => {
  const openBox = () => Promise.reject(new SandboxError('broken'))
  const log = () => {}
  const pool = await SlotPool.start(
    1,
    join(root, 'scratch'),
    async () => ({ openBox, openRefereeBox: openBox, close: async () => {} }),
    log,
  )
  const env = { SERVER_URL: server.url, RUNNER_REGISTRATION_TOKEN: REGISTRATION_TOKEN }
  const host = {
    hostname: 'h',
    kernel: 'k',
    cpu: 'c',
    cores: 1,
    memoryKb: 1,
    cgroup: 'v2' as const,
  }
  const introduction = { version: '0', host }
  const registration = { name: 'one', slots: 1, ...introduction }
  const client = new ServerClient(readConfig(env), registration, new IdentityStore(root))
  const times: number[] = []
  server.script = ({ name }) => {
    if (name === 'release') times.push(performance.now())
    return undefined
  }
  // The server offers each handed-back job again.
  server.jobs.push(server.job(1))
  const runner = new Runner({
    server: client,
    settings: (await client.register()).config,
    introduction,
    hasQueue: false,
    pool,
    testData: await TestDataCache.open(join(root, 'data'), 1_000_000, client.download),
    compiler: COMPILE_ANEW,
    outbox: await ResultOutbox.open(join(root, 'results'), client, log),
    updates: new Updates(root, log),
    log,
  })
  const over = runner.run()
  await server.seen('release', 4)
  runner.drain()
  await over
  const pauses = times.slice(1).map((time, index) => time - (times[index] ?? 0))
  for (const [index, leastMs] of [250, 500, 1_000].entries())
    expect(pauses[index], String(pauses)).toBeGreaterThan(leastMs - 20)
})

import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { STATUS } from '#contract/verdicts'
import { readConfig } from '../../../runner/config.ts'
import { identityOf, IdentityStore } from '../../../runner/server/identity.ts'
import { RefusedError, UnreachableError } from '../../../runner/server/errors.ts'
import { ServerClient } from '../../../runner/server/client.ts'
import { JudgeServer, QUEUE_TOKEN, REGISTRATION_TOKEN } from '../fixtures/judge-server.ts'

let server: JudgeServer
let root = ''

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'client-test-'))
  server = new JudgeServer()
  await server.start()
})
afterEach(async () => {
  await server.stop()
  await rm(root, { recursive: true })
})

const QUEUE = {
  QUEUES_ACCOUNT_ID: 'account',
  QUEUE_ID: 'queue',
  QUEUES_API_TOKEN: QUEUE_TOKEN,
}

const HOST = {
  hostname: 'host',
  kernel: '6',
  cpu: 'cpu',
  cores: 1,
  memoryKb: 1,
  cgroup: 'v2' as const,
}

function newClient(env: Record<string, string> = {}, queue: object | null = QUEUE): ServerClient {
  const config = readConfig({
    ...env,
    ...queue,
    SERVER_URL: server.url,
    ...(env['RUNNER_TOKEN'] === undefined && { RUNNER_REGISTRATION_TOKEN: REGISTRATION_TOKEN }),
    QUEUES_API_BASE: `${server.url}/queue`,
  })
  const registration = { name: config.name, slots: 1, version: '0', host: HOST }
  return new ServerClient(config, registration, new IdentityStore(root), { baseMs: 1, maxMs: 1 })
}

describe('registration', () => {
  it('happens once, is kept with an owner-only file, and outlives the process', async () => {
    const client = newClient()
    await Promise.all([client.claim(), client.claim(), client.register()])
    await newClient().claim()
    expect(server.named('register')).toHaveLength(1)
    expect((await stat(join(root, 'identity.json'))).mode & 0o777).toBe(0o600)
  })

  it('says who the runner is, and what comes of it is for this server and name alone', async () => {
    const identity = await newClient({ RUNNER_NAME: 'one' }).register()
    expect(server.named('register')[0]?.body).toEqual({
      name: 'one',
      slots: 1,
      version: '0',
      host: HOST,
    })
    const store = new IdentityStore(root)
    expect(await store.load(server.url, 'one')).toEqual(identity)
    expect(await store.load(server.url, 'two')).toBeNull()
    expect(await store.load('http://127.0.0.1:1', 'one')).toBeNull()
  })

  it('is replaced by the server’s usual times where an admin has added the runner', () => {
    expect(identityOf('own')).toEqual({
      runnerId: null,
      token: 'own',
      config: {
        leaseSeconds: 60,
        heartbeatSeconds: 15,
        idleClaimSeconds: 10,
        progressIntervalMs: 1_000,
      },
    })
  })

  it('happens again under a new name', async () => {
    await newClient({ RUNNER_NAME: 'old' }).claim()
    await newClient({ RUNNER_NAME: 'old' }).claim()
    await newClient({ RUNNER_NAME: 'new' }).claim()
    expect(server.named('register')).toHaveLength(2)
  })

  it('happens again, once for all calls, when the token is no longer known', async () => {
    const client = newClient()
    await client.register()
    server.token = 'token-2'
    await Promise.all([client.claim(), client.claim(), client.claim()])
    expect(server.named('register')).toHaveLength(2)
  })

  it('is not needed by a runner that an admin has added, and does not help one that was removed', async () => {
    server.token = 'made-by-an-admin'
    const client = newClient({ RUNNER_TOKEN: 'made-by-an-admin' })
    await client.claim()
    server.token = 'another'
    await expect(client.claim()).rejects.toThrow('RUNNER_TOKEN is wrong or has been revoked.')
    expect(server.named('register')).toHaveLength(0)
  })

  it('is refused with a wrong registration token, and may be tried again', async () => {
    server.script = ({ name }) => (name === 'register' ? 401 : undefined)
    const client = newClient()
    await expect(client.register()).rejects.toThrow(RefusedError)
    server.script = () => undefined
    await expect(client.register()).resolves.toMatchObject({ token: 'token-1' })
  })
})

describe('a call', () => {
  it.each([408, 429, 500, 502, 503])('answered %i means: try again later', async (status) => {
    const client = newClient()
    server.script = ({ name }) => (name === 'claim' ? status : undefined)
    const refused = expect(client.claim()).rejects
    await refused.toThrow(UnreachableError)
    await refused.toMatchObject({ retryAfterSeconds: null })
    server.retryAfterSeconds = 7
    await expect(client.claim()).rejects.toMatchObject({ retryAfterSeconds: 7 })
  })

  it('answered 409 is a refusal of the server’s, or of who stands before it', async () => {
    const client = newClient()
    server.script = ({ name }) => (name === 'progress' ? 409 : undefined)
    const report = { lease: 'x', phase: 'running' as const, done: 0, total: 1 }
    const id = '0'.repeat(24)
    const words = { status: 409, code: 'test', message: 'no', isFromServer: true }
    await expect(client.progress(id, report)).rejects.toMatchObject(words)
    expect(server.named('progress')).toMatchObject([{ id, body: report }])
    server.page = 409
    await expect(client.progress(id, report)).rejects.toMatchObject({
      status: 409,
      isFromServer: false,
    })
  })

  it('whose token the server does not know even after registration is refused', async () => {
    const client = newClient()
    server.script = ({ name }) => (name === 'claim' ? 401 : undefined)
    await expect(client.claim()).rejects.toMatchObject({ status: 401 })
    expect(server.named('register')).toHaveLength(2)
    expect(server.named('claim')).toHaveLength(2)
  })

  it('about a job answered 200 by a web page means: try again later', async () => {
    const client = newClient()
    await client.register()
    server.page = 200
    const result = {
      lease: 'x',
      status: STATUS.AC,
      score: 100,
      runTime: 1,
      memoryUsage: 1,
      tasks: [],
      compileMessage: null,
      reason: null,
      outputs: [],
    }
    const release = { lease: 'x', drained: true, reason: null }
    await expect(client.result('0'.repeat(24), result)).rejects.toThrow(UnreachableError)
    await expect(client.release('0'.repeat(24), release)).rejects.toThrow(UnreachableError)
  })

  it('cut off in the middle, or to a dead server, means: try again later', async () => {
    const client = newClient()
    server.script = ({ name }) => (name === 'claim' ? 'cut' : undefined)
    await expect(client.claim()).rejects.toThrow(UnreachableError)
    await server.stop()
    await expect(client.claim()).rejects.toThrow(UnreachableError)
    await server.start()
  })

  it('with an answer that is not the protocol’s means: try again later', async () => {
    const client = newClient()
    server.jobs.push({ ...server.job(1), lease: 7 as unknown as string })
    await expect(client.claim()).rejects.toThrow(UnreachableError)
  })
})

describe('tickets', () => {
  it('are pulled and acknowledged; malformed ones are told apart [QF6]', async () => {
    const client = newClient()
    server.ticket()
    server.ticket('nonsense')
    server.ticket('{"v":2}')
    const pulled = await client.pullTickets(5)
    expect(pulled).toEqual([
      { leaseId: expect.any(String), judgementId: 'a'.repeat(24) },
      { leaseId: expect.any(String), judgementId: null },
      { leaseId: expect.any(String), judgementId: null },
    ])
    await client.pullTickets(101)
    expect(server.named('pull').map(({ body }) => body)).toEqual([
      { batch_size: 5, visibility_timeout_ms: 30_000 },
      { batch_size: 100, visibility_timeout_ms: 30_000 },
    ])
    await client.acknowledge(pulled.map(({ leaseId }) => leaseId))
    const acks = pulled.map(({ leaseId }) => ({ lease_id: leaseId }))
    expect(server.named('ack')[0]?.body).toEqual({ acks, retries: [] })
  })
})

describe('a call', () => {
  it('names the runner and its version', async () => {
    await newClient().claim()
    expect(new Set(server.calls.map(({ agent }) => agent))).toEqual(
      new Set(['coursejudge-runner/0']),
    )
  })

  it('refused by a web page says so, and which rule to add', async () => {
    server.page = 403
    await expect(newClient().register()).rejects.toThrow(
      /^127\.0\.0\.1:\d+ answered 403 with a web page \(Cloudflare Ray ID 8f00\), not the server\. .*Browser Integrity Check.*starts_with\(http\.request\.uri\.path, "\/api\/runner\/"\)/,
    )
    server.page = 404
    await expect(newClient().register()).rejects.toThrow(/Check SERVER_URL/)
  })
})

describe('a download', () => {
  it('arrives whole, again after a hiccup', async () => {
    const client = newClient()
    const { testData } = server.job(1)
    let left = 1
    server.script = ({ name }) => (name === 'test-data' && left-- > 0 ? 'cut' : undefined)
    const path = join(root, 'zip')
    expect(await client.download(testData, path)).toBe(testData.sha256)
    expect(await readFile(path)).toEqual(server.zips.get(testData.version))
    expect(server.named('test-data')).toHaveLength(2)
  })

  it('is tried four times, and needs no hash to compare with', async () => {
    const client = newClient()
    const { testData } = server.job(1)
    const path = join(root, 'zip')
    expect(await client.download({ ...testData, sha256: null }, path)).toBe(testData.sha256)
    server.script = ({ name }) => (name === 'test-data' ? 503 : undefined)
    await expect(client.download(testData, path)).rejects.toThrow(UnreachableError)
    expect(server.named('test-data')).toHaveLength(1 + 4)
  })

  it('of something that is not there is a refusal, at once', async () => {
    const client = newClient()
    const { testData } = server.job(1)
    server.script = ({ name }) => (name === 'test-data' ? 404 : undefined)
    await expect(client.download(testData, join(root, 'zip'))).rejects.toThrow(RefusedError)
    expect(server.named('test-data')).toHaveLength(1)
  })

  it.each([
    ['another hash', { sha256: '0'.repeat(64) }],
    ['fewer bytes', { size: 10_000 }],
    ['more bytes', { size: 10 }],
  ])('with %s than announced is never used', async (_what, change) => {
    const client = newClient()
    const testData = { ...server.job(1).testData, ...change }
    await expect(client.download(testData, join(root, 'zip'))).rejects.toThrow(UnreachableError)
  })

  it('from another server is refused before the token is sent', async () => {
    const client = newClient()
    const testData = { ...server.job(1).testData, url: 'http://127.0.0.1:1/x' }
    await expect(client.download(testData, join(root, 'zip'))).rejects.toThrow(RefusedError)
    expect(server.calls).toEqual([])
  })
})

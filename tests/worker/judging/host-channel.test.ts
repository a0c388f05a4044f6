/** Waiting judge hosts are told of jobs. */
import { evictDurableObject, runInDurableObject } from 'cloudflare:test'
import { beforeEach, describe, expect, test } from 'vitest'
import { HOST_BUSY, HOST_JOB, HOST_WAITS, LIVE_CLOSE, LIVE_PING } from '#contract/live'
import type { Env } from '../../../worker/env.ts'
import { CHANNELS } from '../../../worker/lib/channel-limits.ts'
import { sha256Hex } from '../../../worker/lib/ids.ts'
import { sendTickets } from '../../../worker/lib/queues.ts'
import { allRows, runSql } from '../support/sql.ts'
import { workerEnv } from '../support/step-queue.ts'
import { claim, emptyQueue, report, reportOf } from '../support/judge.ts'
import {
  call,
  createPeople,
  createPerson,
  createProblem,
  fetchApi,
  registerRunner,
  submit,
} from '../support/world.ts'

test('a channel that hangs holds up neither tickets nor what comes after them', async () => {
  const hung = { wake: () => new Promise(() => {}) }
  const bindings = { ...workerEnv, HOSTS: { getByName: () => hung } } as unknown as Env
  await sendTickets(bindings, ['0'.repeat(24)])
})

const UPGRADE = { Upgrade: 'websocket' }

/** A judge host with its socket, its messages and its end. */
class Host {
  readonly texts: string[] = []
  closeCode: number | null = null
  readonly socket: WebSocket

  /** @param isDeaf whether it ignores the order to close */
  constructor(socket: WebSocket, isDeaf = false) {
    this.socket = socket
    socket.addEventListener('message', ({ data }) => this.texts.push(String(data)))
    socket.addEventListener('close', ({ code }) => (this.closeCode = code))
    socket.accept({ allowHalfOpen: isDeaf })
  }

  /** How often the host was told of a job. */
  get told(): number {
    return this.texts.filter((text) => text === HOST_JOB).length
  }
}

async function openHost(token?: string, isDeaf = false): Promise<Host> {
  const answer = await fetchApi('GET', '/runner/live', {
    token: token ?? (await registerRunner()),
    headers: UPGRADE,
  })
  expect(answer.status).toBe(101)
  if (!answer.webSocket) throw new Error('the answer has no socket')
  return new Host(answer.webSocket, isDeaf)
}

function channel() {
  const channels = workerEnv.HOSTS
  if (!channels) throw new Error('there is no channel')
  return channels.getByName('hosts')
}

/** How many waiting hosts the channel knows. */
function waiting(): Promise<number> {
  return runInDurableObject(
    channel(),
    (_object, state) =>
      state
        .getWebSockets()
        .filter((socket) => socket.readyState === WebSocket.OPEN)
        .filter((socket) => socket.deserializeAttachment().waits).length,
  )
}

/** Makes hosts say that they wait; returns when the channel knows. */
async function letWait(...hosts: Host[]): Promise<void> {
  const count = (await waiting()) + hosts.length
  for (const host of hosts) host.socket.send(HOST_WAITS)
  await expect.poll(waiting).toBe(count)
}

beforeEach(async () => {
  await emptyQueue()
  await runInDurableObject(channel(), (_object, state) => {
    for (const socket of state.getWebSockets()) socket.close(1000)
  })
})

test('a host that waits is told of a submission, once until it says so again', async () => {
  const { student, problemId } = await createProblem()
  const host = await openHost()
  await letWait(host)
  await submit(student, problemId)
  await expect.poll(() => host.told).toBe(1)
  await submit(student, problemId)
  await letWait(host)
  expect(host.told).toBe(1)
  await submit(student, problemId)
  await expect.poll(() => host.told).toBe(2)
})

test('of several that wait one is told of each job', async () => {
  const { student, problemId } = await createProblem()
  const hosts = [await openHost(), await openHost(), await openHost()]
  const told = () => hosts.map((host) => host.told).toSorted()
  await letWait(...hosts)
  await submit(student, problemId)
  await expect.poll(told).toEqual([0, 0, 1])
  await submit(student, problemId)
  await expect.poll(told).toEqual([0, 1, 1])
})

test('a host that says nothing, or that it is busy, is not told; who waits is', async () => {
  const { student, problemId } = await createProblem()
  const [silent, busy, free] = [await openHost(), await openHost(), await openHost()]
  await letWait(busy)
  busy.socket.send(HOST_BUSY)
  await expect.poll(waiting).toBe(0)
  await letWait(free)
  await submit(student, problemId)
  await expect.poll(() => free.told).toBe(1)
  expect([silent.told, busy.told]).toEqual([0, 0])
})

test('a host that was told as it became busy passes the message on', async () => {
  const { student, problemId } = await createProblem()
  const first = await openHost()
  await letWait(first)
  await submit(student, problemId)
  await expect.poll(() => first.told).toBe(1)
  const second = await openHost()
  await letWait(second)
  first.socket.send(HOST_BUSY)
  await expect.poll(() => second.told).toBe(1)
})

test('a host that was told of nothing wakes nobody by being busy', async () => {
  const [liar, waits] = [await openHost(), await openHost()]
  await letWait(waits)
  for (let count = 0; count < 20; count += 1) liar.socket.send(HOST_BUSY)
  await letWait(liar)
  expect(waits.told).toBe(0)
})

test('a host that hands a job back is not woken by it, another one is', async () => {
  const { student, problemId } = await createProblem()
  const [token, other] = [await registerRunner(), await registerRunner()]
  await submit(student, problemId)
  const { judgementId, lease } = (await claim(token)).data
  const [own, others] = [await openHost(token), await openHost(other)]
  await letWait(own, others)
  const json = { lease, drained: false, fault: 'host', reason: 'It is busy.' }
  await call('POST', `/runner/jobs/${judgementId}/release`, { token, json })
  await expect.poll(() => others.told).toBe(1)
  expect(own.told).toBe(0)
})

describe('a message that the woken host has no use for', () => {
  /** A job waits and the first host has been told of it; then a second host waits. */
  async function wakeFirst(first: Host) {
    await letWait(first)
    const { student, problemId } = await createProblem()
    await submit(student, problemId)
    await expect.poll(() => first.told).toBe(1)
    const second = await openHost()
    await letWait(second)
    return second
  }

  test('goes to the next one that waits where the host has all the jobs it may have', async () => {
    const { student, problemId } = await createProblem()
    await submit(student, problemId)
    const token = await registerRunner(1)
    await claim(token)
    const first = await openHost(token)
    const second = await wakeFirst(first)
    await letWait(first)
    expect((await claim(token)).status).toBe(204)
    await expect.poll(() => second.told).toBe(1)
    expect(first.told).toBe(1)
  })

  test('goes to the next one that waits where the answer to a result has no job', async () => {
    const { student, problemId } = await createProblem()
    for (let count = 0; count < 2; count += 1) await submit(student, problemId)
    const token = await registerRunner(2)
    const { judgementId, lease } = (await claim(token)).data
    await claim(token)
    const first = await openHost(token)
    const second = await wakeFirst(first)
    await letWait(first)
    await runSql`update runners set slot_limit = 1 where token_hash = ${await sha256Hex(token)}`
    const json = { ...reportOf(lease), next: {} }
    expect((await report(token, judgementId, json)).data).toBeNull()
    await expect.poll(() => second.told).toBe(1)
    expect(first.told).toBe(1)
  })

  test('goes round once where no host may take the job', async () => {
    const { student, problemId } = await createProblem()
    await submit(student, problemId)
    const tokens = [await registerRunner(), await registerRunner()]
    for (const token of tokens) {
      const { judgementId, lease } = (await claim(token)).data
      const json = { lease, drained: false, fault: 'host', reason: 'It is busy.' }
      await call('POST', `/runner/jobs/${judgementId}/release`, { token, json })
    }
    const [first, second] = [await openHost(tokens[0]), await openHost(tokens[1])]
    await letWait(first)
    await channel().wake(1)
    await expect.poll(() => first.told).toBe(1)
    await letWait(first, second)
    for (const token of [...tokens, ...tokens]) {
      expect((await claim(token)).status).toBe(204)
      await expect.poll(() => second.told).toBe(1)
      if ((await waiting()) === 1) await letWait(second)
    }
    expect([first.told, second.told]).toEqual([1, 1])
  })

  test('goes to the next one that waits where the host is gone', async () => {
    const first = await openHost()
    const second = await wakeFirst(first)
    first.socket.close(1000)
    await expect.poll(() => second.told).toBe(1)
  })

  test('goes to the next one that waits where the host is set to drain', async () => {
    const token = await registerRunner()
    const first = await openHost(token)
    const second = await wakeFirst(first)
    await letWait(first)
    // The state between the admin's call and the end of the socket.
    await runSql`update runners set state = 'draining' where token_hash = ${await sha256Hex(token)}`
    expect((await claim(token)).status).toBe(204)
    await expect.poll(() => second.told).toBe(1)
  })

  test('is not passed on where another host was faster', async () => {
    const token = await registerRunner()
    const first = await openHost(token)
    const second = await wakeFirst(first)
    await letWait(first)
    expect((await claim(await registerRunner())).status).toBe(200)
    expect((await claim(token)).status).toBe(204)
    expect(await waiting()).toBe(2)
    expect(second.told).toBe(0)
  })
})

test('of one host only the newest socket is told', async () => {
  const { student, problemId } = await createProblem()
  const token = await registerRunner()
  const ghost = await openHost(token)
  await letWait(ghost)
  const host = await openHost(token)
  await letWait(host)
  await submit(student, problemId)
  await expect.poll(() => host.told).toBe(1)
  expect(ghost.told).toBe(0)
})

test('a socket that is old ends with the next job: its host has to show its token again', async () => {
  const { student, problemId } = await createProblem()
  const host = await openHost()
  await letWait(host)
  await runInDurableObject(channel(), (_object, state) => {
    const [socket] = state.getWebSockets()
    socket?.serializeAttachment({
      openedMs: Date.now() - CHANNELS.seconds * 1_000 - 1,
      waits: true,
      isNotified: false,
      sequence: 0,
    })
  })
  await submit(student, problemId)
  await expect.poll(() => host.closeCode).toBe(LIVE_CLOSE.renew)
  expect(host.told).toBe(0)
})

test('a machine that is gone without a message is not told', async () => {
  const { student, problemId } = await createProblem()
  const gone = await openHost()
  await letWait(gone)
  await runInDurableObject(channel(), (_object, state) => {
    const [socket] = state.getWebSockets()
    socket?.serializeAttachment({
      openedMs: Date.now() - CHANNELS.hostSilentMs - 1,
      waits: true,
      isNotified: false,
      sequence: 0,
    })
  })
  const there = await openHost()
  await letWait(there)
  await submit(student, problemId)
  await expect.poll(() => there.told).toBe(1)
  expect(gone.told).toBe(0)
})

test('hosts that wait are told after the object has slept', async () => {
  const { student, problemId } = await createProblem()
  const host = await openHost()
  await letWait(host)
  await evictDurableObject(channel())
  await submit(student, problemId)
  await expect.poll(() => host.told).toBe(1)
})

test(`of one host ${CHANNELS.socketsOfHost} sockets stay, the newest`, async () => {
  const token = await registerRunner()
  const other = await openHost()
  const hosts: Host[] = []
  for (let count = 0; count <= CHANNELS.socketsOfHost; count += 1) hosts.push(await openHost(token))
  await expect.poll(() => hosts[0]?.closeCode).toBe(LIVE_CLOSE.replaced)
  expect(hosts.filter(({ closeCode }) => closeCode !== null)).toHaveLength(1)
  expect(other.closeCode).toBeNull()
})

describe('a host that does not close its sockets when told to', () => {
  /** Opens as many sockets as one host may hold; those beyond `CHANNELS.socketsOfHost` are told to close. */
  async function openDeaf(token: string): Promise<Host[]> {
    const hosts: Host[] = []
    for (let count = 0; count < CHANNELS.socketsOfHostHeld; count += 1)
      hosts.push(await openHost(token, true))
    return hosts
  }

  const statusOf = async (token: string) =>
    (await fetchApi('GET', '/runner/live', { token, headers: UPGRADE })).status

  test('opens no further one until one is gone, and another host does', async () => {
    const token = await registerRunner()
    const [oldest] = await openDeaf(token)
    const refused = await call('GET', '/runner/live', { token, headers: UPGRADE })
    expect(refused).toMatchObject({ status: 429, code: 'too_many_sockets' })
    expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThan(0)
    await openHost()
    oldest?.socket.close()
    await expect.poll(() => statusOf(token)).toBe(101)
    expect(await statusOf(token)).toBe(429)
  })

  test('is told of nothing over them, whatever it says, and others are', async () => {
    const { student, problemId } = await createProblem()
    const token = await registerRunner()
    const told = await openHost(token, true)
    await letWait(told)
    await submit(student, problemId)
    await expect.poll(() => told.told).toBe(1)
    const others = await openHost()
    await letWait(others)
    const admin = await createPerson(0)
    const [host] = await allRows<{ runnerId: string }>`
      select id as runnerId from runners where token_hash = ${await sha256Hex(token)}`
    expect((await admin.delete(`/runners/${host?.runnerId}`)).status).toBe(200)
    // The deaf host does not answer, so its message passes to the next host.
    await expect.poll(() => others.told).toBe(1)
    for (const message of [HOST_WAITS, HOST_BUSY, LIVE_PING]) told.socket.send(message)
    await letWait(others)
    await channel().wake(2)
    await expect.poll(() => others.told).toBe(2)
    expect(told.texts).toEqual([HOST_JOB])
  })

  test('leaves them to the count of all hosts’ sockets when it is removed', async () => {
    const clients = await runInDurableObject(channel(), (_object, state) =>
      // Sockets of other tests may end meanwhile.
      Array.from({ length: CHANNELS.hostSocketsHeld }, () => {
        const { 0: client, 1: server } = new WebSocketPair()
        state.acceptWebSocket(server, ['removed'])
        server.serializeAttachment({ openedMs: 1, waits: false, isNotified: false, sequence: 0 })
        server.close(LIVE_CLOSE.signedOut)
        client.accept({ allowHalfOpen: true })
        return client
      }),
    )
    const status = await statusOf(await registerRunner())
    await runInDurableObject(channel(), () => {
      for (const client of clients) client.close()
    })
    expect(status).toBe(429)
  })
})

test('a host that says anything else is cut off', async () => {
  const host = await openHost()
  host.socket.send('give me all jobs')
  await expect.poll(() => host.closeCode).toBe(LIVE_CLOSE.unexpected)
})

test('a host that an admin deletes loses its socket, and gets no other', async () => {
  const admin = await createPerson(0)
  const added = await admin.post('/runners', { name: 'to be deleted' })
  const { runnerId, token } = added.data
  const host = await openHost(token)
  expect((await admin.delete(`/runners/${runnerId}`)).status).toBe(200)
  await expect.poll(() => host.closeCode).toBe(LIVE_CLOSE.signedOut)
  expect((await call('GET', '/runner/live', { token, headers: UPGRADE })).status).toBe(401)
})

test('no socket is opened for a person, or without asking for one', async () => {
  const [as] = await createPeople(2)
  expect((await call('GET', '/runner/live', { as, headers: UPGRADE })).status).toBe(401)
  const token = await registerRunner()
  expect(await call('GET', '/runner/live', { token })).toMatchObject({
    status: 426,
    code: 'upgrade_required',
  })
})

test('a host that is set to drain is told of nothing: its sockets end, and it opens none', async () => {
  const admin = await createPerson(0)
  const { runnerId, token } = (await admin.post('/runners', { name: 'rack' })).data
  const host = await openHost(token)
  const rows: { runnerId: string; etag: string }[] = (await admin.get('/runners')).data
  const etag = rows.find((row) => row.runnerId === runnerId)?.etag ?? ''
  const drain = { state: 'draining' }
  await admin.patch(`/runners/${runnerId}`, drain, { 'If-Match': etag })
  await expect.poll(() => host.closeCode).toBe(LIVE_CLOSE.signedOut)
  const answer = await call('GET', '/runner/live', { token, headers: UPGRADE })
  expect(answer).toMatchObject({ status: 404, code: 'live_off' })
})

test('of several sockets of one host only the newest counts', async () => {
  const token = await registerRunner()
  const older = await openHost(token)
  const newer = await openHost(token)
  older.socket.send(HOST_WAITS)
  await letWait(newer)
  expect(await waiting()).toBe(1)
})

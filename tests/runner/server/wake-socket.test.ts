/** The socket over which the server wakes a runner, against a real server: its messages, and when it is opened again. */
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { HOST_BUSY, HOST_JOB, HOST_WAITS, LIVE_CLOSE, LIVE_PING, LIVE_PONG } from '#contract/live'
import { WakeSocket } from '../../../runner/server/wake-socket.ts'

/** The status by which the server refuses sockets; null if it accepts them. */
let refusal: number | null = null
let server: WebSocketServer
let ended: (() => void) | undefined

beforeEach(async () => {
  refusal = null
  server = new WebSocketServer({
    host: '127.0.0.1',
    port: 0,
    verifyClient: (_: unknown, answer: (takes: boolean, status?: number) => void) =>
      refusal === null ? answer(true) : answer(false, refusal),
  })
  await once(server, 'listening')
  vi.useFakeTimers({
    toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance'],
  })
  // Makes each random wait as long as possible.
  vi.spyOn(Math, 'random').mockReturnValue(1)
})
afterEach(() => {
  ended?.()
  vi.useRealTimers()
  vi.restoreAllMocks()
  for (const client of server.clients) client.terminate()
  server.close()
})

/** A runner's socket, and the events that it saw. */
function waking() {
  const url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}`
  const seen = { connects: 0, jobs: 0, closes: 0, events: [] as string[] }
  let told = Promise.withResolvers<void>()
  const tell = (what: 'jobs' | 'closes') => () => {
    seen[what] += 1
    told.resolve()
    told = Promise.withResolvers<void>()
  }
  const subject = new WakeSocket({
    connect: async () => {
      seen.connects += 1
      return new WebSocket(url)
    },
    onJob: tell('jobs'),
    onClose: tell('closes'),
    log: (event, fields) => seen.events.push(`${event}: ${String(fields?.['error'])}`),
  })
  const over = subject.run()
  ended = () => subject.stop()
  return {
    subject,
    seen,
    over,
    /** Waits until this has happened `count` times. */
    async until(what: 'jobs' | 'closes', count: number) {
      while (seen[what] < count) await told.promise
    },
    /** The server's end of the next socket, once the runner knows that it is open. */
    async opened() {
      const jobs = seen.jobs
      const [socket] = (await once(server, 'connection')) as [WebSocket]
      while (seen.jobs === jobs) await told.promise
      return socket
    },
  }
}

/** Waits until the runner has read everything from the server: it answers frames in order. */
async function read(socket: WebSocket): Promise<void> {
  const answer = once(socket, 'pong')
  socket.ping()
  await answer
}

it('what is new is said, once, and a message while it is busy is answered with that', async () => {
  const { subject, seen, opened } = waking()
  expect(subject.say(true)).toBe(false)
  const socket = await opened()
  const heard: string[] = []
  socket.on('message', (data) => heard.push(String(data)))
  expect(subject.isOpen).toBe(true)
  expect([subject.say(false), subject.say(true), subject.say(true)]).toEqual([false, true, false])
  socket.send('something else')
  socket.send(HOST_JOB)
  await read(socket)
  expect(seen.jobs).toBe(2)
  // The server forgets that the runner waits until the runner says so again.
  expect([subject.say(true), subject.say(false)]).toEqual([true, true])
  socket.send(HOST_JOB)
  await read(socket)
  expect(seen.jobs).toBe(2)
  expect(heard).toEqual([HOST_WAITS, HOST_WAITS, HOST_BUSY, HOST_BUSY])
})

it.each([
  { why: 'for its age', code: LIVE_CLOSE.renew, pauseMs: 2_000 },
  { why: 'because another process has its place', code: LIVE_CLOSE.replaced, pauseMs: 600_000 },
])('a socket that is closed $why is followed by another after $pauseMs ms', async (given) => {
  const { seen, opened, until } = waking()
  const socket = await opened()
  socket.close(given.code)
  await until('closes', 1)
  await vi.advanceTimersByTimeAsync(given.pauseMs - 1)
  expect(seen.connects).toBe(1)
  const next = opened()
  await vi.advanceTimersByTimeAsync(1)
  await next
  expect(seen).toEqual({ connects: 2, jobs: 2, closes: 1, events: [] })
})

it.each([
  { status: 404, pauseMs: 600_000, events: [] },
  {
    status: 429,
    pauseMs: 2_000,
    events: ['wake_socket_failed: The server answered 429.'],
  },
])('after a refusal with $status it is tried again after $pauseMs ms', async (given) => {
  refusal = given.status
  const { seen, opened, until } = waking()
  await until('closes', 1)
  await vi.advanceTimersByTimeAsync(given.pauseMs - 1)
  expect(seen).toEqual({ connects: 1, jobs: 0, closes: 1, events: given.events })
  refusal = null
  const next = opened()
  await vi.advanceTimersByTimeAsync(1)
  await next
})

/** Lets `count` pings pass, which the server answers. */
async function beat(socket: WebSocket, count: number): Promise<void> {
  for (let ping = 0; ping < count; ping += 1) {
    const message = once(socket, 'message')
    await vi.advanceTimersByTimeAsync(25_000)
    const [data] = await message
    expect(String(data)).toBe(LIVE_PING)
    socket.send(LIVE_PONG)
    await read(socket)
  }
}

it('pauses grow with sockets that end soon, and one that lasted has earned a quick one', async () => {
  const { seen, opened, until } = waking()
  let socket = await opened()
  /** Closes the socket, and waits for the next one, which must come after exactly this pause. */
  async function closed(pauseMs: number): Promise<void> {
    const { closes, connects } = seen
    socket.close(LIVE_CLOSE.renew)
    await until('closes', closes + 1)
    await vi.advanceTimersByTimeAsync(pauseMs - 1)
    expect(seen.connects).toBe(connects)
    const next = opened()
    await vi.advanceTimersByTimeAsync(1)
    socket = await next
  }
  await closed(2_000)
  await closed(4_000)
  await beat(socket, 3)
  // The pause was already set when this socket opened; only the next one is short.
  await closed(8_000)
  await closed(2_000)
})

it('a server that does not answer a ping until the next is left', async () => {
  const { seen, opened, until } = waking()
  const socket = await opened()
  await beat(socket, 1)
  const pinged = once(socket, 'message')
  await vi.advanceTimersByTimeAsync(25_000)
  await pinged
  expect(seen.closes).toBe(0)
  await vi.advanceTimersByTimeAsync(25_000)
  await until('closes', 1)
})

it('stopped it opens no other one', async () => {
  const { subject, seen, opened, over } = waking()
  const socket = await opened()
  const closed = once(socket, 'close')
  subject.stop()
  await Promise.all([over, closed])
  await vi.advanceTimersByTimeAsync(600_000)
  expect(seen.connects).toBe(1)
})

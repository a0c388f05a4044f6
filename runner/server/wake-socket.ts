/**
 * Receives the server's message that there may be a job, over a WebSocket (RFC 6455). Without a socket the runner looks for jobs
 * more often, yet finds them later.
 */
import { WebSocket } from 'ws'
import { LIVE } from '#contract/limits'
import { HOST_BUSY, HOST_JOB, HOST_WAITS, LIVE_CLOSE, LIVE_PING } from '#contract/live'
import { Alarm } from '../lib/alarm.ts'
import { type Backoff, backoffMs } from '../lib/backoff.ts'
import { describeError, type Log } from '../lib/log.ts'

const BACKOFF: Backoff = { baseMs: 2_000, maxMs: 120_000 }
/** The pause after a refusal, ms: the server is older or has sockets switched off, or another process's socket replaced this one. */
const REFUSED_PAUSE_MS = 600_000
/** If a socket was open for longer than this, ms, the next socket is tried soon. */
const STEADY_MS = 60_000

interface WakeSocketOptions {
  /** Begins to open a socket. */
  connect: () => Promise<WebSocket>
  onJob: () => void
  onClose: () => void
  log: Log
}

export class WakeSocket {
  private readonly options: WakeSocketOptions
  private readonly pause = new Alarm()
  private socket: WebSocket | null = null
  /** The last message: this runner waits, or the server has a job. Null: no message yet, or this runner said that it is busy. */
  private lastMessage: typeof HOST_WAITS | typeof HOST_JOB | null = null
  private stopped = false

  constructor(options: WakeSocketOptions) {
    this.options = options
  }

  get isOpen(): boolean {
    return this.socket?.readyState === WebSocket.OPEN
  }

  /** Tells the server whether this runner waits for a job, unless it knows. @returns whether a message was sent */
  say(waits: boolean): boolean {
    if (!this.isOpen || this.lastMessage === (waits ? HOST_WAITS : null)) return false
    this.lastMessage = waits ? HOST_WAITS : null
    this.socket?.send(waits ? HOST_WAITS : HOST_BUSY)
    return true
  }

  /** Keeps a socket open until stopped. */
  async run(): Promise<void> {
    for (let failures = 1; !this.stopped; failures++) {
      let pauseMs = backoffMs(failures, BACKOFF)
      const beganMs = performance.now()
      try {
        this.socket = await this.options.connect()
        const isWelcome = await this.listen(this.socket)
        if (!isWelcome) pauseMs = REFUSED_PAUSE_MS
        else if (performance.now() - beganMs > STEADY_MS) failures = 0
      } catch (error) {
        if (!this.stopped) this.options.log('wake_socket_failed', { error: describeError(error) })
      }
      if (!this.stopped) await this.pause.wait(pauseMs)
    }
  }

  stop(): void {
    this.stopped = true
    this.socket?.terminate()
    this.pause.ring()
  }

  /** Waits for the end of a socket. @returns whether the next one may open soon. @throws the connection's error */
  private async listen(socket: WebSocket): Promise<boolean> {
    const { promise, resolve, reject } = Promise.withResolvers<boolean>()
    let isHeard = true
    const pings = setInterval(() => {
      if (!isHeard) return socket.terminate()
      isHeard = false
      if (this.isOpen) socket.send(LIVE_PING)
    }, LIVE.pingMs)
    socket.on('open', () => {
      this.lastMessage = null
      // The runner looks for jobs that came before the socket opened.
      this.options.onJob()
    })
    socket.on('message', (data) => {
      isHeard = true
      if (String(data) !== HOST_JOB) return
      // The server sent this message before it heard that this runner is busy.
      if (this.lastMessage === null) return socket.send(HOST_BUSY)
      this.lastMessage = HOST_JOB
      this.options.onJob()
    })
    socket.on('unexpected-response', (_, { statusCode = 0 }) => {
      socket.terminate()
      if (statusCode === 404) resolve(false)
      else reject(new Error(`The server answered ${statusCode}.`))
    })
    socket.on('error', reject)
    socket.on('close', (code) => resolve(code !== LIVE_CLOSE.replaced))
    // `stop` may have been called while the socket was made.
    if (this.stopped) socket.terminate()
    try {
      return await promise
    } finally {
      clearInterval(pings)
      this.options.onClose()
    }
  }
}

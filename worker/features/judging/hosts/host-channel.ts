/** The open sockets of the judge hosts: a Durable Object that sleeps, with its sockets open, while no message comes. */
import { DurableObject } from 'cloudflare:workers'
import * as z from 'zod'
import { HOST_BUSY, HOST_JOB, HOST_WAITS, LIVE_CLOSE, LIVE_PING, LIVE_PONG } from '#contract/live'
import type { Env } from '../../../env.ts'
import { SOCKET_OWNER_HEADER, tooManySockets } from '../../../http/live.ts'
import { CHANNELS } from '../../../lib/channel-limits.ts'

/**
 * The data of a socket while the object sleeps. `openedMs`: epoch ms. `waits`: its host is to be told of the next job.
 * `isNotified`: the host was told of a job and has not answered since. `sequence`: the number of the last message it was sent; 0:
 * none.
 */
const attachment = z.object({
  openedMs: z.int(),
  waits: z.boolean(),
  isNotified: z.boolean(),
  sequence: z.int(),
})
type Attachment = z.infer<typeof attachment>
const SILENT = { waits: false, isNotified: false, sequence: 0 }

const noteOf = (socket: WebSocket) => attachment.parse(socket.deserializeAttachment())
const note = (socket: WebSocket, change: Partial<Attachment>) =>
  socket.serializeAttachment({ ...noteOf(socket), ...change } satisfies Attachment)

/** This object holds only sockets, so its end loses nothing: hosts connect again, and until then look for jobs by themselves. */
export class HostChannel extends DurableObject<Env> {
  constructor(state: DurableObjectState, env: Env) {
    super(state, env)
    // Pings are answered without waking the object.
    state.setWebSocketAutoResponse(new WebSocketRequestResponsePair(LIVE_PING, LIVE_PONG))
  }

  /** Opens a socket of a host. Only the Worker calls this, after it has checked the host's token. */
  override fetch(request: Request): Response {
    const runnerId = request.headers.get(SOCKET_OWNER_HEADER) ?? ''
    const held = this.ctx.getWebSockets(runnerId).length
    if (
      held >= CHANNELS.socketsOfHostHeld ||
      this.ctx.getWebSockets().length >= CHANNELS.hostSocketsHeld
    )
      return tooManySockets()
    const open = this.openSockets(runnerId).toSorted(
      (a, b) => noteOf(a).openedMs - noteOf(b).openedMs,
    )
    for (const socket of open.slice(0, Math.max(0, open.length - CHANNELS.socketsOfHost + 1)))
      socket.close(LIVE_CLOSE.replaced)
    // Only a host's newest socket is told of jobs: its older sockets probably belong to lost connections.
    for (const socket of open) note(socket, SILENT)
    const { 0: client, 1: server } = new WebSocketPair()
    this.ctx.acceptWebSocket(server, [runnerId])
    server.serializeAttachment({ openedMs: Date.now(), ...SILENT } satisfies Attachment)
    return new Response(null, { status: 101, webSocket: client })
  }

  /**
   * Tells as many waiting hosts as there are jobs, each once. Chance decides which, because one of them may be faulty. Also closes
   * old sockets: their hosts connect again, with their tokens.
   * @param but a host to leave out: it has just handed the jobs back
   */
  wake(jobs: number, but?: string): void {
    const renewMs = Date.now() - CHANNELS.seconds * 1_000
    for (const socket of this.openSockets())
      if (noteOf(socket).openedMs < renewMs) this.close(socket, LIVE_CLOSE.renew)
    const last = Math.max(0, ...this.openSockets().map((socket) => noteOf(socket).sequence))
    this.notify(jobs, last + 1, but)
  }

  /** Tells another host of the job, in place of a host whose claim was refused. */
  passOn(runnerId: string): void {
    const [newest] = this.openSockets(runnerId).toSorted(
      (a, b) => noteOf(b).openedMs - noteOf(a).openedMs,
    )
    if (newest) this.notify(1, noteOf(newest).sequence, runnerId)
  }

  /** Ends the sockets of a host. */
  end(runnerId: string): void {
    for (const socket of this.openSockets(runnerId)) this.close(socket, LIVE_CLOSE.signedOut)
  }

  override webSocketClose(socket: WebSocket): void {
    this.passOnIfNotified(socket)
  }

  override webSocketError(socket: WebSocket): void {
    this.passOnIfNotified(socket)
  }

  override webSocketMessage(socket: WebSocket, message: string | ArrayBuffer): void {
    // The socket is closing, but its host still sends.
    if (socket.readyState !== WebSocket.OPEN) return
    if (message !== HOST_WAITS && message !== HOST_BUSY)
      return this.close(socket, LIVE_CLOSE.unexpected)
    const { openedMs } = noteOf(socket)
    const [runnerId] = this.ctx.getTags(socket)
    // A host may keep several sockets, but only its newest socket counts.
    if (this.openSockets(runnerId).some((other) => noteOf(other).openedMs > openedMs)) return
    // The host is busy, so another host is told of the job.
    if (message === HOST_BUSY) this.passOnIfNotified(socket)
    note(socket, { waits: message === HOST_WAITS, isNotified: false })
  }

  /** Closes a socket. The socket's host may never answer, so another host is now told of the job. */
  private close(socket: WebSocket, code: number): void {
    socket.close(code)
    this.passOnIfNotified(socket)
    note(socket, SILENT)
  }

  /** Tells another host of the job of which this host was told without answering. */
  private passOnIfNotified(socket: WebSocket): void {
    const { isNotified, sequence } = noteOf(socket)
    if (isNotified) this.notify(1, Math.max(1, sequence), this.ctx.getTags(socket)[0])
  }

  /**
   * Tells `count` waiting hosts of a job. It leaves out hosts that were already sent this message or a later one, so a message
   * that no host can use reaches each host only once.
   */
  private notify(count: number, sequence: number, but?: string): void {
    const waiting = this.openSockets().filter(
      (socket) =>
        noteOf(socket).waits &&
        noteOf(socket).sequence < sequence &&
        this.isHeardOf(socket) &&
        this.ctx.getTags(socket)[0] !== but,
    )
    const first = Math.floor(Math.random() * waiting.length)
    for (const socket of [...waiting.slice(first), ...waiting.slice(0, first)].slice(0, count)) {
      note(socket, { waits: false, isNotified: true, sequence })
      socket.send(HOST_JOB)
    }
  }

  private openSockets(tag?: string): WebSocket[] {
    return this.ctx.getWebSockets(tag).filter(({ readyState }) => readyState === WebSocket.OPEN)
  }

  /** Whether a host has opened its socket or sent a ping lately: a machine may vanish without a message. */
  private isHeardOf(socket: WebSocket): boolean {
    const pingedMs = this.ctx.getWebSocketAutoResponseTimestamp(socket)?.getTime() ?? 0
    return Math.max(pingedMs, noteOf(socket).openedMs) > Date.now() - CHANNELS.hostSilentMs
  }
}

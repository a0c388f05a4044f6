/** The live channel of one person: a Durable Object that sleeps, with its sockets open, while nothing is sent. */
import { DurableObject } from 'cloudflare:workers'
import * as z from 'zod'
import { LIVE_CLOSE, LIVE_PING, LIVE_PONG, submissionHint, type LiveHint } from '#contract/live'
import type { JudgingProgress } from '#contract/submissions'
import type { Env } from '../../env.ts'
import { SOCKET_OWNER_HEADER, tooManySockets } from '../../http/live.ts'
import { CHANNELS } from '../../lib/channel-limits.ts'

/** The data of a socket while the object sleeps. Epoch ms. */
const attachment = z.object({ openedMs: z.int() })

const openedMs = (socket: WebSocket) => attachment.parse(socket.deserializeAttachment()).openedMs

/**
 * One person's channel. It holds the sockets of the person's pages and, in memory, the progress of judging their submissions. While
 * it sleeps it keeps only the sockets. Its end loses nothing: pages connect again, and judge hosts report progress again.
 */
export class LiveChannel extends DurableObject<Env> {
  /** The progress under each lease, the lease with the oldest report first. */
  private readonly progress = new Map<string, JudgingProgress>()

  constructor(state: DurableObjectState, env: Env) {
    super(state, env)
    // Pings are answered without waking the object.
    state.setWebSocketAutoResponse(new WebSocketRequestResponsePair(LIVE_PING, LIVE_PONG))
  }

  /** Opens a socket. Only the Worker calls this, after it has checked who asks. */
  override fetch(request: Request): Response {
    if (this.ctx.getWebSockets().length >= CHANNELS.socketsHeld) return tooManySockets()
    const open = this.openSockets().toSorted((a, b) => openedMs(a) - openedMs(b))
    for (const socket of open.slice(0, Math.max(0, open.length - CHANNELS.sockets + 1)))
      socket.close(LIVE_CLOSE.replaced)
    const { 0: client, 1: server } = new WebSocketPair()
    this.ctx.acceptWebSocket(server, [request.headers.get(SOCKET_OWNER_HEADER) ?? ''])
    server.serializeAttachment({ openedMs: Date.now() } satisfies z.infer<typeof attachment>)
    return new Response(null, { status: 101, webSocket: client })
  }

  /** Sends a hint over every socket, and closes old sockets. */
  push(hint: LiveHint): void {
    const text = JSON.stringify(hint)
    const newMs = Date.now() - CHANNELS.seconds * 1_000
    for (const socket of this.openSockets())
      if (openedMs(socket) < newMs) socket.close(LIVE_CLOSE.renew)
      else socket.send(text)
  }

  /** Remembers the progress of the judging under a lease, and sends it as a hint. */
  pushProgress(lease: string, submissionId: string, progress: JudgingProgress): void {
    this.progress.delete(lease)
    this.progress.set(lease, progress)
    const [oldest] = this.progress.keys()
    if (oldest !== undefined && this.progress.size > CHANNELS.progress) this.progress.delete(oldest)
    this.push(submissionHint(submissionId, progress))
  }

  /** The last reported progress of the judging under a lease; null while nothing is known. */
  progressOf(lease: string): JudgingProgress | null {
    return this.progress.get(lease) ?? null
  }

  /** Ends all sockets, or those of one session. */
  end(sessionHash?: string): void {
    for (const socket of this.openSockets(sessionHash)) socket.close(LIVE_CLOSE.signedOut)
  }

  /** The open sockets, without those that are closing: a send over these throws. @param tag the hash of a session */
  private openSockets(tag?: string): WebSocket[] {
    return this.ctx.getWebSockets(tag).filter(({ readyState }) => readyState === WebSocket.OPEN)
  }

  /** Pages must send nothing, so a message closes the socket. */
  override webSocketMessage(socket: WebSocket): void {
    socket.close(LIVE_CLOSE.unexpected)
  }
}

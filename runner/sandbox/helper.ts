/** One helper process and the pipe to it. It answers one request at a time. */
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process'
import { once } from 'node:events'
import { SandboxError } from './errors.ts'
import {
  decodeReply,
  encodeRequest,
  type HelperReply,
  type HelperRequest,
  REPLY_BYTES,
  replyTailBytes,
  REQUEST_KIND,
} from './protocol.ts'

/** How long the helper may take beyond what the request allows its program, ms. */
const PATIENCE_MS = 30_000
/** How many wall limits a run may take on a crowded machine. After them the helper itself gives up (`protocol.h`). */
const MAX_WALL_SHARE = 3
/** How much longer a conversation may take, ms. */
const TALK_PATIENCE_MS = 60_000

/** The messages to a helper while its program runs. The runner sends each message when its promise settles. */
interface Notices {
  /** The peer has ended: the wall limit of a program that waits for it counts from now. */
  peerEnd?: Promise<unknown> | undefined
  /** The program is stopped. */
  stop?: Promise<unknown> | undefined
}

interface Waiting {
  resolve(reply: HelperReply): void
  reject(error: SandboxError): void
}

export class Helper {
  private readonly child: ChildProcessWithoutNullStreams
  private readonly ended: Promise<unknown>
  private received: Buffer = Buffer.alloc(0)
  private waiting: Waiting | null = null
  private dead: SandboxError | null = null
  private complaint = ''

  /** Starts a helper and waits until it is ready. @throws SandboxError with the reason why it is not */
  static async start(binary: string, args: readonly string[]): Promise<Helper> {
    const helper = new Helper(binary, args)
    await helper.nextReply(PATIENCE_MS)
    return helper
  }

  private constructor(binary: string, args: readonly string[]) {
    const child = spawn(binary, args, { stdio: ['pipe', 'pipe', 'pipe'], env: {}, cwd: '/' })
    this.child = child
    this.ended = once(child, 'close').catch(() => undefined)
    child.stdout.on('data', (chunk: Buffer) => this.receive(chunk))
    child.stderr.on('data', (chunk: Buffer) => {
      this.complaint = (this.complaint + chunk).slice(-4_000)
    })
    child.stdin.on('error', () => undefined)
    child.on('error', (error) => this.die(`the sandbox helper does not start: ${error.message}`))
    child.on('close', (code, signal) => {
      this.die(`the sandbox helper ended (${signal ?? code}) ${this.complaint}`.trim())
    })
  }

  /** Whether requests can still be answered. */
  get isAlive(): boolean {
    return this.dead === null
  }

  /** @throws SandboxError when the helper failed, fell silent or is gone; it cannot be used again then */
  async request(request: HelperRequest, notices?: Notices): Promise<HelperReply> {
    if (this.waiting) throw new SandboxError('the slot is busy')
    const bytes = encodeRequest(request)
    const patienceMs = request.attached ? PATIENCE_MS + TALK_PATIENCE_MS : PATIENCE_MS
    const timeoutMs = patienceMs + MAX_WALL_SHARE * (request.limits?.wallMs ?? 0)
    const reply = this.nextReply(timeoutMs, notices)
    if (this.isAlive) this.child.stdin.write(bytes)
    return reply
  }

  /** Lets the helper clean up and waits for its end. */
  async close(): Promise<void> {
    this.child.stdin.destroy()
    const timer = setTimeout(() => this.child.kill('SIGKILL'), PATIENCE_MS)
    await this.ended
    clearTimeout(timer)
  }

  private die(reason: string): void {
    this.dead ??= new SandboxError(reason)
    this.child.stdin.destroy()
    this.waiting?.reject(this.dead)
    this.waiting = null
  }

  private receive(chunk: Buffer): void {
    this.received = this.received.length === 0 ? chunk : Buffer.concat([this.received, chunk])
    try {
      this.takeReply()
    } catch (error) {
      this.child.kill('SIGKILL')
      this.die(String(error))
    }
  }

  private takeReply(): void {
    if (this.received.length < REPLY_BYTES) return
    const length = REPLY_BYTES + replyTailBytes(this.received)
    if (this.received.length < length) return
    const reply = decodeReply(this.received.subarray(0, length))
    this.received = this.received.subarray(length)
    if (reply.failed) return this.die(reply.tail.toString())
    this.waiting?.resolve(reply)
    this.waiting = null
  }

  /** Waits for a reply. The timeout counts from `peerEnd`, if that is given. */
  private nextReply(timeoutMs: number, { peerEnd, stop }: Notices = {}): Promise<HelperReply> {
    if (this.dead) return Promise.reject(this.dead)
    const { promise, resolve, reject } = Promise.withResolvers<HelperReply>()
    const current: Waiting = { resolve, reject }
    this.waiting = current
    let timer: NodeJS.Timeout | undefined
    const startTimer = () => {
      timer = setTimeout(() => {
        this.child.kill('SIGKILL')
        this.die('the sandbox helper does not answer')
      }, timeoutMs)
    }
    const tellAfter = (notice: Promise<unknown>, kind: number, act?: () => void) => {
      const tell = () => {
        if (this.waiting !== current) return
        act?.()
        this.child.stdin.write(encodeRequest({ kind }))
      }
      notice.then(tell, tell)
    }
    if (stop) tellAfter(stop, REQUEST_KIND.stop)
    if (peerEnd) tellAfter(peerEnd, REQUEST_KIND.peerEnded, startTimer)
    else startTimer()
    return promise.finally(() => clearTimeout(timer))
  }
}

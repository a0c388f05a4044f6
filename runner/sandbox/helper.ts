/** One helper process and the pipe to it: a request, then its reply, one at a time. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { SandboxError } from './errors.ts'
import {
  decodeReply,
  encodeRequest,
  REPLY_BYTES,
  replyTailBytes,
  REQUEST_KIND,
} from './protocol.ts'
import type { HelperReply, HelperRequest } from './protocol.ts'

/** How long the helper may take beyond what the request allows its program, in ms. */
const PATIENCE_MS = 30_000
/** The most that a run on a crowded machine takes, in wall limits (`protocol.h`); the helper itself gives up there. */
const MAX_WALL_SHARE = 3
/** What a conversation may take beyond that. */
const TALK_PATIENCE_MS = 60_000

/** What a helper is told while its program runs; each says so by settling. */
interface Notices {
  /** The peer of a program that waits for it has ended: its wall limit counts from then. */
  peerEnd?: Promise<unknown> | undefined
  /** The program need not go on. */
  stop?: Promise<unknown> | undefined
}

export interface Helper {
  /** @throws SandboxError when the helper failed, fell silent or is gone; it is dead then. */
  request(request: HelperRequest, notices?: Notices): Promise<HelperReply>
  /** Whether requests can still be answered. */
  alive(): boolean
  /** Lets it clean up and waits for its end. */
  close(): Promise<void>
}

interface Waiting {
  resolve(reply: HelperReply): void
  reject(error: SandboxError): void
}

/** Starts a helper and waits until it is ready. @throws SandboxError with the reason if it is not. */
export async function startHelper(binary: string, args: readonly string[]): Promise<Helper> {
  const child = spawn(binary, args, { stdio: ['pipe', 'pipe', 'pipe'], env: {}, cwd: '/' })
  const ended = once(child, 'close').catch(() => undefined)
  let received: Buffer = Buffer.alloc(0)
  let waiting: Waiting | null = null
  let dead: SandboxError | null = null
  let complaint = ''

  function die(reason: string) {
    dead ??= new SandboxError(reason)
    child.stdin.destroy()
    waiting?.reject(dead)
    waiting = null
  }

  function takeReply() {
    if (received.length < REPLY_BYTES) return
    const length = REPLY_BYTES + replyTailBytes(received)
    if (received.length < length) return
    const reply = decodeReply(received.subarray(0, length))
    received = received.subarray(length)
    if (reply.failed) return die(reply.tail.toString())
    waiting?.resolve(reply)
    waiting = null
  }

  child.stdout.on('data', (chunk: Buffer) => {
    received = received.length === 0 ? chunk : Buffer.concat([received, chunk])
    try {
      takeReply()
    } catch (error) {
      child.kill('SIGKILL')
      die(String(error))
    }
  })
  child.stderr.on('data', (chunk: Buffer) => (complaint = (complaint + chunk).slice(-4_000)))
  child.stdin.on('error', () => undefined)
  child.on('error', (error) => die(`the sandbox helper does not start: ${error.message}`))
  child.on('close', (code, signal) => {
    die(`the sandbox helper ended (${signal ?? code}) ${complaint}`.trim())
  })

  /** The next reply, within so long of `peerEnd` where that is given. */
  function next(timeoutMs: number, { peerEnd, stop }: Notices = {}): Promise<HelperReply> {
    return new Promise((resolve, reject) => {
      if (dead) return reject(dead)
      let timer: NodeJS.Timeout | undefined
      const startTimer = () => {
        timer = setTimeout(() => {
          child.kill('SIGKILL')
          die('the sandbox helper does not answer')
        }, timeoutMs)
      }
      const current: Waiting = {
        resolve(reply) {
          clearTimeout(timer)
          resolve(reply)
        },
        reject(error) {
          clearTimeout(timer)
          reject(error)
        },
      }
      waiting = current
      const tellAfter = (notice: Promise<unknown>, kind: number, act?: () => void) => {
        const tell = () => {
          if (waiting !== current) return
          act?.()
          child.stdin.write(encodeRequest({ kind }))
        }
        notice.then(tell, tell)
      }
      if (stop) tellAfter(stop, REQUEST_KIND.stop)
      if (peerEnd) tellAfter(peerEnd, REQUEST_KIND.peerEnded, startTimer)
      else startTimer()
    })
  }

  await next(PATIENCE_MS)

  return {
    async request(request, notices) {
      if (waiting) throw new SandboxError('the slot is busy')
      const bytes = encodeRequest(request)
      const patienceMs = request.attached ? PATIENCE_MS + TALK_PATIENCE_MS : PATIENCE_MS
      const reply = next(patienceMs + MAX_WALL_SHARE * (request.limits?.wallMs ?? 0), notices)
      if (!dead) child.stdin.write(bytes)
      return reply
    },
    alive: () => dead === null,
    async close() {
      child.stdin.destroy()
      const timer = setTimeout(() => child.kill('SIGKILL'), PATIENCE_MS)
      await ended
      clearTimeout(timer)
    },
  }
}

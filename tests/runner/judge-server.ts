/** A small real server that speaks the runner protocol and the queue's pull API; tests script its answers. */
import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Job } from '#contract/judging'
import { testDataZip } from './zip-builder.ts'

export const REGISTRATION_TOKEN = 'registration-token'
export const QUEUE_TOKEN = 'queue-token'

/** One call as it came. `name` is e.g. `claim`, `result`, `pull`. */
export interface SeenCall {
  name: string
  /** The judgement in the path, if any. */
  id: string
  body: Record<string, unknown>
}

/** What a script does instead of the usual answer: a status, or `cut` for a socket closed without one. */
export type Script = (call: SeenCall) => number | 'cut' | 'hang' | undefined

const ROUTES: [RegExp, string][] = [
  [/^\/api\/runner\/register$/, 'register'],
  [/^\/api\/runner\/heartbeat$/, 'heartbeat'],
  [/^\/api\/runner\/jobs\/claim$/, 'claim'],
  [/^\/api\/runner\/jobs\/(\w+)\/progress$/, 'progress'],
  [/^\/api\/runner\/jobs\/(\w+)\/result$/, 'result'],
  [/^\/api\/runner\/jobs\/(\w+)\/release$/, 'release'],
  [/^\/api\/runner\/test-data\/(\w+)$/, 'test-data'],
  [/^\/queue\/accounts\/account\/queues\/queue\/messages\/(pull|ack)$/, 'queue'],
]

export class JudgeServer {
  readonly calls: SeenCall[] = []
  readonly jobs: Job[] = []
  readonly tickets: { lease_id: string; body: string }[] = []
  readonly zips = new Map<string, Buffer>()
  script: Script = () => undefined
  state: 'active' | 'draining' = 'active'
  /** A runner whose token is not this one gets 401. */
  token = 'token-1'
  heartbeatSeconds = 15
  private readonly watchers = new Set<() => void>()
  private readonly server = createServer((request, response) => void this.serve(request, response))

  async start(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.server.listen(0, '127.0.0.1', resolve)
    await promise
  }

  async stop(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.server.close(() => resolve())
    this.server.closeAllConnections()
    await promise
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`
  }

  /** A job with one `cat`-like case unless told otherwise; its data are served from here. */
  job(id: number, change: Partial<Job> = {}, zip = testDataZip([[['1\n', '1\n']]])): Job {
    const sha256 = createHash('sha256').update(zip).digest('hex')
    const version = change.testData?.version ?? sha256.slice(0, 16)
    this.zips.set(version, zip)
    return {
      judgementId: id.toString(16).padStart(24, '0'),
      submissionId: 'f'.repeat(24),
      attempt: 1,
      lease: `lease-${id}`,
      leaseSeconds: 60,
      language: 'py3',
      source: Buffer.from('print(input())').toString('base64'),
      testData: { version, sha256, size: zip.length, url: `/api/runner/test-data/${version}` },
      tasks: [
        { caseCount: 1, taskScore: 100, timeLimit: 2_000, memoryLimit: 65_536, outputLimit: 64 },
      ],
      compare: { mode: 'lines' },
      ...change,
    }
  }

  /** Queues a ticket, by default a good one. */
  ticket(body: string = JSON.stringify({ v: 1, judgementId: 'a'.repeat(24) })): void {
    const lease_id = `ticket-${this.tickets.length}-${Math.random()}`
    this.tickets.push({ lease_id, body: Buffer.from(body).toString('base64') })
  }

  named(name: string): SeenCall[] {
    return this.calls.filter((call) => call.name === name)
  }

  /** Waits for `count` calls of a name; each call wakes it. */
  async seen(name: string, count = 1): Promise<SeenCall> {
    for (;;) {
      const found = this.named(name)[count - 1]
      if (found) return found
      const { promise, resolve } = Promise.withResolvers<void>()
      this.watchers.add(resolve)
      await promise
      this.watchers.delete(resolve)
    }
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const text = Buffer.concat(chunks).toString()
    const path = request.url ?? ''
    const [pattern, route = 'unknown'] = ROUTES.find(([pattern]) => pattern.test(path)) ?? []
    const id = pattern?.exec(path)?.[1] ?? ''
    const name = route === 'queue' ? id : route
    const call = { name, id, body: text === '' ? {} : JSON.parse(text) }
    const planned = this.script(call) ?? this.refusal(name, request.headers.authorization ?? '')
    const answer = planned === undefined || planned === 'cut' ? this.answer(call) : undefined
    this.calls.push(call)
    for (const wake of this.watchers) wake()
    if (planned === 'hang') return
    if (planned === 'cut') return void request.socket.destroy()
    if (Buffer.isBuffer(answer)) return void response.end(answer)
    response.statusCode = planned ?? (answer === null ? 204 : 200)
    response.setHeader('content-type', 'application/json')
    if (answer === null) return void response.end()
    const body = name === 'pull' || name === 'ack' ? { success: true, result: answer } : answer
    if (planned !== undefined)
      return void response.end(
        JSON.stringify({ status: 'err', code: 'test', message: 'no', data: null }),
      )
    response.end(
      JSON.stringify(
        name === 'pull' || name === 'ack' ? body : { status: 'ok', message: '', data: body },
      ),
    )
  }

  private refusal(name: string, authorization: string): number | undefined {
    const queue = name === 'pull' || name === 'ack'
    const token = queue ? QUEUE_TOKEN : name === 'register' ? REGISTRATION_TOKEN : this.token
    return authorization === `Bearer ${token}` ? undefined : 401
  }

  private answer({ name, id, body }: SeenCall): unknown {
    switch (name) {
      case 'register':
        return {
          runnerId: '9'.repeat(24),
          token: this.token,
          config: {
            leaseSeconds: 60,
            heartbeatSeconds: this.heartbeatSeconds,
            idleClaimSeconds: 10,
            progressIntervalMs: 50,
          },
        }
      case 'heartbeat':
        return { state: this.state }
      case 'claim':
        return this.jobs.shift() ?? null
      case 'pull':
        return { messages: this.tickets.splice(0, Number(body['batch_size'])) }
      case 'test-data':
        return this.zips.get(id)
      default:
        return {}
    }
  }
}

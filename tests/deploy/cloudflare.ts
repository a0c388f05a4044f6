/**
 * A stand-in for the calls of Cloudflare's API that a deploy makes: accounts, D1 (real SQLite databases with D1's limits), R2,
 * Queues and Workers. It refuses calls that come too fast. It records every call, and refuses and lists unknown ones.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { ACCOUNT_ID, emptyAccount, Refusal, type Account } from './account.ts'
import type { Clock } from '../../scripts/deploy/pace.ts'
import { answerQueues } from './queues.ts'
import { openClock, openRateLimit, type RateLimit } from './rate-limit.ts'
import { answerStorage } from './storage.ts'
import { answerWorkers } from './workers.ts'

export const TOKEN = 'token-of-the-tests'

/** A call as it arrived; `body` is JSON or a form, parsed. */
export interface Call {
  method: string
  /** Path below the account; `/accounts` itself for the list of accounts. */
  path: string
  query: URLSearchParams
  body: unknown
  /** User agent of the caller. */
  agent: string
  /** Jurisdiction of the bucket, from a header. */
  jurisdiction: string | undefined
}

/** The answer of one part of the API; undefined if another part answers the call. */
export type Answer = (account: Account, call: Call) => unknown

const PARTS: Answer[] = [answerAccount, answerStorage, answerQueues, answerWorkers]

function answerAccount(account: Account, { method, path }: Call): unknown {
  if (method !== 'GET') return undefined
  // After a refusal wrangler asks these to explain it.
  if (path === '/user') return { email: 'teacher@example.org' }
  if (path === '/user/tokens/verify') return { id: 'token', status: 'active' }
  if (path === '/memberships') return [{ account: { id: ACCOUNT_ID, name: 'University' } }]
  if (path === '/accounts') return account.accounts
  if (path === '/subscriptions') {
    if (!account.mayReadPlans) throw new Refusal(403, 10_000, 'Authentication error')
    return account.plans.map((id) => ({ rate_plan: { id, is_contract: id === 'contract' } }))
  }
}

/** `refuse` answers 403, `fail` answers 500, `lose` makes the change and then breaks the connection. */
export type Fault = 'refuse' | 'fail' | 'lose'

const FAULTS = {
  refuse: {
    status: 403,
    result: null,
    errors: [{ code: 10_000, message: 'Authentication error' }],
  },
  fail: { status: 500, result: null, errors: [{ code: 10_002, message: 'Internal error' }] },
}

export interface StandIn {
  url: string
  /** A clock for clients: a wait takes no real time, but the stand-in counts it. */
  clock: Clock
  limit: RateLimit
  account: Account
  /** Every call since the last reset. */
  calls: Call[]
  /** Calls that the stand-in does not know, as `METHOD path`. */
  unknown: string[]
  /** The fault of a call, if any; after a lost call nothing answers any more. */
  fault: (call: Call, index: number) => Fault | undefined
  /** Empties the account; clears calls and faults. */
  reset(): void
  /** Keeps the account; clears calls and faults. */
  mend(): void
  close(): Promise<void>
}

async function readCall(request: IncomingMessage): Promise<Call> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const bytes = Buffer.concat(chunks)
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://stand-in')
  const type = request.headers['content-type'] ?? ''
  return {
    method: request.method ?? 'GET',
    path: pathname.replace(`/accounts/${ACCOUNT_ID}`, ''),
    query: searchParams,
    body: await parseBody(type, bytes),
    agent: request.headers['user-agent'] ?? '',
    jurisdiction: request.headers['cf-r2-jurisdiction'] as string | undefined,
  }
}

async function parseBody(type: string, bytes: Buffer): Promise<unknown> {
  if (type === 'application/octet-stream') return bytes
  if (bytes.length === 0) return undefined
  if (type.startsWith('multipart/form-data'))
    return new Response(new Uint8Array(bytes), { headers: { 'Content-Type': type } }).formData()
  // wrangler sends some JSON bodies without a content type.
  return JSON.parse(bytes.toString()) as unknown
}

function answer(standIn: StandIn, call: Call, authorization: string | undefined) {
  try {
    // This address carries a secret of its own.
    const isSigned = call.path === '/workers/assets/upload'
    if (authorization !== `Bearer ${TOKEN}` && !isSigned)
      throw new Refusal(401, 1000, 'Invalid API Token')
    for (const part of PARTS) {
      const result = part(standIn.account, call)
      if (result !== undefined) return { status: 200, result, errors: [] }
    }
    standIn.unknown.push(`${call.method} ${call.path}`)
    throw new Refusal(400, 7000, 'No route for that URI')
  } catch (error) {
    if (error instanceof Refusal)
      return {
        status: error.status,
        result: null,
        errors: [{ code: error.code, message: error.message }],
      }
    // A fault of the stand-in itself must show, too.
    standIn.unknown.push(`${call.method} ${call.path}: ${String(error)}`)
    return { status: 500, result: null, errors: [{ code: 0, message: String(error) }] }
  }
}

/** Starts the stand-in on a free port of this machine. */
export async function startCloudflare(): Promise<StandIn> {
  let lost = false
  const clock = openClock()
  const limit = openRateLimit(clock)
  async function serve(request: IncomingMessage, response: ServerResponse): Promise<unknown> {
    const call = await readCall(request)
    if (lost) {
      // The call is neither done nor recorded. After a broken connection wrangler would try again for seconds.
      response.statusCode = 400
      return response.end('{"success":false,"result":null,"errors":[],"messages":[]}')
    }
    if (limit.refuses(response)) return
    const fault = standIn.fault(call, standIn.calls.length)
    standIn.calls.push(call)
    const { status, result, errors } =
      fault === 'refuse' || fault === 'fail'
        ? FAULTS[fault]
        : answer(standIn, call, request.headers.authorization)
    if (fault === 'lose') {
      lost = true
      return response.destroy()
    }
    response.statusCode = status
    if (typeof result === 'string' || result instanceof Uint8Array) return response.end(result)
    response.setHeader('Content-Type', 'application/json')
    return response.end(JSON.stringify({ success: status < 400, result, errors, messages: [] }))
  }
  const server = createServer((request, response) => void serve(request, response))
  const standIn: StandIn = {
    url: '',
    clock,
    limit,
    account: emptyAccount(),
    calls: [],
    unknown: [],
    fault: () => undefined,
    reset() {
      standIn.account = emptyAccount()
      limit.reset()
      standIn.mend()
    },
    mend() {
      standIn.calls = []
      standIn.fault = () => undefined
      lost = false
    },
    close() {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  standIn.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return standIn
}

/**
 * A client of the API for programs outside a browser: one session, answers checked against the contract.
 * The demo data, the replay and the tests use it.
 */
import { setTimeout as delay } from 'node:timers/promises'
import * as z from 'zod'
import { errorEnvelope, okEnvelope } from '#contract/errors'
import { testDataAccepted, uploadPart, uploadStarted } from '#contract/problems'
import type { TestDataAccepted } from '#contract/problems'
import { PlainError, messageOf } from './plain-error.ts'

/** The longest time that a call waits in all because of 429 answers. */
const RATE_LIMIT_PATIENCE_MS = 10 * 60_000
/** The name of the cookie that holds a session. */
export const SESSION_COOKIE = '__Host-session'

/** The API refused a call. */
export class ApiError extends PlainError {
  readonly status: number
  readonly code: string
  readonly data: unknown

  constructor(call: string, status: number, body: z.infer<typeof errorEnvelope>) {
    const detail = body.data === undefined || body.data === null ? '' : JSON.stringify(body.data)
    super(`${call}: ${status} ${body.code}: ${body.message} ${detail.slice(0, 1_000)}`.trimEnd())
    this.status = status
    this.code = body.code
    this.data = body.data
  }
}

export interface CallOptions {
  /** Sent as JSON. */
  json?: unknown
  /** Sent as multipart/form-data. */
  form?: FormData
  /** Sent unchanged, with their length. */
  bytes?: Uint8Array<ArrayBuffer>
  headers?: Record<string, string>
}

export interface ApiClient {
  /** e.g. `http://127.0.0.1:8787` */
  readonly url: string
  /** The session as the value of a `Cookie` header; null before `login`. */
  readonly cookie: string | null
  /** @throws ApiError with the status 403 when the password is wrong */
  login(username: string, password: string): Promise<void>
  /**
   * Makes a call and returns the envelope's data. After a 429 it waits as long as Retry-After says, then tries again.
   * @param path below `/api`, e.g. `/course`
   * @param schema what `data` must be
   * @throws ApiError when the call is refused; PlainError when the server cannot be reached or breaks the contract
   */
  call<T extends z.ZodType>(
    method: string,
    path: string,
    schema: T,
    options?: CallOptions,
  ): Promise<z.output<T>>
  /** Makes a call and returns the response as it is: any status, no waiting. */
  send(method: string, path: string, options?: CallOptions): Promise<Response>
  /** Uploads a test-data zip in parts. */
  uploadTestData(problemId: number, zip: Uint8Array<ArrayBuffer>): Promise<TestDataAccepted>
}

/** Body and headers of a call. */
function requestInit(method: string, options: CallOptions, cookie: string | null): RequestInit {
  const headers = new Headers({
    // A browser sends this header with the web app's own calls; the API takes a call without it for a forged one.
    'Sec-Fetch-Site': 'same-origin',
    ...options.headers,
  })
  if (cookie !== null) headers.set('Cookie', cookie)
  const init: RequestInit = { method, headers, redirect: 'manual' }
  if (options.json !== undefined) {
    headers.set('Content-Type', 'application/json')
    init.body = JSON.stringify(options.json)
  }
  if (options.form) init.body = options.form
  if (options.bytes) init.body = options.bytes
  return init
}

/**
 * Milliseconds to wait after a 429; its Retry-After is in seconds. As on the sign-in page, a random time of up to half of it is
 * added, so that callers who were refused together do not come back together.
 */
function retryAfterMs(response: Response): number {
  const seconds = Number(response.headers.get('Retry-After'))
  const leastMs = Number.isFinite(seconds) && seconds > 0 ? seconds * 1_000 : 1_000
  return leastMs * (1 + Math.random() / 2)
}

/**
 * The envelope's data.
 * @param call named in messages
 */
async function readData<T extends z.ZodType>(
  call: string,
  response: Response,
  schema: T,
): Promise<z.output<T>> {
  const body: unknown = await response.json().catch(() => null)
  if (!response.ok) {
    const refusal = errorEnvelope.safeParse(body)
    if (refusal.success) throw new ApiError(call, response.status, refusal.data)
    throw new PlainError(`${call}: status ${response.status}, without the API's error body`)
  }
  const answer = okEnvelope(z.unknown()).safeParse(body)
  const data = schema.safeParse(answer.data?.data)
  if (answer.success && data.success) return data.data
  const { error = new z.ZodError([]) } = answer.success ? data : answer
  throw new PlainError(`${call}: the answer does not fit the API: ${z.prettifyError(error)}`)
}

/** Uploads a test-data zip in parts. */
async function uploadTestData(
  { url, call }: Pick<ApiClient, 'url' | 'call'>,
  problemId: number,
  zip: Uint8Array<ArrayBuffer>,
): Promise<TestDataAccepted> {
  const path = `/problem/${problemId}`
  const { uploadId, urls, partSize } = await call(
    'POST',
    `${path}/initiate-test-case-upload`,
    uploadStarted,
    { json: { length: zip.byteLength } },
  )
  const parts: z.output<typeof uploadPart>[] = []
  for (const [index, partUrl] of urls.entries()) {
    const bytes = zip.subarray(index * partSize, (index + 1) * partSize)
    const { pathname, search } = new URL(partUrl, url)
    parts.push(await call('PUT', pathname.replace(/^\/api/, '') + search, uploadPart, { bytes }))
  }
  return call('POST', `${path}/complete-test-case-upload`, testDataAccepted, {
    json: { uploadId, parts },
  })
}

/** A client without a session. */
export function createApiClient(url: string, signal?: AbortSignal): ApiClient {
  const base = `${url.replace(/\/$/, '')}/api`
  let cookie: string | null = null

  async function send(method: string, path: string, options: CallOptions = {}) {
    const init = requestInit(method, options, cookie)
    if (signal) init.signal = signal
    let response: Response
    try {
      response = await fetch(`${base}${path}`, init)
    } catch (error) {
      signal?.throwIfAborted()
      const cause = error instanceof Error && error.cause !== undefined ? error.cause : error
      throw new PlainError(`${url} cannot be reached: ${messageOf(cause)}`)
    }
    for (const line of response.headers.getSetCookie()) {
      const match = new RegExp(`^${SESSION_COOKIE}=([^;]*)`).exec(line)
      if (match) cookie = match[1] ? `${SESSION_COOKIE}=${match[1]}` : null
    }
    return response
  }

  async function call<T extends z.ZodType>(
    method: string,
    path: string,
    schema: T,
    options: CallOptions = {},
  ): Promise<z.output<T>> {
    const name = `${method} /api${path}`
    const deadline = Date.now() + RATE_LIMIT_PATIENCE_MS
    let response = await send(method, path, options)
    while (response.status === 429 && Date.now() + retryAfterMs(response) < deadline) {
      await response.body?.cancel()
      await delay(retryAfterMs(response), undefined, { ...(signal && { signal }) })
      response = await send(method, path, options)
    }
    return readData(name, response, schema)
  }

  return {
    url,
    get cookie() {
      return cookie
    },
    send,
    call,
    async login(username, password) {
      await call('POST', '/auth/session', z.unknown(), { json: { username, password } })
    },
    uploadTestData: (problemId, zip) => uploadTestData({ url, call }, problemId, zip),
  }
}

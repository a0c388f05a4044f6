/**
 * The client of the API. Every answer goes through the contract's schemas; every failure
 * becomes an `ApiError`.
 */
import * as z from 'zod'
import { errorEnvelope, okEnvelope } from '#contract/errors'
import { API_BASE } from './api-base.ts'
import { ApiError, LOCAL_ERROR_CODES } from './api-error.ts'
import { noteAnswer, noteNoAnswer } from './connection.ts'
import { askForPassword } from './fresh-password.ts'
import { parseJson } from './parse-json.ts'
import { noteServerDate } from '../live/server-clock.ts'

/** The number of reads cached for `If-None-Match`; the oldest is dropped. */
const REMEMBERED_READS = 100

interface RememberedRead {
  etag: string
  data: unknown
}

const reads = new Map<string, RememberedRead>()
const signedOutListeners = new Set<() => void>()

export interface CallOptions {
  method?: string
  /** Sent as JSON, unless it is a form. */
  body?: unknown
  signal?: AbortSignal
  /** The ETag of the version that is being edited. */
  ifMatch?: string | null
  headers?: Record<string, string>
}

/** An address below the API's base. */
export function apiUrl(path: string): string {
  return `${API_BASE}${path}`
}

/** The full address of a path from an answer of the API, relative to its origin. */
export function apiHref(path: string): string {
  return new URL(path, new URL(API_BASE, window.location.href)).href
}

/** The ETag of the last read of a path, for `ifMatch`. */
export function etagOf(path: string): string | null {
  return reads.get(path)?.etag ?? null
}

/** Clears the cached reads, for when another user signs in. */
export function forgetReads(): void {
  reads.clear()
}

/** Subscribes to answers that say that the session is over. */
export function onSignedOut(listener: () => void): () => void {
  signedOutListeners.add(listener)
  return () => signedOutListeners.delete(listener)
}

function remember(path: string, read: RememberedRead): void {
  reads.delete(path)
  reads.set(path, read)
  const oldest = reads.keys().next()
  if (reads.size > REMEMBERED_READS && !oldest.done) reads.delete(oldest.value)
}

async function send(path: string, options: CallOptions): Promise<Response> {
  const headers = new Headers(options.headers)
  headers.set('Accept', 'application/json')
  const { body } = options
  const isForm = body instanceof FormData
  // For a form the browser sets the type, which names the boundary of its parts.
  if (body !== undefined && !isForm) headers.set('Content-Type', 'application/json')
  if (options.ifMatch) headers.set('If-Match', options.ifMatch)
  const known = reads.get(path)
  if ((options.method ?? 'GET') === 'GET' && known) headers.set('If-None-Match', known.etag)
  try {
    return await fetch(apiUrl(path), {
      method: options.method ?? 'GET',
      credentials: 'include',
      headers,
      body: isForm ? body : body === undefined ? null : JSON.stringify(body),
      signal: options.signal ?? null,
    })
  } catch (cause) {
    if (options.signal?.aborted) throw cause
    noteNoAnswer()
    throw new ApiError({ status: 0, code: LOCAL_ERROR_CODES.network, message: String(cause) })
  }
}

/** Seconds from a `Retry-After` header that holds a number. */
export function retryAfterSeconds(header: string | null): number | null {
  const seconds = Number.parseInt(header ?? '', 10)
  return Number.isNaN(seconds) ? null : seconds
}

function badAnswer(status: number, detail: string): ApiError {
  return new ApiError({ status, code: LOCAL_ERROR_CODES.badAnswer, message: detail })
}

/** Cloudflare's error 1102 as a page, as text and as JSON: Cloudflare answers so for a Worker that it has ended. */
const CPU_LIMIT = /exceeded resource limits|error code: 1102|"error_code": ?1102/i

/** The error of an answer with status ≥ 400. */
export function toApiError(status: number, text: string, retryAfter: number | null): ApiError {
  const parsed = errorEnvelope.safeParse(parseJson(text))
  if (!parsed.success)
    return CPU_LIMIT.test(text)
      ? new ApiError({ status, code: LOCAL_ERROR_CODES.cpuLimit, message: 'Error 1102' })
      : badAnswer(status, `HTTP ${status}`)
  const { code, message, data } = parsed.data
  return new ApiError({ status, code, message, data, retryAfterSeconds: retryAfter })
}

/** Notifies the listeners if a refusal means that the session is over. */
export function noteRefusal(error: ApiError): ApiError {
  if (error.code === 'not_signed_in') for (const listener of signedOutListeners) listener()
  return error
}

/**
 * Calls the API and returns the envelope's `data`. A call that needs a fresh password waits for the user to type it, and is repeated.
 * @param path below the base, with its query
 * @param schema of `data`
 * @throws ApiError whatever goes wrong, except an abort through `signal`
 */
export async function callApi<T extends z.ZodType>(
  path: string,
  schema: T,
  options: CallOptions = {},
): Promise<z.output<T>> {
  const sentAtMs = performance.now()
  const response = await send(path, options)
  noteAnswer(sentAtMs)
  noteServerDate(response.headers.get('Date'))
  const known = reads.get(path)
  // The cached answer has passed this path's schema before.
  if (response.status === 304 && known) return schema.parse(known.data)
  // An answer that breaks off counts as an empty answer.
  const text = await response.text().catch(() => '')
  if (!response.ok) {
    const error = toApiError(
      response.status,
      text,
      retryAfterSeconds(response.headers.get('Retry-After')),
    )
    if (error.code === 'password_required' && (await askForPassword()))
      return callApi(path, schema, options)
    throw noteRefusal(error)
  }
  const parsed = okEnvelope(z.unknown()).safeParse(parseJson(text))
  const data = schema.safeParse(parsed.success ? parsed.data.data : undefined)
  if (!parsed.success || !data.success)
    throw badAnswer(response.status, data.error?.issues[0]?.message ?? path)
  const etag = response.headers.get('ETag')
  if ((options.method ?? 'GET') === 'GET' && etag) {
    remember(path, { etag, data: parsed.data.data })
  }
  return data.data
}

/** The schema of calls whose `data` is not used. */
export const anything = z.unknown()

/** A query string of the set values; empty texts, null and undefined are left out. */
export function queryString(values: Record<string, string | number | null | undefined>): string {
  const query = new URLSearchParams()
  for (const [key, value] of Object.entries(values))
    if (value !== undefined && value !== null && value !== '') query.set(key, String(value))
  const text = query.toString()
  return text === '' ? '' : `?${text}`
}

/** A random `Idempotency-Key`. `crypto.randomUUID` is missing on plain-HTTP pages. */
export function newIdempotencyKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('')
}

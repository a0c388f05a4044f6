/**
 * Bodies, read when a guard or a handler asks for them and not before: who calls is known by then, or a guest's few
 * kilobytes are all there is to read. Each call has its limit in the table of calls, and nothing behind it is kept.
 */
import { Buffer } from 'node:buffer'
import type { Context } from 'hono'
import { routePath } from 'hono/route'
import { CALLS, bodyBytesOf, type BodyBytes } from '#contract/calls'
import { BODY_LIMITS } from '#contract/limits'
import { isDeeperThan } from '../lib/json-depth.ts'
import { AppError } from './errors.ts'

const JSON_TYPE = /^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i
/** How much is read at once of a body that does not say its length. */
const READ_BYTES = 64 * 1024

const BODY_BYTES = new Map(CALLS.map((call) => [call.route, bodyBytesOf(call)]))

/** What has been read of a request: a guard and the validation behind it ask for the same body. */
const read = new WeakMap<Request, Promise<unknown>>()

/** The most bytes that the body of this call may have. */
function limitOf(c: Context, kind: keyof BodyBytes): number {
  const route = `${c.req.method} ${routePath(c).replace(/^\/api/, '')}`
  return BODY_BYTES.get(route)?.[kind] ?? 0
}

/** The body's bytes, counted while they come; what is too large is cut off, and its stream cancelled. */
async function readBytes(c: Context, limit: number): Promise<Uint8Array<ArrayBuffer>> {
  // NaN where the body does not say its length: then only its end tells.
  const announced = Number(c.req.header('Content-Length') ?? Number.NaN)
  if (announced > limit) throw new AppError('too_large', { limit })
  const reader = c.req.raw.body?.getReader({ mode: 'byob' })
  if (!reader) return new Uint8Array()
  const parts: Uint8Array<ArrayBuffer>[] = []
  let length = 0
  while (length !== announced) {
    const size = announced > 0 ? announced : READ_BYTES
    // Not one chunk after the other: a sender may make each of them a single byte.
    const { value, done } = await reader.readAtLeast(size, new Uint8Array(size))
    if (value) parts.push(value)
    length += value?.length ?? 0
    if (length > limit) {
      await reader.cancel()
      throw new AppError('too_large', { limit })
    }
    if (done) break
  }
  const [only, ...others] = parts
  return only && others.length === 0 ? only : Buffer.concat(parts)
}

/** Reads and parses the JSON body; one that does not say it is JSON counts as empty. */
async function parseJson(c: Context): Promise<unknown> {
  const bytes = await readBytes(c, limitOf(c, 'json'))
  if (!JSON_TYPE.test(c.req.header('Content-Type') ?? '')) return {}
  if (isDeeperThan(BODY_LIMITS.jsonDepth, bytes))
    throw new AppError('too_deep', { limit: BODY_LIMITS.jsonDepth })
  try {
    return JSON.parse(new TextDecoder().decode(bytes))
  } catch {
    throw new AppError('bad_json')
  }
}

/**
 * The JSON body; however often it is asked for, it is read once.
 * @throws AppError `too_large`, `too_deep` or `bad_json`
 */
export function readJson(c: Context): Promise<unknown> {
  const earlier = read.get(c.req.raw)
  if (earlier) return earlier
  const body = parseJson(c)
  read.set(c.req.raw, body)
  return body
}

/**
 * The form that a call with a file takes.
 * @throws AppError `too_large` or `bad_form`
 */
export async function readForm(c: Context): Promise<FormData> {
  const bytes = await readBytes(c, limitOf(c, 'form'))
  try {
    const headers = { 'Content-Type': c.req.header('Content-Type') ?? '' }
    return await new Response(bytes, { headers }).formData()
  } catch {
    throw new AppError('bad_form')
  }
}

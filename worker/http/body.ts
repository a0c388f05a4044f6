/**
 * Reads and validates request bodies, only when a guard or a handler asks for them. By then the caller is known; a guest may
 * send a few kilobytes only. The table of calls has the limit of each call. Bytes beyond the limit are not kept.
 */
import type { Context } from 'hono'
import type * as z from 'zod'
import { bodyBytesOf, type BodyBytes } from '#contract/calls'
import type { ErrorCode, FieldError } from '#contract/errors'
import { fieldMessage, toFieldErrors } from '#contract/fields'
import { COUNT_LIMITS } from '#contract/limits'
import type { AppEnv } from '../env.ts'
import { inTime } from '../lib/clock.ts'
import { isDeeperThan } from '../lib/json-depth.ts'
import { AppError, fieldRefused } from './errors.ts'

/** How bodies are read. */
export const READING = {
  /** In each `pieceMs`, `pieceBytes` or 1/`pieces` of the body must come, whichever is more. So no body takes much over five minutes. */
  pieceBytes: 16 * 1024,
  pieces: 32,
  pieceMs: 10_000,
  /** Nesting of lists and objects; honest bodies have at most five levels. */
  jsonDepth: 16,
} as const

const JSON_TYPE = /^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i
/** The size in bytes with which the buffer of a body begins. */
const FIRST_BYTES = 64 * 1024

/** Bodies read so far, by request: a guard and the validation after it ask for the same one. */
const read = new WeakMap<Request, Promise<unknown>>()

/** The most bytes that the body of this call may have. */
function limitOf(c: Context<AppEnv>, kind: keyof BodyBytes): number {
  return bodyBytesOf(c.get('call'))[kind]
}

/** A copy of the bytes with twice the room, but never more than the body may have. */
function grow(bytes: Uint8Array<ArrayBuffer>, most: number): Uint8Array<ArrayBuffer> {
  const grown = new Uint8Array(Math.min(Math.max(2 * bytes.length, FIRST_BYTES), most))
  grown.set(bytes)
  return grown
}

/**
 * Reads the body and counts its bytes. A body that is too large or stops coming is cut off and its stream cancelled. The buffer
 * grows as bytes come, because a caller may announce many and send none.
 */
async function readBytes(c: Context, limit: number): Promise<Uint8Array<ArrayBuffer>> {
  // NaN without the header: then only the end of the body tells its length.
  const announced = Number(c.req.header('Content-Length') ?? Number.NaN)
  if (announced > limit) throw new AppError('too_large', { limit })
  const reader = c.req.raw.body?.getReader({ mode: 'byob' })
  if (!reader) return new Uint8Array()
  const most = Number.isNaN(announced) ? limit + 1 : announced
  let bytes: Uint8Array<ArrayBuffer> = new Uint8Array()
  let length = 0
  const pieceBytes = Math.max(READING.pieceBytes, Math.ceil(most / READING.pieces))
  while (length < most) {
    if (length === bytes.length) bytes = grow(bytes, most)
    const room = bytes.subarray(length)
    // A read waits for `least` bytes, not for a chunk, because a sender may make each chunk a single byte. It takes all that has come.
    const least = Math.min(pieceBytes, room.length)
    const piece = await inTime(reader.readAtLeast(least, room), READING.pieceMs)
    if (piece === null) {
      // `cancel` is not awaited, because a sender that hangs may hang there, too.
      reader.cancel().catch(() => {})
      throw new AppError('body_too_slow', { bytes: length })
    }
    if (piece.value) bytes = new Uint8Array(piece.value.buffer)
    length += piece.value?.length ?? 0
    if (piece.done) break
  }
  if (length > limit) {
    await reader.cancel()
    throw new AppError('too_large', { limit })
  }
  return bytes.subarray(0, length)
}

/** Reads and parses the JSON body. A body with another content type counts as empty. */
async function parseJson(c: Context): Promise<unknown> {
  const bytes = await readBytes(c, limitOf(c, 'json'))
  if (!JSON_TYPE.test(c.req.header('Content-Type') ?? '')) return {}
  if (isDeeperThan(READING.jsonDepth, bytes))
    throw new AppError('too_deep', { limit: READING.jsonDepth })
  try {
    return JSON.parse(new TextDecoder().decode(bytes))
  } catch {
    throw new AppError('bad_json')
  }
}

/**
 * The JSON body. The body is read once, however often it is asked for.
 * @throws AppError `too_large`, `too_deep` or `bad_json`
 */
export function readJson(c: Context): Promise<unknown> {
  const earlier = read.get(c.req.raw)
  if (earlier) return earlier
  const body = parseJson(c)
  read.set(c.req.raw, body)
  return body
}

/** Fields with output of a program or a compiler, which may hold NUL bytes. */
const BINARY_FIELDS = new Set(['code', 'compileMessage', 'reason'])

/**
 * Finds texts that no field takes: lone surrogates, which are not Unicode, and NUL.
 * @param body has passed its schema, so its size is bounded
 */
function findUnfitTexts(body: unknown): FieldError['path'][] {
  const unfit: FieldError['path'][] = []
  const values: [value: unknown, path: FieldError['path']][] = [[body, []]]
  for (const [value, path] of values) {
    if (typeof value === 'string') {
      const takesNul = path.length === 1 && BINARY_FIELDS.has(String(path[0]))
      if (!value.isWellFormed() || (!takesNul && value.includes('\0'))) unfit.push(path)
    } else if (Array.isArray(value)) {
      for (const [index, item] of value.entries()) values.push([item, [...path, index]])
    } else if (typeof value === 'object' && value !== null) {
      for (const [key, item] of Object.entries(value)) values.push([item, [...path, key]])
    }
  }
  return unfit
}

/** How the refusals of a body differ from the usual. */
export interface BodyRefusals {
  /** Field → the code of its refusal, where it has its own. */
  refusedAs?: Readonly<Record<string, ErrorCode>>
  /**
   * For calls whose body names what they are about: throws when the caller may not see that thing. This refusal comes before the
   * body's other faults.
   */
  beforeRefusal?: (body: unknown) => Promise<void>
}

/**
 * Reads the JSON body and validates it.
 * @throws AppError as the contract refuses it
 */
export async function parseBody<T extends z.ZodType>(
  c: Context,
  schema: T,
  { refusedAs = {}, beforeRefusal = async () => {} }: BodyRefusals = {},
): Promise<z.output<T>> {
  const body = await readJson(c)
  const result = schema.safeParse(body)
  if (!result.success) {
    await beforeRefusal(body)
    const errors = toFieldErrors(result.error, body)
    const codes = new Map(Object.entries(refusedAs))
    const own = errors.map(({ path }) => codes.get(String(path[0]))).find((code) => code)
    throw new AppError(own ?? 'bad_body', errors)
  }
  const errors = findUnfitTexts(result.data)
    .slice(0, COUNT_LIMITS.fieldErrors)
    .map((path) => ({ path, code: 'invalid', message: fieldMessage('invalid') }))
  if (errors.length > 0) {
    await beforeRefusal(body)
    throw new AppError('bad_body', errors satisfies FieldError[])
  }
  return result.data
}

/**
 * The form of a call that takes a file.
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

/**
 * The file in a field of the form.
 * @throws AppError `too_large`, `bad_form`, or `bad_body` when there is no file
 */
export async function readFile(c: Context, field: string): Promise<File> {
  const value = (await readForm(c)).get(field)
  if (value instanceof File) return value
  throw fieldRefused([field], 'required', 'Value is required')
}

/** Bodies are read as they arrive, whatever their stated length. */
import { Hono } from 'hono'
import { afterEach, expect, test, vi } from 'vitest'
import { callOf } from '#contract/calls'
import type { AppEnv } from '../../../worker/env.ts'
import { READING, readJson } from '../../../worker/http/body.ts'
import { AppError } from '../../../worker/http/errors.ts'

afterEach(() => {
  vi.useRealTimers()
})

/** A call that accepts 2 MiB, and answers the body, or why it was refused. */
const app = new Hono<AppEnv>()
  .basePath('/api')
  .onError((error, c) => c.text(error instanceof AppError ? error.code : String(error), 500))
  .post('/problem/:id/run', async (c) => {
    c.set('call', callOf('POST /problem/:id/run'))
    return c.json(await readJson(c))
  })

/** @param length the stated length of the body; null: none */
function post(body: BodyInit | null, length: number | null) {
  const headers = new Headers({ 'Content-Type': 'application/json' })
  if (length !== null) headers.set('Content-Length', String(length))
  const request = new Request('https://judge.test/api/problem/1/run', {
    method: 'POST',
    headers,
    body,
  })
  return Promise.resolve(app.fetch(request))
}

/** Bytes as a stream of pieces of this size. */
function inPieces(bytes: Uint8Array, pieceBytes: number): ReadableStream<Uint8Array> {
  let at = 0
  return new ReadableStream({
    type: 'bytes',
    pull(controller) {
      if (at >= bytes.length) {
        controller.close()
        controller.byobRequest?.respond(0)
        return
      }
      controller.enqueue(bytes.slice(at, (at += pieceBytes)))
    },
  })
}

test.each([1, 65_534, 65_535, 65_536, 131_071, 131_072, 200_000, 1_000_000])(
  'a text of %i characters arrives as it was, with and without its length',
  async (characters) => {
    const text = Array.from({ length: characters }, (_, index) => index % 10).join('')
    const bytes = new TextEncoder().encode(JSON.stringify(text))
    for (const pieceBytes of [bytes.length, 10_007])
      for (const length of [bytes.length, null]) {
        const answer = await post(inPieces(bytes, pieceBytes), length)
        expect(await answer.json()).toBe(text)
      }
  },
)

test('a body that is announced and does not come takes no memory for it', async () => {
  const { promise: asked, resolve } = Promise.withResolvers<number>()
  const body = new ReadableStream({
    type: 'bytes',
    pull: (controller) => {
      resolve(controller.byobRequest?.view?.byteLength ?? 0)
      return new Promise(() => {})
    },
  })
  void post(body, 2 * 1024 ** 2)
  const bytes = await asked
  expect(bytes).toBeGreaterThan(0)
  expect(bytes).toBeLessThanOrEqual(64 * 1024)
})

test('a body that stops coming is refused and let go, and one that comes slowly is not', async () => {
  vi.useFakeTimers()
  const text = '1'.repeat(4 * READING.pieceBytes)
  const bytes = new TextEncoder().encode(text)
  let left = 3
  const { promise: letGo, resolve } = Promise.withResolvers<void>()
  const body = new ReadableStream({
    type: 'bytes',
    pull: async (controller) => {
      if (left === 0) return new Promise(() => {})
      left -= 1
      await new Promise((next) => setTimeout(next, READING.pieceMs - 1))
      controller.enqueue(bytes.slice(0, READING.pieceBytes))
    },
    cancel: () => resolve(),
  })
  const answer = post(body, bytes.length)
  await vi.advanceTimersByTimeAsync(5 * READING.pieceMs)
  expect(await (await answer).text()).toBe('body_too_slow')
  await letGo
})

test('a body is read in few pieces, however large it is', async () => {
  const reads = vi.spyOn(ReadableStreamBYOBReader.prototype, 'readAtLeast')
  await post(`"${'1'.repeat(2 * 1024 ** 2 - 2)}"`, 2 * 1024 ** 2)
  expect(reads.mock.calls.length).toBeGreaterThan(1)
  expect(reads.mock.calls.length).toBeLessThanOrEqual(2 * READING.pieces)
  reads.mockRestore()
})

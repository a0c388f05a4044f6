/** Bodies are read as they come, whatever their length says. */
import { Hono } from 'hono'
import { expect, test } from 'vitest'
import { readJson } from '../../../worker/http/body.ts'

/** A call that takes 2 MiB, and answers what it has read. */
const app = new Hono()
  .basePath('/api')
  .post('/problem/:id/run', async (c) => c.json(await readJson(c)))

/** @param length what the call says of its body; null: nothing */
function post(body: BodyInit, length: number | null): Promise<Response> {
  const headers = new Headers({ 'Content-Type': 'application/json' })
  if (length !== null) headers.set('Content-Length', String(length))
  const request = new Request('https://judge.test/api/problem/1/run', {
    method: 'POST',
    headers,
    body,
  })
  return Promise.resolve(app.fetch(request))
}

/** Bytes as a stream of pieces of a size. */
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

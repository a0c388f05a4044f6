/** The API client over real HTTP: its memory, how it reads answers, and when it considers the server gone. */
import type { ServerResponse } from 'node:http'
import { onlineManager } from '@tanstack/react-query'
import { afterEach, describe, expect, it, test } from 'vitest'
import * as z from 'zod'
import { callApi, etagOf, forgetReads, onSignedOut, queryString } from '../../web/lib/api/api.ts'
import { ApiError, isLimited, isNotFound, isTransient } from '../../web/lib/api/api-error.ts'
import { serverNowMs } from '../../web/lib/live/server-clock.ts'
import { okText, refusalText, serveApi } from './fixtures/api-server.ts'

const api = serveApi()
const anything = z.unknown()

afterEach(() => {
  forgetReads()
  onlineManager.setOnline(true)
})

async function failureOf(call: Promise<unknown>): Promise<ApiError> {
  const error = await call.then(
    () => null,
    (reason: unknown) => reason,
  )
  if (!(error instanceof ApiError)) throw new Error(`no ApiError: ${String(error)}`)
  return error
}

/** Answers with an ETag, and with 304 to a caller that sends it. */
function answerWithEtag(response: ServerResponse): void {
  const isKnown = api.noted.at(-1)?.headers['if-none-match'] === '"1"'
  if (isKnown) response.writeHead(304).end()
  else response.writeHead(200, { ETag: '"1"' }).end(okText({ of: 'the first read' }))
}

describe('a read', () => {
  const asked = () => api.noted.map(({ headers }) => headers['if-none-match'])

  it('that has not changed is the one that was read before, until it is forgotten', async () => {
    api.answer = answerWithEtag
    for (let reads = 0; reads < 2; reads += 1)
      expect(await callApi('/one', anything)).toEqual({ of: 'the first read' })
    await callApi('/other', anything)
    expect(asked()).toEqual([undefined, '"1"', undefined])
    expect([etagOf('/one'), etagOf('/none')]).toEqual(['"1"', null])
    forgetReads()
    await callApi('/one', anything)
    expect(asked().at(-1)).toBeUndefined()
  })

  it('is no condition of a change, and a change is no read', async () => {
    api.answer = answerWithEtag
    await callApi('/changed', anything, { method: 'PUT', body: {} })
    expect(etagOf('/changed')).toBeNull()
    await callApi('/changed', anything)
    await callApi('/changed', anything, { method: 'PUT', body: {} })
    expect(asked()).toEqual([undefined, undefined, undefined])
  })

  it('is remembered with the ninety-nine that were read last', async () => {
    api.answer = (response) => response.writeHead(200, { ETag: '"1"' }).end(okText(1))
    for (let at = 0; at < 100; at += 1) await callApi(`/${at}`, anything)
    await callApi('/0', anything)
    expect(etagOf('/1')).toBe('"1"')
    await callApi('/100', anything)
    expect([0, 1, 2, 100].map((at) => etagOf(`/${at}`))).toEqual(['"1"', null, '"1"', '"1"'])
  })
})

const HTML = { 'Content-Type': 'text/html' }

test.each<[what: string, status: number, headers: object, text: string, error: object]>([
  [
    'a refusal',
    409,
    { 'Retry-After': '7' },
    refusalText('stale_edit', { by: 'tina' }),
    {
      status: 409,
      code: 'stale_edit',
      message: 'Refused: stale_edit',
      data: { by: 'tina' },
      retryAfterSeconds: 7,
    },
  ],
  [
    'a time that is no number',
    429,
    { 'Retry-After': 'soon' },
    refusalText('too_many_requests'),
    { status: 429, code: 'too_many_requests', data: null, retryAfterSeconds: null },
  ],
  ['a page of a proxy', 502, HTML, '<h1>Bad gateway</h1>', { status: 502, code: 'bad_answer' }],
  ['CPU time that ran out', 503, {}, 'error code: 1102', { status: 503, code: 'cpu_limit' }],
  ['a page for an answer', 200, HTML, '<h1>Welcome</h1>', { status: 200, code: 'bad_answer' }],
  ['other data than agreed', 200, {}, okText({ n: 'text' }), { status: 200, code: 'bad_answer' }],
  ['data without their envelope', 200, {}, '{"n":1}', { status: 200, code: 'bad_answer' }],
  [
    'a call that needs the password where nobody asks for it',
    403,
    {},
    refusalText('password_required'),
    { status: 403, code: 'password_required' },
  ],
])('%s becomes the one error of calls', async (_, status, headers, text, error) => {
  api.answer = (response) => response.writeHead(status, { ...headers }).end(text)
  expect(await failureOf(callApi('/x', z.object({ n: z.int() })))).toMatchObject(error)
})

test('only an ended session is told, and only to who still listens', async () => {
  let told = 0
  const stop = onSignedOut(() => (told += 1))
  for (const code of ['login_failed', 'not_signed_in']) {
    api.answer = (response) => response.writeHead(401).end(refusalText(code))
    await failureOf(callApi('/x', anything))
  }
  expect(told).toBe(1)
  stop()
  await failureOf(callApi('/x', anything))
  expect(told).toBe(1)
})

test('the server is gone once no answer comes, and back with an answer to a later call alone', async () => {
  const { promise: held, resolve: release } = Promise.withResolvers<void>()
  const { promise: arrived, resolve: arrive } = Promise.withResolvers<void>()
  api.answer = (response) => {
    arrive()
    void held.then(() => response.end(okText('late')))
  }
  const earlier = callApi('/earlier', anything)
  await arrived
  api.answer = (response) => void response.destroy()
  expect(await failureOf(callApi('/lost', anything))).toMatchObject({ status: 0, code: 'network' })
  expect(onlineManager.isOnline()).toBe(false)
  release()
  expect(await earlier).toBe('late')
  expect(onlineManager.isOnline()).toBe(false)
  // A refusal also shows that the server answers.
  api.answer = (response) => response.writeHead(404).end(refusalText('not_found'))
  await failureOf(callApi('/later', anything))
  expect(onlineManager.isOnline()).toBe(true)
})

test('a call that was given up says nothing about the server', async () => {
  const { promise: arrived, resolve: arrive } = Promise.withResolvers<void>()
  api.answer = () => arrive()
  const stop = new AbortController()
  const call = callApi('/given-up', anything, { signal: stop.signal })
  await arrived
  stop.abort(new Error('left'))
  await expect(call).rejects.toThrow('left')
  expect(onlineManager.isOnline()).toBe(true)
})

test('the clock is that of the server where this machine’s is off, and this machine’s where it is not', async () => {
  const offBy = async (ms: number) => {
    api.answer = (response) =>
      response.setHeader('Date', new Date(Date.now() + ms).toUTCString()).end(okText(1))
    await callApi('/x', anything)
    return serverNowMs() - Date.now()
  }
  expect(Math.abs((await offBy(3_600_000)) - 3_600_000)).toBeLessThan(1_500)
  expect(Math.abs((await offBy(-60_000)) + 60_000)).toBeLessThan(1_500)
  expect(Math.abs(await offBy(0))).toBeLessThan(100)
})

test('a JSON body says that it is one; the session goes along, and a page accepts JSON', async () => {
  await failureOf(callApi('/x', anything, { method: 'POST', body: { a: 1 } }))
  await failureOf(callApi('/x', anything))
  expect(api.noted.map(({ headers }) => [headers['content-type'], headers.accept])).toEqual([
    ['application/json', 'application/json'],
    [undefined, 'application/json'],
  ])
})

test('a query leaves out what is not set, and keeps a zero', () => {
  expect(queryString({ a: '', b: null, c: undefined, d: 0, e: 'x y&z' })).toBe('?d=0&e=x+y%26z')
  expect(queryString({ a: '', b: null })).toBe('')
})

test.each([
  [0, { isTransient: true, isLimited: false, isNotFound: false }],
  [400, { isTransient: false, isLimited: false, isNotFound: false }],
  [404, { isTransient: false, isLimited: false, isNotFound: true }],
  [408, { isTransient: true, isLimited: false, isNotFound: false }],
  [429, { isTransient: false, isLimited: true, isNotFound: false }],
  [499, { isTransient: false, isLimited: false, isNotFound: false }],
  [500, { isTransient: true, isLimited: false, isNotFound: false }],
  [503, { isTransient: true, isLimited: false, isNotFound: false }],
])('of status %i one may say %j', (status, expected) => {
  const error = new ApiError({ status, code: 'any', message: '' })
  const said = {
    isTransient: isTransient(error),
    isLimited: isLimited(error),
    isNotFound: isNotFound(error),
  }
  expect(said).toEqual(expected)
  const other = new Error('a fault of the app')
  expect([isTransient(other), isLimited(other), isNotFound(other)]).toEqual([false, false, false])
})

test('the refused fields of a body are those that the answer names, else none', () => {
  const field = { path: ['a', 1], code: 'required', message: 'Value is required' }
  const errorWith = (data: unknown) =>
    new ApiError({ status: 400, code: 'bad_body', message: '', data })
  expect(errorWith([field]).fieldErrors).toEqual([field])
  expect(errorWith({ fields: [field] }).fieldErrors).toEqual([])
})

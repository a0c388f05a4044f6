/** The client by which programs call the API: sessions, refusals, and answers that do not come from the API. */
import { once } from 'node:events'
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import * as z from 'zod'
import { type ApiClient, ApiError, createApiClient } from '../../scripts/api-client.ts'

interface Answer {
  status?: number
  headers?: Record<string, string>
  body?: unknown
}

let answers: Answer[] = []
let seen: { method: string; path: string; headers: IncomingHttpHeaders; body: string }[] = []
const server = createServer((request, response) => void serve(request, response))
async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  let body = ''
  for await (const chunk of request) body += String(chunk)
  const { method = '', url: path = '', headers } = request
  seen.push({ method, path, headers, body })
  const { status = 200, headers: own = {}, body: said } = answers.shift() ?? {}
  response.writeHead(status, own).end(JSON.stringify(said ?? ok(null)))
}
let url = ''
let api: ApiClient

beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => void server.close())
beforeEach(() => {
  answers = []
  seen = []
  api = createApiClient(`${url}/`)
})

const ok = (data: unknown) => ({ status: 'ok', message: '', data })
const err = (code: string, data: unknown = null) => ({
  status: 'err',
  code,
  message: 'No.',
  data,
})

test('a session is kept, sent with each call, and forgotten when the API ends it', async () => {
  const cookie = (value: string) => ({
    headers: { 'set-cookie': `__Host-session=${value}; Path=/` },
  })
  answers = [cookie('abc'), {}, cookie(''), {}]
  await api.login('me', 'secret')
  expect(api.cookie).toBe('__Host-session=abc')
  for (let call = 0; call < 3; call += 1) await api.call('GET', '/course', z.null())
  expect(api.cookie).toBeNull()
  expect(seen.map(({ method, path, headers }) => [method, path, headers.cookie])).toEqual([
    ['POST', '/api/auth/session', undefined],
    ['GET', '/api/course', '__Host-session=abc'],
    ['GET', '/api/course', '__Host-session=abc'],
    ['GET', '/api/course', undefined],
  ])
  expect(JSON.parse(seen[0]?.body ?? '')).toEqual({ username: 'me', password: 'secret' })
  for (const { headers } of seen) expect(headers['sec-fetch-site']).toBe('same-origin')
})

test('a refusal has its status, code and data; anything else is told as it is', async () => {
  answers = [{ status: 403, body: err('permission_denied', { field: 1 }) }]
  const refused = await api.call('GET', '/x', z.null()).catch((error: unknown) => error)
  expect(refused).toBeInstanceOf(ApiError)
  expect(refused).toMatchObject({
    status: 403,
    code: 'permission_denied',
    data: { field: 1 },
    message: 'GET /api/x: 403 permission_denied: No. {"field":1}',
  })
  answers = [{ status: 502, body: '<html>' }]
  await expect(api.call('GET', '/x', z.null())).rejects.toThrow(
    'GET /api/x: status 502, without the API',
  )
  answers = [{ body: ok('text') }, { body: {} }]
  for (let call = 0; call < 2; call += 1)
    await expect(api.call('GET', '/x', z.number())).rejects.toThrow(
      'GET /api/x: the answer does not fit the API: ',
    )
  await expect(createApiClient('http://127.0.0.1:1').call('GET', '/x', z.null())).rejects.toThrow(
    'http://127.0.0.1:1 cannot be reached: ',
  )
})

test('a call that comes too often waits as it is told, once told', async () => {
  answers = [
    { status: 429, headers: { 'retry-after': '1' }, body: err('too_many_requests') },
    { body: ok(7) },
  ]
  const begun = performance.now()
  expect(await api.call('GET', '/x', z.number())).toBe(7)
  expect(performance.now() - begun).toBeGreaterThan(950)
  answers = [{ status: 429, headers: { 'retry-after': '601' }, body: err('too_many_requests') }]
  await expect(api.call('GET', '/x', z.number())).rejects.toMatchObject({ status: 429 })
  answers = [{ status: 429, body: err('too_many_requests') }]
  expect((await api.send('GET', '/x')).status).toBe(429)
})

test('an answer that leads elsewhere is answered as it is, and nobody goes there', async () => {
  answers = [{ status: 302, headers: { location: '/api/elsewhere' } }]
  expect((await api.send('GET', '/x')).status).toBe(302)
  expect(seen.map(({ path }) => path)).toEqual(['/api/x'])
})

/** Rules of a line or two that every call goes through. */
import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { Hono } from 'hono'
import * as z from 'zod'
import { describe, expect, test, vi } from 'vitest'
import { app } from '../../../worker/app.ts'
import { bearerToken, clientAgent, clientIp, siteOf } from '../../../worker/http/client.ts'
import { asConflict } from '../../../worker/http/conflict.ts'
import {
  contentVersion,
  editedVersion,
  itemTag,
  sendEditable,
} from '../../../worker/http/edit-tag.ts'
import { AppError } from '../../../worker/http/errors.ts'
import { idempotencyKeyOf } from '../../../worker/http/idempotency-key.ts'
import { fromCursor, toCursor, toPage } from '../../../worker/http/paging.ts'
import { demandTokens } from '../../../worker/http/rate-limit.ts'
import { allRows, runSql } from '../support/sql.ts'
import { workerEnv } from '../support/step-queue.ts'
import { createCourse, createPerson, createProblem, requestOf } from '../support/world.ts'

/** What the app reads from a request with these headers. */
async function readOf(headers: Record<string, string>) {
  const reading = new Hono().get('/', async (c) =>
    c.json({
      ip: clientIp(c),
      agent: clientAgent(c),
      token: bearerToken(c),
      version: editedVersion(c),
      key: await idempotencyKeyOf(c),
    }),
  )
  return (await reading.request('/', { headers })).json()
}

describe('of a request', () => {
  test('address, program, token, version and key are read from its headers', async () => {
    const none = { ip: '127.0.0.1', agent: '', token: null, version: null, key: null }
    expect(await readOf({})).toEqual(none)
    expect(
      await readOf({
        'CF-Connecting-IP': '203.0.113.3',
        'User-Agent': `a\tb${'x'.repeat(300)}`,
        Authorization: 'Bearer a.b~c+d/e-f_g=',
        'If-Match': '"v12-abc"',
        'Idempotency-Key': 'one',
      }),
    ).toEqual({
      ip: '203.0.113.3',
      agent: `a b${'x'.repeat(253)}`,
      token: 'a.b~c+d/e-f_g=',
      version: 12,
      key: 'one',
    })
  })

  test.each([
    ['*', null],
    ['W/"v3-x"', 3],
    ['"v0-"', 0],
    ['"v3"', -1],
    ['v3-x', -1],
    ['"x"', -1],
    ['"v1234567890123456-x"', -1],
  ])('If-Match: %s names version %j', async (header, version) => {
    expect(await readOf({ 'If-Match': header })).toMatchObject({ version })
  })

  test.each(['Basic abc', 'bearer abc', 'Bearer a b', 'Bearer ', `Bearer ${'x'.repeat(513)}`])(
    '%s is no API token',
    async (header) => {
      expect(await readOf({ Authorization: header })).toMatchObject({ token: null })
    },
  )
})

test.each([
  ['203.0.113.9', '203.0.113.9'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1'],
  ['2001:DB8::1', '2001:db8:0'],
  ['::1', '0:0:0'],
])('the site of %s is %s', (ip, site) => {
  expect(siteOf(ip)).toBe(site)
})

describe('a tag', () => {
  test('has the version and the content, and an item’s the version alone', async () => {
    const tagOf = async (version: number, data: unknown) => {
      const answering = new Hono().get('/', (c) => sendEditable(c, version, data))
      return (await answering.request('/')).headers.get('ETag')
    }
    expect(await tagOf(7, { a: 1 })).toMatch(/^"v7-[0-9a-f]{16}"$/)
    expect(await tagOf(7, { a: 1 })).toBe(await tagOf(7, { a: 1 }))
    expect(await tagOf(7, { a: 2 })).not.toBe(await tagOf(7, { a: 1 }))
    expect(itemTag(7)).toBe('"v7-item"')
    const version = contentVersion(['a'])
    expect(await readOf({ 'If-Match': itemTag(version) })).toMatchObject({ version })
    expect(contentVersion(['b'])).not.toBe(version)
  })
})

describe('a page', () => {
  test('ends where there is no row more than asked for; its cursor is its last row', () => {
    const at = (rows: number[], limit: number) => toPage(rows, limit, (row) => ({ row }))
    expect(at([1, 2, 3], 3)).toEqual({ rows: [1, 2, 3], next: null })
    expect(at([], 3)).toEqual({ rows: [], next: null })
    const page = at([1, 2, 3], 2)
    expect(page.rows).toEqual([1, 2])
    expect(fromCursor(page.next ?? '', z.object({ row: z.int() }))).toEqual({ row: 2 })
  })

  test('begins where its cursor says, and a cursor of another list is refused by name', () => {
    expect(fromCursor(undefined, z.string())).toBeUndefined()
    for (const cursor of ['', 'x', toCursor(5)])
      expect(() => fromCursor(cursor, z.string())).toThrow(
        expect.objectContaining({
          code: 'bad_body',
          data: [expect.objectContaining({ path: ['cursor'], code: 'invalid' })],
        }),
      )
  })
})

test.each([
  [[{ allowed: 0, waitMs: 0 }], 1],
  [[{ allowed: 0, waitMs: 1_000 }], 1],
  [[{ allowed: 0, waitMs: 1_001 }], 2],
  [
    [
      { allowed: 0, waitMs: 300 },
      { allowed: 0, waitMs: 4_200 },
      { allowed: 1, waitMs: 9_000 },
    ],
    5,
  ],
] as const)('after %j one comes again in %i s', (answers, seconds) => {
  const demand = () =>
    demandTokens(
      answers.map((answer) => [answer]),
      'too_many_logins',
    )
  const refusal = {
    code: 'too_many_logins',
    data: { retryAfter: seconds },
    headers: { 'Retry-After': String(seconds) },
  }
  expect(demand).toThrow(expect.objectContaining(refusal))
})

test('what is taken is told by its column, in the error or in its cause', () => {
  const of = (text: string) => asConflict(new Error('D1_ERROR', { cause: new Error(text) }))
  expect(of('UNIQUE constraint failed: users.username_key')).toMatchObject({
    code: 'username_exists',
  })
  expect(of('UNIQUE constraint failed: users.email')).toMatchObject({ code: 'email_exists' })
  expect(asConflict('UNIQUE constraint failed: users.email')).toBeInstanceOf(AppError)
  const other = new Error('UNIQUE constraint failed: courses.name_key')
  expect(asConflict(other)).toBe(other)
})

describe('a fault of ours', () => {
  /** Calls the app with other bindings, and waits for its work after the answer. */
  async function callWith(bindings: object, request: Request) {
    const context = createExecutionContext()
    const answer = await app.fetch(request, Object.assign({ ...workerEnv }, bindings), context)
    await waitOnExecutionContext(context)
    return answer.status
  }

  test('is counted, a refusal is not', async () => {
    const { teacher, problemId } = await createProblem()
    const errors = vi.spyOn(console, 'error').mockImplementation(() => {})
    await runSql`delete from vitals`
    const BUCKET = new Proxy(env.BUCKET, { get: () => undefined })
    const read = (id: number) => requestOf('GET', `/problem/${id}/testcase`, { as: teacher })
    expect(await callWith({ BUCKET }, read(999_999))).toBe(404)
    expect(await callWith({ BUCKET }, read(problemId))).toBe(500)
    expect(await allRows`select name, value from vitals`).toEqual([
      { name: 'api_errors', value: 1 },
    ])
    expect(errors).toHaveBeenCalledTimes(1)
    errors.mockRestore()
  })

  test('at the mail is counted, and the answer is as ever', async () => {
    const person = await createPerson(2)
    const errors = vi.spyOn(console, 'error').mockImplementation(() => {})
    await runSql`delete from vitals`
    const json = { email: `${person.username}@example.test` }
    const request = requestOf('POST', '/auth/password-recovery', { json })
    const MAIL = { send: () => Promise.reject(new Error('no such destination')) }
    const broken = { MAIL_DRIVER: 'cloudflare', MAIL_FROM: 'judge@example.test', MAIL }
    expect(await callWith(broken, request)).toBe(200)
    expect(await allRows`select name, value from vitals order by name`).toEqual([
      { name: 'mail_errors', value: 1 },
      { name: 'mail_failing_at', value: expect.any(Number) },
    ])
    expect(errors).toHaveBeenCalledTimes(3)
    errors.mockRestore()
  })
})

test('a call that does not say which course it is about is refused by the field that says it', async () => {
  const { course, teacher } = await createCourse()
  const path = (answer: { data: { path: string[] }[] }) => answer.data[0]?.path
  expect(path(await teacher.post('/homework', { name: 'H' }))).toEqual(['courseName'])
  expect(path(await teacher.put('/course', {}))).toEqual(['course'])
  expect(path(await teacher.delete('/course', { course: 5 }))).toEqual(['course'])
  expect(path(await teacher.post('/ann', { courseName: 'x'.repeat(65) }))).toEqual(['courseName'])
  expect((await teacher.post('/ann', { courseName: 'x'.repeat(64) })).code).toBe('course_not_found')
  expect((await teacher.put('/course', { course })).data).toEqual({ course })
})

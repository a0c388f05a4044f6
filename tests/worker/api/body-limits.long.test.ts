import { DrizzleQueryError } from 'drizzle-orm/errors'
import { describe, expect, test } from 'vitest'
import { bodyBytesOf, CALLS } from '#contract/calls'
import type { Call } from '#contract/calls/call'
import { BODY_LIMITS, COUNT_LIMITS, TEST_DATA_LIMITS } from '#contract/limits'
import { safeError } from '../../../worker/db/safe-error.ts'
import { READING } from '../../../worker/http/body.ts'
import { createClaimedJob } from '../support/judge.ts'
import {
  call,
  createCourse,
  createPerson,
  createProblem,
  problemForm,
  registerRunner,
  REGISTRATION_TOKEN,
  type CallOptions,
} from '../support/world.ts'

const CHUNK_BYTES = 16 * 1024
/** More than any call accepts, so that a call that reads it all is found out. */
const STREAM_BYTES = 32 * 1024 ** 2
/** Bytes that may be on their way between sender and reader. */
const UNDER_WAY_BYTES = 256 * 1024

/** A body without a stated length, and how much of it was read. */
function countedStream(): { body: ReadableStream<Uint8Array>; sentBytes: () => number } {
  let sent = 0
  const chunk = new TextEncoder().encode('['.repeat(CHUNK_BYTES))
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        if (sent >= STREAM_BYTES) return controller.close()
        sent += chunk.length
        controller.enqueue(chunk.slice())
      },
    },
    { highWaterMark: 0 },
  )
  return { body, sentBytes: () => sent }
}

/** Method and path of a call; by default its id names nothing. */
function addressOf({ route }: Call, id = '1'): [method: string, path: string] {
  const [method = '', path = ''] = route.split(' ')
  return [method, path.replace(/:\w+/g, id)]
}

/** Sends a stream; answers the status, and how many bytes were read. */
async function send(made: Call, options: CallOptions, type = 'application/json') {
  const { body, sentBytes } = countedStream()
  const headers = { 'Content-Type': type }
  const { status } = await call(...addressOf(made), { ...options, body, headers })
  return { status, sentBytes: sentBytes() }
}

/** Every call that changes something, and so may have a body. */
const changes = CALLS.filter(({ route }) => !route.startsWith('GET '))
const closed = changes.filter(({ who }) => who !== 'anyone')
const withJson = changes.filter((made) => bodyBytesOf(made).json > 0)

describe('a body that does not say its length', () => {
  test.each(closed)('of nobody is not read: $route', async (made) => {
    const answer = await send(made, {})
    expect(answer.status).toBe(401)
    expect(answer.sentBytes).toBeLessThanOrEqual(UNDER_WAY_BYTES)
  })

  test.each(closed.filter(({ who }) => who === 'runner' || who === 'registration'))(
    'with a token nobody has is not read: $route',
    async (made) => {
      const answer = await send(made, { token: 'x'.repeat(43) })
      expect(answer.status).toBe(401)
      expect(answer.sentBytes).toBeLessThanOrEqual(UNDER_WAY_BYTES)
    },
  )

  test('of a result is not read from a host that does not have the job', async () => {
    const runner = await registerRunner()
    const { job } = await createClaimedJob()
    for (const id of [job.judgementId, '0'.repeat(24)]) {
      const { body, sentBytes } = countedStream()
      const headers = { 'Content-Type': 'application/json' }
      const path = `/runner/jobs/${id}/result`
      const answer = await call('PUT', path, { token: runner, body, headers })
      expect(answer).toMatchObject({ status: 409, code: 'stale_lease' })
      expect(sentBytes()).toBeLessThanOrEqual(UNDER_WAY_BYTES)
    }
  })

  test('is cut off at what the call takes', async () => {
    const [admin, runner] = [await createPerson(0), await registerRunner()]
    for (const made of changes) {
      const tokens: Record<string, string> = { runner, registration: REGISTRATION_TOKEN }
      const token = tokens[made.who]
      const { json } = bodyBytesOf(made)
      const answer = await send(made, token === undefined ? { as: admin } : { token })
      expect(answer.status, made.route).toBeLessThan(500)
      expect(answer.sentBytes, made.route).toBeLessThanOrEqual(json + UNDER_WAY_BYTES)
    }
  })

  test('is cut off in a form as well', async () => {
    const { teacher, problemId } = await createProblem()
    const { body, sentBytes } = countedStream()
    const headers = { 'Content-Type': 'multipart/form-data; boundary=x' }
    const path = `/problem/manage/${problemId}`
    expect((await call('PUT', path, { as: teacher, body, headers })).code).toBe('too_large')
    const most = TEST_DATA_LIMITS.singleRequestBytes + BODY_LIMITS.formAroundFileBytes
    expect(sentBytes()).toBeLessThanOrEqual(most + UNDER_WAY_BYTES)
  })
})

describe('a body that is too large', () => {
  test.each(['application/json', 'text/plain', 'application/octet-stream'])(
    'is refused whatever it calls itself: %s',
    async (type) => {
      const person = await createPerson(2)
      const body = `{"title": "${'x'.repeat(BODY_LIMITS.announcementBytes)}"}`
      const headers = { 'Content-Type': type, 'Content-Length': String(body.length) }
      expect(await call('POST', '/ann', { as: person, body, headers })).toMatchObject({
        status: 413,
        data: { limit: BODY_LIMITS.announcementBytes },
      })
    },
  )

  test('is refused in a form before it is read', async () => {
    const { teacher, problemId } = await createProblem()
    const form = new FormData()
    form.set(
      'case',
      new File([new Uint8Array(TEST_DATA_LIMITS.singleRequestBytes + 1_000_000)], 'a.zip'),
    )
    const path = `/problem/manage/${problemId}`
    expect((await call('PUT', path, { as: teacher, body: form })).status).toBe(413)
  })

  test('of a guest is one of more than four kilobytes', async () => {
    const sign = (length: number) =>
      call('POST', '/auth/session', { json: { username: 'x', password: 'x'.repeat(length) } })
    expect((await sign(5_000)).code).toBe('too_large')
    expect((await sign(3_000)).code).toBe('bad_body')
  })

  test('is none that the contract allows', async () => {
    const { course, teacher } = await createCourse()
    const longest = '\u{1}'.repeat(100_000)
    const json = { courseName: course, title: 'x', markdown: longest }
    expect((await teacher.post('/ann', json)).status).toBe(200)
  })
})

/** Texts of a given length that cost a careless reader most. */
const HEAVY: Readonly<Record<string, (bytes: number) => string>> = {
  'opening brackets': (bytes) => '['.repeat(bytes),
  'lists in lists': (bytes) => '['.repeat(bytes / 2) + ']'.repeat(bytes / 2),
  'objects in objects': (bytes) => '{"a":'.repeat(bytes / 5),
  'many keys': (bytes) =>
    `{${Array.from({ length: bytes / 16 }, (_, index) => `"k${index}":0`).join(',')}}`,
  'one long text': (bytes) => JSON.stringify({ username: 'x'.repeat(bytes - 40) }),
  'characters of three bytes': (bytes) => JSON.stringify({ title: '漢'.repeat((bytes - 40) / 3) }),
  'escaped quotes': (bytes) => `{"title":"${'\\"'.repeat((bytes - 40) / 2)}"}`,
  'small numbers': (bytes) => `[${'1,'.repeat((bytes - 40) / 2)}1]`,
  'white space': (bytes) => `${' '.repeat(bytes - 2)}{}`,
}

/** Texts that every call refuses. */
const DEEP = new Set(['opening brackets', 'lists in lists', 'objects in objects'])

describe('JSON at its limit', () => {
  test.each(withJson)('is never a fault of ours: $route', async (made) => {
    // The server reads a result only from the host that has the job.
    const held = made.who === 'runner' ? await createClaimedJob() : null
    const tokens: Record<string, string> = {
      registration: REGISTRATION_TOKEN,
      ...(held && { runner: held.token }),
    }
    const token = tokens[made.who]
    const options = token === undefined ? { as: await createPerson(0) } : { token }
    const [method, path] = addressOf(made, held?.job.judgementId)
    for (const [what, textOf] of Object.entries(HEAVY)) {
      const body = textOf(bodyBytesOf(made).json)
      const headers = { 'Content-Type': 'application/json' }
      const { status, code } = await call(method, path, { ...options, body, headers })
      expect(status, `${what}: ${code}`).toBeLessThan(500)
      if (DEEP.has(what)) expect([400, 403, 404], what).toContain(status)
    }
  })

  test.each(['[', '{"a":'])(
    'deeper than any call needs is refused before it is parsed: %s',
    async (open) => {
      const send = (depth: number) => {
        const headers = { 'Content-Type': 'application/json' }
        return call('POST', '/auth/session', { body: open.repeat(depth), headers })
      }
      expect((await send(700)).code).toBe('too_deep')
      expect((await send(READING.jsonDepth + 1)).code).toBe('too_deep')
      expect((await send(READING.jsonDepth)).code).toBe('bad_json')
    },
  )

  test('brackets within a text make it no deeper', async () => {
    const json = { username: '[{"'.repeat(40), password: '\\'.repeat(99) + '[[[' }
    expect((await call('POST', '/auth/session', { json })).code).toBe('login_failed')
  })

  test('a refusal names the first faults of very many', async () => {
    const { course, teacher } = await createCourse()
    const names = Array.from({ length: COUNT_LIMITS.membersPerRequest }, () => '!')
    const path = `/course/${course}`
    const answer = await teacher.put(path, { TAs: names, students: names })
    expect(answer.status).toBe(400)
    expect(answer.data).toHaveLength(COUNT_LIMITS.fieldErrors)
  })

  test.each([
    ['lines', 'username,password,email\n' + 'a\n'.repeat(1_000_000)],
    ['columns', ','.repeat(1_000_000)],
  ])('a CSV of a million %s is refused for its length', async (_title, newUsers) => {
    const answer = await call('POST', '/auth/batch-signup', {
      as: await createPerson(0),
      json: { newUsers },
    })
    expect(answer.data).toMatchObject([{ path: ['newUsers'], code: 'max_length' }])
  })

  // JSON writes a quote as two bytes.
  test.each([
    ['a quote for each letter', '"' + 'a"'.repeat(1_300_000)],
    ['blanks after many quotes', '"' + '"a'.repeat(600_000) + ' '.repeat(2_000_000) + ',x'],
  ])('a CSV with %s is refused at that row', async (_title, row) => {
    const answer = await call('POST', '/auth/batch-signup', {
      as: await createPerson(0),
      json: { newUsers: `username,password,email\n${row}` },
    })
    expect(answer).toMatchObject({
      code: 'bad_csv',
      data: { rows: [{ line: 2, faults: [{ code: 'unreadable_row' }] }] },
    })
  })

  test('a name of megabytes is refused before the database is asked for it', async () => {
    const course = 'x'.repeat(3_000_000)
    for (const path of ['/problem/manage', '/auth/batch-signup'])
      expect(
        await call('POST', path, { as: await createPerson(2), json: { course } }),
      ).toMatchObject({
        code: 'bad_body',
        data: [{ path: ['course'], code: 'invalid' }],
      })
  })

  test('a list that is too long is one fault, however many are in it', async () => {
    const { course, teacher } = await createCourse()
    const json = { course, ...problemForm({ tags: Array.from({ length: 100_000 }, () => '') }) }
    const answer = await teacher.post('/problem/manage', json)
    expect(answer.data).toMatchObject([{ path: ['tags'], code: 'max_length' }])
  })
})

test('a logged fault of the database never shows the values of its query', () => {
  const error = new DrizzleQueryError(
    'insert into users values (?)',
    ['the-hash'],
    new Error('down'),
  )
  expect(error.message).toContain('the-hash')
  expect(safeError(error)).not.toContain('the-hash')
  expect(safeError(error)).toContain('down')
})

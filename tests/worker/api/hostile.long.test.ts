/** Hostile code, filters and cursors. */
import { createExecutionContext } from 'cloudflare:test'
import { describe, expect, test } from 'vitest'
import { app } from '../../../worker/app.ts'
import { UNLIMITED } from '../support/rates.ts'
import { createFixture, type Fixture } from '../support/roles-routes-fixture.ts'
import { call, problemForm, requestOf, type Person } from '../support/world.ts'

describe('source code', () => {
  const sources = {
    'NUL bytes': 'int main(){}\0//\0',
    'CR LF': 'int main(){\r\n}\r\n',
    'a byte order mark': '\u{feff}int main(){}',
    'white space alone': ' \n\t',
    'characters of every plane': 'é漢🦀\u{10ffff}',
  }

  test.each(Object.entries(sources))('with %s is stored as it came [IV2]', async (_, code) => {
    const { ids, people } = await createFixture()
    const json = { problemId: ids.problem, languageType: 0, code }
    const made = await people.student.post('/submission', json)
    expect(made.status).toBe(200)
    const read = await people.student.get(`/submission/${made.data.submissionId}`)
    expect(read.data.code).toBe(code)
  })

  test('of exactly 64 KiB is taken, a byte more is not; what is wrong is said in the product’s words [IV2]', async () => {
    const { ids, people } = await createFixture()
    const hand = (json: object) =>
      people.student.post('/submission', { problemId: ids.problem, ...json })
    expect((await hand({ languageType: 0, code: 'é'.repeat(32_768) })).status).toBe(200)
    expect((await hand({ languageType: 0, code: `${'é'.repeat(32_768)}x` })).status).toBe(413)
    expect((await hand({ languageType: 0, code: '' })).message).toBe(
      'Please paste your source code to submit.',
    )
    for (const languageType of [undefined, null, 3, -1, '0', 0.5])
      expect(await hand({ languageType, code: 'x' })).toMatchObject({
        status: 400,
        message: 'Please select the programming language.',
      })
    const lone = await hand({ languageType: 0, code: '\ud800' })
    expect(lone).toMatchObject({ status: 400, code: 'bad_body', data: [{ path: ['code'] }] })
  })
})

/** Every list with its text parameters and a role that reads it. */
const LISTS: readonly {
  path: (fixture: Fixture) => string
  as: keyof Fixture['people']
  texts: readonly string[]
}[] = [
  {
    path: () => '/submission',
    as: 'ta',
    texts: 'course problemId username status languageType cursor limit offset count'.split(' '),
  },
  {
    path: ({ course }) => `/problem?course=${course}`,
    as: 'student',
    texts: ['name', 'tags', 'cursor', 'limit'],
  },
  { path: () => '/user', as: 'admin', texts: ['search', 'role', 'course', 'cursor', 'limit'] },
  { path: () => '/audit', as: 'admin', texts: ['actor', 'action', 'cursor', 'limit'] },
  {
    path: ({ course }) => `/course/${course}/scoreboard`,
    as: 'ta',
    texts: ['pids', 'start', 'end'],
  },
  { path: () => '/course', as: 'ta', texts: ['deleted'] },
  { path: ({ ids }) => `/problem/${ids.problem}/mistakes`, as: 'ta', texts: ['cursor'] },
]

const HOSTILE = [
  "' or 1=1 --",
  '" or ""="',
  "x'; drop table users; --",
  '%',
  '_%_',
  '\\',
  'a%'.repeat(40),
  'é'.repeat(60),
  'x'.repeat(5_000),
  '\0',
  '\u{1f980}',
  '1e309',
  'NaN',
  '-1',
  '0x10',
  '[object Object]',
  '{"$ne":1}',
  '*',
]

/** Cursors that the server never gave out. */
const FORGED = [
  '',
  'x',
  '!!!',
  ...[
    null,
    {},
    [],
    true,
    -1,
    1.5,
    "' or 1=1",
    { step: 9, key: '', id: 0 },
    [1, 2],
    'g'.repeat(24),
  ].map((position) => btoa(JSON.stringify(position))),
]

test('a megabyte of stars is refused wherever Markdown goes [IV4]', async () => {
  const { course, ids, people } = await createFixture()
  const stars = '*'.repeat(1_000_000)
  const homework = { name: 'N', courseName: course, start: 1, end: 2, problemIds: [] }
  const description = { description: stars }
  const calls: [string, string, unknown][] = [
    ['POST', '/ann', { title: 'T', courseName: course, markdown: stars }],
    ['PUT', '/ann', { annId: ids.ann, title: 'T', pinned: false, markdown: stars }],
    ['POST', '/homework', { ...homework, markdown: stars }],
    ['PUT', `/homework/${ids.homework}`, { ...homework, markdown: stars }],
    ['POST', '/problem/manage', { course, ...problemForm({ description }) }],
    ['PUT', `/problem/manage/${ids.problem}`, problemForm({ description })],
    ['POST', `/problem/${ids.problem}/hints`, { markdown: stars, mistake: ids.mistake }],
    ['PUT', `/problem/${ids.problem}/hints/${ids.hint}`, { markdown: stars }],
    ['POST', `/problem/${ids.problem}/mistakes/${ids.mistake}/questions`, { markdown: stars }],
    ['POST', '/profile', { bio: stars }],
  ]
  for (const [method, path, json] of calls)
    expect([400, 413], `${method} ${path}`).toContain(
      (await call(method, path, { as: people.teacher, json })).status,
    )
})

describe('filters and cursors', () => {
  test.each(LISTS)('of list $# take text for text [IV7]', async ({ path, as, texts }) => {
    const [fixture, foreign] = [await createFixture(), await createFixture()]
    const url = path(fixture)
    for (const name of texts)
      for (const value of name === 'cursor' ? [...FORGED, ...HOSTILE] : HOSTILE) {
        const query = `${url.includes('?') ? '&' : '?'}${name}=${encodeURIComponent(value)}`
        const request = requestOf('GET', url + query, { as: fixture.people[as] })
        const response = await app.fetch(request, UNLIMITED, createExecutionContext())
        const text = await response.text()
        expect([200, 400, 404], `${query}: ${text}`).toContain(response.status)
        if (as !== 'admin') expect(text, query).not.toContain(foreign.mark)
        if (name === 'cursor') expect(response.status, query).toBe(400)
        if (response.status === 400) expect(JSON.parse(text).data[0].path[0], query).toBe(name)
      }
  })

  test('a cursor of somebody else’s list shows one’s own rows only [IV7]', async () => {
    const [fixture, foreign] = [await createFixture(), await createFixture()]
    const cursorFor = async (as: Person) => (await as.get('/submission?limit=1')).data.next
    const cursor = await cursorFor(foreign.people.admin)
    const { status, data } = await fixture.people.student.get(`/submission?cursor=${cursor}`)
    expect(status).toBe(200)
    for (const item of data.submissions)
      expect(item.user.username).toBe(fixture.people.student.username)
  })

  test('an injected condition finds nothing more [IV7]', async () => {
    const { course, people } = await createFixture()
    for (const search of ['%', '_', "' or '1'='1"]) {
      const path = `/problem?course=${course}&name=${encodeURIComponent(search)}`
      expect((await people.student.get(path)).data.items).toEqual([])
    }
  })
})

describe('a call that names no course', () => {
  test.each([
    ['/homework', 'courseName'],
    ['/problem/manage', 'course'],
  ])('POST %s is told which field is missing', async (path, field) => {
    const { people } = await createFixture()
    const { status, data } = await people.teacher.post(path, {})
    expect(status).toBe(400)
    expect(data[0]).toMatchObject({ path: [field], code: 'required' })
  })
})

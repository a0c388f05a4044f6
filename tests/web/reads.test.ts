/** Reads by several calls, reads page by page, and reads that are repeated while something changes. */
import { expect, test } from 'vitest'
import * as admin from '../../web/features/admin/api.ts'
import * as copycat from '../../web/features/copycat/api.ts'
import * as courses from '../../web/features/courses/api.ts'
import * as home from '../../web/features/home/api.ts'
import { submissionsQuery } from '../../web/features/submissions/api.ts'
import { readFilter } from '../../web/features/submissions/filter.ts'
import * as announced from '../../web/lib/queries/announcements.ts'
import { operationQuery } from '../../web/lib/queries/operations.ts'
import { courseProblemsQuery } from '../../web/lib/queries/problems.ts'
import { okText, readWith, refusalText, serveApi } from './fixtures/api-server.ts'

const api = serveApi()
const COURSE = 'A B'
const ID = '0123456789abcdef01234567'
const ETAG = '"7"'
const SUBMISSIONS = submissionsQuery(COURSE, readFilter(new URLSearchParams()))

test('teachers are suggested before admins, by the same text', async () => {
  const person = { displayedName: '', email: '', emailConfirmed: true, active: true, createTime: 1 }
  api.answer = (response, call) => {
    const role = call.includes('role=1') ? 1 : 0
    const item = { ...person, username: `role-${role}`, role, etag: ETAG }
    response.end(okText({ items: [item], next: null }))
  }
  const found = await readWith(courses.teachersQuery('an'))
  expect(found).toMatchObject([{ username: 'role-1' }, { username: 'role-0' }])
  expect(api.noted.map(({ call }) => call).toSorted()).toEqual([
    'GET /user?search=an&role=0&limit=10',
    'GET /user?search=an&role=1&limit=10',
  ])
})

test('all problems of a course are read page by page', async () => {
  api.answer = (response, call) => {
    const at = Number(/cursor=(\d)/.exec(call)?.[1] ?? 0)
    response.end(okText({ items: [], next: at < 2 ? String(at + 1) : null }))
  }
  expect(await readWith(courseProblemsQuery(COURSE))).toEqual([])
  const first = 'GET /problem?course=A+B&limit=200'
  expect(api.noted.map(({ call }) => call)).toEqual([
    first,
    `${first}&cursor=1`,
    `${first}&cursor=2`,
  ])
})

test('a list of announcements goes on behind its last one, unless its page is not full', () => {
  const { getNextPageParam } = announced.systemAnnouncementsQuery
  const page = (length: number) => Array.from({ length }, (_, index) => ({ annId: `${index}` }))
  const next = (length: number) =>
    getNextPageParam(page(length) as Parameters<typeof getNextPageParam>[0], [], '', [])
  expect([next(49), next(50)]).toEqual([null, '49'])
})

test('a problem without a report of copies has none, and another refusal is one', async () => {
  api.answer = (response) => response.writeHead(404).end(refusalText('report_not_found'))
  expect(await readWith(copycat.copycatQuery(COURSE, 7))).toBeNull()
  api.answer = (response) => response.writeHead(404).end(refusalText('problem_not_found'))
  await expect(readWith(copycat.copycatQuery(COURSE, 7))).rejects.toMatchObject({
    code: 'problem_not_found',
  })
})

test.each([
  ['a running search for copies', copycat.copycatQuery(COURSE, 7), { state: 'running' }, 1_000],
  ['one that is over', copycat.copycatQuery(COURSE, 7), { state: 'done' }, false],
  ['an operation', operationQuery(ID), { state: 'running' }, 1_000],
  ['one that is done', operationQuery(ID), { state: 'done' }, false],
  [
    'home with a pending verdict',
    home.newestSubmissionsQuery('ann'),
    { submissions: [{ status: 0 }, { status: -1 }] },
    2_000,
  ],
  ['home without one', home.newestSubmissionsQuery('ann'), { submissions: [{ status: 0 }] }, false],
  [
    'a list with a pending verdict on its second page, both of which are read,',
    SUBMISSIONS,
    { pages: [{ submissions: [{ status: 0 }] }, { submissions: [{ status: 0 }, { status: -1 }] }] },
    6_000,
  ],
  ['a list without one', SUBMISSIONS, { pages: [{ submissions: [{ status: 0 }] }] }, false],
] as const)('%s is read again as long as it changes', (_, { refetchInterval }, data, expected) => {
  const ask = refetchInterval as unknown as (query: object) => number | false
  expect(ask({ state: { data } })).toBe(expected)
  expect(ask({ state: { data: undefined } })).toBe(false)
})

test.each([
  ['judge hosts', admin.runnersQuery],
  ['the queue', admin.queueQuery],
])('%s are read again twice a heartbeat', (_, { refetchInterval }) => {
  expect(refetchInterval).toBe(7_500)
})

/** What follows from the table of calls: sizes of bodies, scopes of API tokens, refusals. */
import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import type { Call } from '#contract/calls/call'
import {
  bodyBytesOf,
  CALLS,
  countsAsWrite,
  isOneOfFew,
  isWrite,
  refusalsOf,
  scopeOf,
} from '#contract/calls'
import { BODY_LIMITS } from '#contract/limits'

/** A call of which only this is known. */
function callOf(changes: Partial<Call>): Call {
  return { route: 'GET /something', who: 'session', summary: '', ...changes }
}

const body = z.object({})
const form = { file: 'the bytes' }

describe('the size of a body', () => {
  test('is that of a form, less for guests, or what the call says', () => {
    expect(bodyBytesOf(callOf({ body }))).toEqual({ json: BODY_LIMITS.formBytes, form: 0 })
    expect(bodyBytesOf(callOf({ body, who: 'anyone' })).json).toBe(BODY_LIMITS.guestBytes)
    expect(bodyBytesOf(callOf({ body, who: 'anyone', bodyBytes: 7 })).json).toBe(7)
    expect(bodyBytesOf(callOf({ bodyBytes: 7 })).json).toBe(0)
  })

  test('has room around a file', () => {
    const room = BODY_LIMITS.formAroundFileBytes
    expect(bodyBytesOf(callOf({ form, fileBytes: 100 })).form).toBe(100 + room)
    expect(bodyBytesOf(callOf({ form })).form).toBe(room)
    expect(bodyBytesOf(callOf({ fileBytes: 100 })).form).toBe(0)
  })
})

test('a call changes something by its method, or because its row says so', () => {
  for (const method of ['GET', 'HEAD', 'OPTIONS'])
    expect(isWrite(method, '/submission')).toBe(false)
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) expect(isWrite(method, '/x')).toBe(true)
  expect(isWrite('GET', '/submission/abc/rejudge')).toBe(true)
  expect(isWrite('GET', '/submission/:id/rejudge')).toBe(true)
  expect(isWrite('GET', '/my/submission/abc/rejudge')).toBe(false)
  expect(isWrite('GET', '/submission/abc/rejudge/more')).toBe(false)
  expect(isWrite('GET', '/submission/a/b/rejudge')).toBe(false)
})

test('what is written counts against one limit, but for handing in, which has its own', () => {
  expect(countsAsWrite('POST', '/profile')).toBe(true)
  expect(countsAsWrite('PUT', '/submission/abc')).toBe(true)
  expect(countsAsWrite('POST', '/submission')).toBe(false)
  expect(countsAsWrite('GET', '/submission')).toBe(false)
})

test('what is written is one of few at work at once, but for the parts of an upload', () => {
  const upload = '/problem/7/test-case-upload/abc'
  expect(isOneOfFew('POST', '/submission')).toBe(true)
  expect(isOneOfFew('GET', '/submission/abc/rejudge')).toBe(true)
  expect(isOneOfFew('PUT', `${upload}/3`)).toBe(false)
  expect(isOneOfFew('DELETE', upload)).toBe(true)
  expect(isOneOfFew('PUT', `/other${upload}/3`)).toBe(true)
  expect(isOneOfFew('PUT', `${upload}/3/more`)).toBe(true)
})

test('of pages that look through much few are at work at once, of others any number', () => {
  for (const path of ['', '/abc/output/0/1'])
    expect(isOneOfFew('GET', `/submission${path}`)).toBe(true)
  expect(isOneOfFew('GET', '/homework/abc/scoreboard')).toBe(true)
  expect(isOneOfFew('GET', '/course/abc/scoreboard')).toBe(true)
  for (const path of ['/submission/abc', '/course', '/homework', '/auth/me/export'])
    expect(isOneOfFew('GET', path)).toBe(false)
})

describe('the refusals of a call', () => {
  const OF_PEOPLE = ['not_signed_in', 'bad_token', 'token_scope']

  test.each<[Partial<Call>, string[]]>([
    [{}, OF_PEOPLE],
    [{ route: 'POST /x' }, ['cross_site', ...OF_PEOPLE]],
    [{ changes: true }, ['unsafe_get', ...OF_PEOPLE]],
    [{ who: 'admin' }, ['forbidden', ...OF_PEOPLE]],
    [{ who: 'anyone', route: 'POST /x' }, []],
    [{ who: 'runner', route: 'POST /x' }, ['bad_token', 'too_many_requests']],
    [{ who: 'registration', route: 'POST /x' }, ['bad_token']],
    [{ who: 'metrics' }, ['bad_token']],
    [{ route: 'GET /course/:name/x' }, ['course_not_found', ...OF_PEOPLE]],
    [{ route: 'GET /ann/:name/:id' }, ['course_not_found', ...OF_PEOPLE]],
    [{ route: 'GET /problem/:id' }, ['problem_not_found', ...OF_PEOPLE]],
    [{ route: 'GET /problem/manage/:id' }, ['problem_not_found', ...OF_PEOPLE]],
    [{ route: 'GET /problem' }, OF_PEOPLE],
    [{ query: body }, ['bad_query', ...OF_PEOPLE]],
    [{ body }, ['bad_json', 'too_deep', 'bad_body', 'too_large', 'body_too_slow', ...OF_PEOPLE]],
    [{ form }, ['bad_form', 'too_large', 'body_too_slow', ...OF_PEOPLE]],
    [{ errors: ['too_large', 'too_large', 'bad_token'] }, ['too_large', ...OF_PEOPLE]],
  ])('%j', (changes, codes) => {
    const told = refusalsOf(callOf(changes))
    expect(told.toSorted()).toEqual([...codes, 'restoring', 'internal'].toSorted())
  })
})

test.each([
  ['GET', '/problem/3', 'read'],
  ['GET', '/auth/me', 'read'],
  ['GET', '/submission/abc/rejudge', 'manage'],
  ['POST', '/submission', 'submit'],
  ['DELETE', '/submission/abc', 'manage'],
  ['PUT', '/submission', 'manage'],
  ['POST', '/submission/abc', 'manage'],
  ['POST', '/problem/3/run', 'submit'],
  ['POST', '/problem/1234/run', 'submit'],
  ['PUT', '/problem/3/run', 'manage'],
  ['POST', '/problem/3/4/run', 'manage'],
  ['POST', '/my/submission', 'manage'],
  ['PUT', '/submission/abc/more', 'manage'],
  ['PUT', '/my/submission/abc', 'manage'],
  ['GET', '/users', 'read'],
  ['GET', '/my/user', 'read'],
  ['GET', '/user/somebody', 'admin'],
  ['GET', '/my/auth/sessions', 'read'],
  ['PUT', '/auth/me', null],
  ['HEAD', '/problem/3', 'read'],
  ['OPTIONS', '/problem/3', 'read'],
  ['PUT', '/submission/abc', 'submit'],
  ['POST', '/submission/abc/rejudge', 'manage'],
  ['POST', '/profile', 'manage'],
  ['POST', '/auth/batch-signup', 'admin'],
  ['GET', '/auth/batch-signup/abc', 'read'],
  ['GET', '/user', 'admin'],
  ['GET', '/userinfo', 'read'],
  ['PATCH', '/user/somebody', 'admin'],
  ['GET', '/course/summary', 'admin'],
  ['GET', '/audit', 'admin'],
  ['GET', '/runners/queue', 'queue'],
  ['PATCH', '/runners/queue', 'admin'],
  ['GET', '/runners', 'admin'],
  ['POST', '/auth/change-password', null],
  ['GET', '/auth/me/export', null],
  ['GET', '/auth/sessions', null],
])('a token needs for %s %s the scope %s', (method, path, scope) => {
  expect(scopeOf(method, path)).toBe(scope)
})

test.each(CALLS.filter(({ who }) => who === 'admin'))(
  'an admin’s call needs the scope for those, or no token makes it: $route',
  ({ route }) => {
    const [method = '', path = ''] = route.split(' ')
    expect(['admin', null]).toContain(scopeOf(method, path))
  },
)

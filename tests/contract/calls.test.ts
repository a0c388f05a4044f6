/** Rules that follow from the table of calls: sizes of bodies, scopes of API tokens, refusals. */
import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import type { Call, RateClass } from '#contract/calls/call'
import {
  bodyBytesOf,
  callOf,
  CALLS,
  isOfPeople,
  isWrite,
  rateOf,
  refusalsOf,
  scopeOf,
} from '#contract/calls'
import { BODY_LIMITS } from '#contract/limits'
import { CAPABILITIES, type Standing } from '#contract/roles'

/** A call with these fields and otherwise defaults. */
function made(changes: Record<string, unknown>): Call {
  return { route: 'GET /something', who: 'session', summary: '', ...changes }
}

const body = z.object({})
const form = { file: 'the bytes' }

describe('the size of a body', () => {
  test('is that of a form, less for guests, or what the call says', () => {
    expect(bodyBytesOf(made({ body }))).toEqual({ json: BODY_LIMITS.formBytes, form: 0 })
    expect(bodyBytesOf(made({ body, who: 'anyone' })).json).toBe(BODY_LIMITS.guestBytes)
    expect(bodyBytesOf(made({ body, who: 'anyone', bodyBytes: 7 })).json).toBe(7)
    expect(bodyBytesOf(made({ bodyBytes: 7 })).json).toBe(0)
  })

  test('has room around a file', () => {
    const room = BODY_LIMITS.formAroundFileBytes
    expect(bodyBytesOf(made({ form, fileBytes: 100 })).form).toBe(100 + room)
    expect(bodyBytesOf(made({ form })).form).toBe(room)
    expect(bodyBytesOf(made({ fileBytes: 100 })).form).toBe(0)
  })
})

test('a call changes something by its method, or because its row says so', () => {
  expect(isWrite(made({ route: 'GET /submission' }))).toBe(false)
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'])
    expect(isWrite(made({ route: `${method} /x` }))).toBe(true)
  expect(isWrite(callOf('GET /submission/:id/rejudge'))).toBe(true)
})

test('a call counts against the rate of who makes it and of what it does, unless its row says another', () => {
  const post = 'POST /something'
  expect(rateOf(made({}))).toBe('read')
  expect(rateOf(made({ who: 'staff' }))).toBe('read')
  expect(rateOf(made({ changes: true }))).toBe('write')
  expect(rateOf(made({ route: post }))).toBe('write')
  for (const who of ['staff', 'teacher', 'anyStaff', 'admin'] as const)
    expect(rateOf(made({ route: post, who }))).toBe('bulkWrite')
  for (const who of ['anyone', 'registration', 'metrics'] as const)
    expect(rateOf(made({ who }))).toBe('guest')
  expect(rateOf(made({ route: post, who: 'runner' }))).toBe('host')
  expect(rateOf(made({ rate: 'heavyRead' }))).toBe('heavyRead')
})

test('reads that look through much, and hand-ins, have rates of their own', () => {
  const routesOf = (rate: RateClass) =>
    CALLS.filter((row) => row.rate === rate).map(({ route }) => route)
  expect(routesOf('heavyRead')).toEqual([
    'GET /course/:name/late-days',
    'GET /overview',
    'GET /course/:name/homework',
    'GET /homework/:id',
    'GET /homework/:id/dates',
    'GET /homework/:id/kept-marks',
    'GET /course/:name/gradebook',
    'GET /course/:name/marks',
    'GET /course/:name/marks/:username',
    'GET /homework/:id/statistics',
    'GET /submission',
    'GET /submission/:id/output/:task/:case',
    'GET /problem/:id/mistakes',
    'GET /problem/:id/mistakes/:mistake',
  ])
  expect(routesOf('scoreboard')).toEqual([
    'GET /course/:name/archive',
    'GET /course/:name/scoreboard',
    'GET /homework/:id/scoreboard',
    'GET /homework/:id/programs',
    'GET /course/:name/gradebook/file',
  ])
  expect(routesOf('bulkWrite')).toEqual(['POST /submission', 'PUT /submission/:id'])
})

describe('the refusals of a call', () => {
  const OF_ACCOUNTS = ['not_signed_in', 'bad_token', 'token_scope']
  const OF_PEOPLE = [...OF_ACCOUNTS, 'confirm_email_first']

  test.each<[Record<string, unknown>, string[]]>([
    [{}, OF_PEOPLE],
    [{ route: 'POST /x' }, ['cross_site', ...OF_PEOPLE]],
    [{ changes: true }, ['cross_site', 'unsafe_get', ...OF_PEOPLE]],
    [{ unconfirmed: true }, OF_ACCOUNTS],
    [{ who: 'admin' }, ['forbidden', ...OF_PEOPLE]],
    [{ who: 'anyone', route: 'POST /x' }, []],
    [{ who: 'runner', route: 'POST /x' }, ['bad_token']],
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
    const told = refusalsOf(made(changes))
    expect(told.toSorted()).toEqual(
      [...codes, 'too_many_requests', 'restoring', 'internal'].toSorted(),
    )
  })
})

describe('the scope that a call by token needs', () => {
  /** Routes of the calls by people that need the scope. */
  const needing = (scope: string | null) =>
    CALLS.filter((call) => isOfPeople(call) && scopeOf(call) === scope).map(({ route }) => route)

  test('follows from what it does, where its row says nothing else', () => {
    expect(scopeOf(made({}))).toBe('read')
    expect(scopeOf(made({ changes: true }))).toBe('manage')
    expect(scopeOf(made({ route: 'POST /x' }))).toBe('manage')
    expect(scopeOf(made({ who: 'admin' }))).toBe('admin')
    expect(scopeOf(made({ who: 'admin', scope: 'queue' }))).toBe('queue')
  })

  test('is none for what concerns the account itself', () => {
    const account = CALLS.filter(
      ({ route, who }) =>
        / \/(?:auth\/|calendar-link$|join$|notices\/settings$)/.test(route) && who !== 'anyone',
    )
    const open = ['GET /auth/me', 'POST /auth/batch-signup']
    const routes = account.map(({ route }) => route).filter((route) => !open.includes(route))
    expect(needing(null)).toEqual(routes)
    expect(routes).toHaveLength(16)
  })

  test('is `submit` for handing in and trying code, and `queue` for the queue', () => {
    expect(needing('submit').toSorted()).toEqual([
      'POST /problem/:id/run',
      'POST /submission',
      'POST /submission/:id/cancel',
      'PUT /submission/:id',
    ])
    expect(needing('queue')).toEqual(['GET /runners/queue'])
  })

  test('is `admin` for an admin’s calls, for signing up many, for judging every Judge Error again and for inviting assistants', () => {
    const admins: string[] = CALLS.filter(({ who }) => who === 'admin').map(({ route }) => route)
    const others = [
      'POST /auth/batch-signup',
      'POST /runners/requeue',
      'POST /course/:name/invitations',
    ]
    expect(needing('admin').toSorted()).toEqual([...admins, ...others].toSorted())
  })
})

test.each(CALLS.filter(({ right }) => right !== undefined && right !== 'course.read'))(
  'who may make a call fits the right that its row asks for: $route',
  ({ who, right }) => {
    const standings = right ? CAPABILITIES[right] : []
    const allowed: Partial<Record<Call['who'], Standing[]>> = {
      session: ['admin', 'instructor'],
      // Only who is a member can leave.
      member:
        right === 'course.leave'
          ? ['ta', 'student', 'reader']
          : ['admin', 'teacher', 'ta', 'student'],
      staff: ['admin', 'teacher', 'ta'],
      teacher: ['admin', 'teacher'],
      admin: ['admin'],
    }
    expect(standings).toEqual(allowed[who])
  },
)

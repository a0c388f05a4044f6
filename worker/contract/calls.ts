/** The table of all calls. The server's routes, the web app's client and the API's description are made from this table. */
import type * as z from 'zod'
import type { Call, RateClass, Who } from '#contract/calls/call'
import { COURSE_CALLS } from '#contract/calls/courses'
import { GRADEBOOK_CALLS } from '#contract/calls/gradebook'
import { HOMEWORK_CALLS } from '#contract/calls/homeworks'
import { JOINING_CALLS } from '#contract/calls/joining'
import { JUDGING_CALLS } from '#contract/calls/judging'
import { MISTAKE_CALLS } from '#contract/calls/mistakes'
import { PEOPLE_CALLS } from '#contract/calls/people'
import { PROBLEM_CALLS } from '#contract/calls/problems'
import { QUESTION_CALLS } from '#contract/calls/questions'
import type { ErrorCode } from '#contract/errors'
import { BODY_LIMITS } from '#contract/limits'
import type { TokenScope } from '#contract/people/tokens'

type People = typeof PEOPLE_CALLS
type Courses = typeof COURSE_CALLS
type Homeworks = typeof HOMEWORK_CALLS
type Gradebook = typeof GRADEBOOK_CALLS
type Problems = typeof PROBLEM_CALLS
type Judging = typeof JUDGING_CALLS
type Questions = typeof QUESTION_CALLS
type Joining = typeof JOINING_CALLS
type Mistakes = typeof MISTAKE_CALLS

/** The type of the table: route → its row. Two parts of the table with the same route do not compile. */
export interface CallTable
  extends People, Courses, Homeworks, Gradebook, Problems, Judging, Questions, Joining, Mistakes {}

/** The route of a call: method and path below `/api`, in the router's form. */
export type Route = keyof CallTable

/** The names of a route's parameters. */
export type ParamName<R extends string> = R extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParamName<Rest>
  : R extends `${string}:${infer Name}`
    ? Name
    : never

/** The schema of one part of a call; `never` where the row has no such schema. */
export type SchemaOf<R extends Route, Part extends 'params' | 'query' | 'body' | 'data'> =
  CallTable[R] extends Readonly<Record<Part, infer Schema extends z.ZodType>> ? Schema : never

const TABLE: CallTable = {
  ...PEOPLE_CALLS,
  ...COURSE_CALLS,
  ...HOMEWORK_CALLS,
  ...GRADEBOOK_CALLS,
  ...PROBLEM_CALLS,
  ...JUDGING_CALLS,
  ...QUESTION_CALLS,
  ...JOINING_CALLS,
  ...MISTAKE_CALLS,
}

/** Every route. */
export const ROUTES = Object.keys(TABLE) as Route[]

/** The call of a route. */
export function callOf(route: Route): Call & { route: Route } {
  return { route, ...TABLE[route] }
}

/** Every call of the API. */
export const CALLS = ROUTES.map(callOf)

/** The most bytes of each kind of body; 0 where the call takes no such body. */
export interface BodyBytes {
  json: number
  form: number
}

/** The size limits of a call's body. Parts of an upload do not count: they are streamed. */
export function bodyBytesOf({ who, body, bodyBytes, form, fileBytes = 0 }: Call): BodyBytes {
  const usual = who === 'anyone' ? BODY_LIMITS.guestBytes : BODY_LIMITS.formBytes
  return {
    json: body ? (bodyBytes ?? usual) : 0,
    form: form ? fileBytes + BODY_LIMITS.formAroundFileBytes : 0,
  }
}

/** Refusals that follow from who may make a call. */
const REFUSALS: Record<Call['who'], readonly ErrorCode[]> = {
  anyone: [],
  session: ['not_signed_in'],
  owner: ['not_signed_in'],
  submitter: ['not_signed_in'],
  member: ['not_signed_in'],
  staff: ['not_signed_in', 'forbidden'],
  teacher: ['not_signed_in', 'forbidden'],
  anyStaff: ['not_signed_in', 'forbidden'],
  admin: ['not_signed_in', 'forbidden'],
  runner: ['bad_token'],
  registration: ['bad_token'],
  metrics: ['bad_token'],
}

/** Callers that do not use a person's account. */
const NO_PEOPLE = new Set<Who>(['anyone', 'runner', 'registration', 'metrics'])

/** Whether a call is made by signed-in people. */
export function isOfPeople({ who }: Call): boolean {
  return !NO_PEOPLE.has(who)
}

/** Whether a call changes something. */
export function isWrite({ route, changes }: Call): boolean {
  return changes === true || !route.startsWith('GET ')
}

const STAFF = new Set<Who>(['staff', 'teacher', 'anyStaff', 'admin'])

/** Whether only staff make a call; they may send many writing calls in a short time. */
export function isOfStaff({ who }: Call): boolean {
  return STAFF.has(who)
}

/** The rate class of a call: its row's `rate`, else by who makes the call and whether it changes something. */
export function rateOf(call: Call): RateClass {
  if (call.rate) return call.rate
  if (call.who === 'runner') return 'host'
  if (!isOfPeople(call)) return 'guest'
  if (!isWrite(call)) return 'read'
  return isOfStaff(call) ? 'bulkWrite' : 'write'
}

/**
 * The scope that a token needs for a call; null when no token may make it. Calls about the account itself (password, sessions,
 * tokens, export) are for its owner in a browser. Giving anybody a role needs a browser, too, but only the body shows that.
 */
export function scopeOf(call: Call): TokenScope | null {
  if (call.scope !== undefined) return call.scope
  if (call.who === 'admin') return 'admin'
  return isWrite(call) ? 'manage' : 'read'
}

/** The codes with which a call may refuse, each once. */
export function refusalsOf(call: Call): ErrorCode[] {
  const { route, who, changes, body, form, query, errors = [] } = call
  const codes: ErrorCode[] = [
    ...(isOfPeople(call) && isWrite(call) ? (['cross_site'] as const) : []),
    ...(changes ? (['unsafe_get'] as const) : []),
    ...REFUSALS[who],
    'too_many_requests',
    ...(isOfPeople(call) ? (['bad_token', 'token_scope'] as const) : []),
    ...(isOfPeople(call) && !call.unconfirmed ? (['confirm_email_first'] as const) : []),
    ...(route.includes(' /course/:name') || route.includes(' /ann/:name')
      ? (['course_not_found'] as const)
      : []),
    ...(/ \/problem\/(manage\/)?:id/.test(route) ? (['problem_not_found'] as const) : []),
    ...(query ? (['bad_query'] as const) : []),
    ...(body ? (['bad_json', 'too_deep', 'bad_body', 'too_large', 'body_too_slow'] as const) : []),
    ...(form ? (['bad_form', 'too_large', 'body_too_slow'] as const) : []),
    ...errors,
    'restoring',
    'internal',
  ]
  return [...new Set(codes)]
}

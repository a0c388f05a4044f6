/** The table of all calls. A test compares it with the router's routes. */
import type { Call } from '#contract/calls/call'
import { COURSE_CALLS } from '#contract/calls/courses'
import { JUDGING_CALLS } from '#contract/calls/judging'
import { PEOPLE_CALLS } from '#contract/calls/people'
import { PROBLEM_CALLS } from '#contract/calls/problems'
import { QUESTION_CALLS } from '#contract/calls/questions'
import type { ErrorCode } from '#contract/errors'
import { BODY_LIMITS } from '#contract/limits'
import type { TokenScope } from '#contract/people/tokens'

/** Every call of the API. */
export const CALLS: readonly Call[] = [
  ...PEOPLE_CALLS,
  ...COURSE_CALLS,
  ...PROBLEM_CALLS,
  ...JUDGING_CALLS,
  ...QUESTION_CALLS,
]

/** The most bytes of a body, by kind; 0 where the call takes none. */
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
  runner: ['bad_token', 'too_many_requests'],
  registration: ['bad_token'],
  metrics: ['bad_token'],
}

const READS = new Set(['GET', 'HEAD', 'OPTIONS'])

/** What matches the path of a route, below the API's base. */
function pathPattern({ route }: Call): RegExp {
  return new RegExp(`^${route.replace(/^\S+ /, '').replace(/:\w+/g, '[^/]+')}$`)
}

/** Paths of the GETs that change something. */
const CHANGING_GETS = CALLS.filter(({ changes }) => changes).map(pathPattern)

/** Whether a call changes something. @param path below the API's base, e.g. `/submission`, or its route */
export function isWrite(method: string, path: string): boolean {
  return !READS.has(method) || CHANGING_GETS.some((pattern) => pattern.test(path))
}

/** Paths of the calls that stream raw bytes. */
const STREAMING = CALLS.filter(({ bytes }) => bytes).map(pathPattern)

/** Paths of the GETs that look through much. */
const HEAVY_GETS = CALLS.filter(({ isHeavy }) => isHeavy).map(pathPattern)

/** Whether a call is one of few at work at once. Streams are not: over a slow line one would hold its place for long. */
export function isOneOfFew(method: string, path: string): boolean {
  if (!isWrite(method, path)) return HEAVY_GETS.some((pattern) => pattern.test(path))
  return !STREAMING.some((pattern) => pattern.test(path))
}

/** Method and path of the calls that have limits of their own; none has a parameter. */
const OWN_LIMITS = new Set(CALLS.filter(({ hasOwnLimit }) => hasOwnLimit).map(({ route }) => route))

/** Whether a call counts against the limit on all that a person writes. @param path as for `isWrite` */
export function countsAsWrite(method: string, path: string): boolean {
  return isWrite(method, path) && !OWN_LIMITS.has(`${method} ${path}`)
}

const ADMIN_PATHS = /^\/(user|audit|runners|setup|alarms|storage|course\/summary)(\/|$)/

/**
 * The scope that a call by token needs; null when no token may make it: what concerns the account itself
 * (password, sessions, tokens, export) is for its owner at a browser. So is giving anybody a role, which the body tells.
 * @param path below the API's base
 */
export function scopeOf(method: string, path: string): TokenScope | null {
  const isRead = !isWrite(method, path)
  if (path === '/auth/me' && isRead) return 'read'
  if (path.startsWith('/auth/batch-signup')) return isRead ? 'read' : 'admin'
  if (path.startsWith('/auth/')) return null
  if (path === '/runners/queue' && isRead) return 'queue'
  if (ADMIN_PATHS.test(path)) return 'admin'
  if (isRead) return 'read'
  const isSubmit =
    method === 'POST'
      ? /^\/(submission|submission\/[^/]+\/cancel|problem\/[^/]+\/run)$/.test(path)
      : /^\/submission\/[^/]+$/.test(path)
  return isSubmit && method !== 'DELETE' ? 'submit' : 'manage'
}

/** Every code that a call may refuse with, once. */
export function refusalsOf({
  route,
  who,
  changes,
  body,
  form,
  query,
  errors = [],
}: Call): ErrorCode[] {
  const [method = '', path = ''] = route.split(' ')
  const isOfPeople = !['anyone', 'runner', 'registration', 'metrics'].includes(who)
  const codes: ErrorCode[] = [
    ...(isOfPeople && isWrite(method, path) ? (['cross_site'] as const) : []),
    ...(changes ? (['unsafe_get'] as const) : []),
    ...REFUSALS[who],
    ...(isOfPeople ? (['bad_token', 'token_scope'] as const) : []),
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

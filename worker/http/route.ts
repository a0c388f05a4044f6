/**
 * Serves the table of calls. This file enforces what a row says (who may call, query, body and its size, scope of tokens, status)
 * before and after the handler, which only does the work.
 */
import { Hono, type Context, type MiddlewareHandler } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type * as z from 'zod'
import {
  callOf,
  isOfPeople,
  isOfStaff,
  isWrite,
  rateOf,
  ROUTES,
  type CallTable,
  type ParamName,
  type Route,
  type SchemaOf,
} from '#contract/calls'
import type { Call, Subject } from '#contract/calls/call'
import { roleCan, type Standing } from '#contract/roles'
import type { AppEnv } from '../env.ts'
import { parseBody, type BodyRefusals } from './body.ts'
import { demandGuestRate } from './call-rate.ts'
import { demandCapability } from './course-guard.ts'
import { demandOwnSite } from './csrf.ts'
import { AppError } from './errors.ts'
import type { Bearer, Guard } from './guard.ts'
import { ok } from './respond.ts'
import { requireUser, requireUserOrTellNull, type UserEnv } from './session.ts'
import { parseParams, parseQuery } from './validate.ts'

type EnvOf<R extends Route> = CallTable[R]['who'] extends 'anyone' | Bearer ? AppEnv : UserEnv

/** What the guard of a route looks up; `never` where the route has no guard. */
type GuardOf<R extends Route> = CallTable[R] extends { about: infer Name extends Subject }
  ? Name
  : CallTable[R] extends { who: infer Name extends Bearer }
    ? Name
    : never

type Guarded = { [R in Route]: [GuardOf<R>] extends [never] ? never : R }[Route]

/** What a guard must find so that the right of the row can be checked. */
type Asked<R extends Route> = CallTable[R] extends { who: 'admin' }
  ? unknown
  : CallTable[R] extends { about: 'course'; right: string }
    ? { standing: Standing; name: string }
    : CallTable[R] extends { right: string }
      ? { standing: Standing }
      : unknown

/** A parsed part of a call; undefined where its row has no such part, or where a form comes instead of the body. */
type Parsed<R extends Route, Part extends 'query' | 'body'> = [SchemaOf<R, Part>] extends [never]
  ? undefined
  : z.output<SchemaOf<R, Part>> | (CallTable[R] extends { form: object } ? undefined : never)

/** What a handler gets beside the context. */
type Input<R extends Route, Found> = {
  params: [SchemaOf<R, 'params'>] extends [never]
    ? Record<ParamName<R>, string>
    : z.output<SchemaOf<R, 'params'>>
  query: Parsed<R, 'query'>
  body: Parsed<R, 'body'>
} & Record<GuardOf<R>, Found>

/** `data` of the answer; nothing where the row has none. */
type Answer<R extends Route> = [SchemaOf<R, 'data'>] extends [never]
  ? null | void
  : z.input<SchemaOf<R, 'data'>>

/** Does what a call asks for. The handler answers `data`, or a whole response where `data` is not enough. */
type Handler<R extends Route, Found> = (
  c: Context<EnvOf<R>>,
  input: Input<R, Found>,
) => Answer<R> | Response | Promise<Answer<R> | Response>

interface Options<R extends Route, Found> {
  /** The body's schema, where it depends on what the guard has found. */
  bodyFor?: (found: Found) => z.ZodType<Parsed<R, 'body'>>
  /** See `BodyRefusals`. */
  beforeRefusal?: (c: Context<EnvOf<R>>, body: unknown) => Promise<void>
}

/** A route with its handler, for `mount`. */
export interface Routed<R extends Route> {
  route: R
  handlers: MiddlewareHandler<AppEnv>[]
}

/** The parts of a route without their types, which `route` has checked. */
interface Parts {
  guard?: { name: string; find: (c: Context<UserEnv>) => Promise<unknown> }
  handler: (c: Context<UserEnv>, input: Record<string, unknown>) => unknown
  bodyFor?: (found: unknown) => z.ZodType
  beforeRefusal?: (c: Context<UserEnv>, body: unknown) => Promise<void>
}

/**
 * Checks whether the caller may make the call. A right by global role is checked before the look-up.
 * @returns what the guard has found
 */
async function passGuard(c: Context<UserEnv>, call: Call, { guard }: Parts): Promise<unknown> {
  const { who, about, right } = call
  const isOfRole = who === 'admin' || about === undefined
  if (right && isOfRole && !roleCan(c.var.user.role, right)) throw new AppError('forbidden')
  const found = await guard?.find(c)
  if (right && !isOfRole) {
    const { standing, name } = found as { standing: Standing; name?: string }
    demandCapability(standing, right, about === 'course' ? name : undefined)
  }
  return found
}

/** The parsed JSON body of a call that takes one. Handlers read forms and streams themselves. */
function bodyOf(c: Context<UserEnv>, call: Call, parts: Parts, found: unknown): Promise<unknown> {
  const isForm = c.req.header('Content-Type')?.toLowerCase().startsWith('multipart/form-data')
  if (!call.body || (call.form && isForm)) return Promise.resolve()
  const { bodyFor, beforeRefusal } = parts
  return parseBody(c, bodyFor?.(found) ?? call.body, {
    refusedAs: call.refusedAs,
    ...(beforeRefusal && { beforeRefusal: (body) => beforeRefusal(c, body) }),
  } satisfies BodyRefusals)
}

/** The course that a call is about; undefined for other calls. */
function courseIdOf({ about }: Call, found: unknown): number | undefined {
  const { id, courseId } = Object(found)
  return about === 'course' ? id : courseId
}

/** What happens to a call, in order. */
function handlersOf(call: Call, parts: Parts): MiddlewareHandler<UserEnv>[] {
  const begin: MiddlewareHandler<UserEnv> = async (c, next) => {
    c.set('call', call)
    if (isWrite(call) && !call.fromAnywhere) demandOwnSite(c)
    if (rateOf(call) === 'guest') await demandGuestRate(c)
    return next()
  }
  const answer: MiddlewareHandler<UserEnv> = async (c) => {
    const found = await passGuard(c, call, parts)
    const params = call.params ? parseParams(c, call.params) : c.req.param()
    const query = call.query && parseQuery(c, call.query)
    const body = await bodyOf(c, call, parts, found)
    const named = parts.guard && { [parts.guard.name]: found }
    const data = await parts.handler(c, { params, query, body, ...named })
    // What students change moves at most their own marks; the sweeper has these computed.
    if (isWrite(call) && isOfStaff(call)) c.set('changedCourseId', courseIdOf(call, found))
    if (data instanceof Response) return data
    return ok(c, data ?? null, 'OK', call.status as ContentfulStatusCode | undefined)
  }
  if (!isOfPeople(call)) return [begin, answer]
  return [begin, call.tellsGuests ? requireUserOrTellNull : requireUser, answer]
}

/** Serves a call of the table. @param guard looks up what the call is about by its row */
export function route<R extends Exclude<Route, Guarded>>(
  name: R,
  handler: Handler<R, never>,
  options?: Options<R, never>,
): Routed<R>
export function route<R extends Guarded, Found extends Asked<R>>(
  name: R,
  guard: Guard<GuardOf<R>, Found>,
  handler: Handler<R, Found>,
  options?: Options<R, Found>,
): Routed<R>
export function route(name: Route, ...rest: unknown[]): Routed<Route> {
  const [guard, handler, options] = typeof rest[0] === 'function' ? [undefined, ...rest] : rest
  const parts = { guard, handler, ...(options as object) } as Parts
  return { route: name, handlers: handlersOf(callOf(name), parts) as MiddlewareHandler[] }
}

/**
 * Makes the router of all calls.
 * @param missing does not compile while the table has routes that nobody serves
 * @throws Error where a route has no handler or two handlers, or no row in the table
 */
export function mount<R extends Route>(
  routed: readonly Routed<R>[],
  ..._missing: [Exclude<Route, R>] extends [never] ? [] : [missing: Exclude<Route, R>]
): Hono<AppEnv> {
  const app = new Hono<AppEnv>()
  const open = new Set<Route>(ROUTES)
  for (const { route, handlers } of routed) {
    if (!open.delete(route)) throw new Error(`${route} is served twice, or has no row`)
    const [method = '', path = ''] = route.split(' ')
    app.on(method, [path], ...handlers)
  }
  if (open.size > 0) throw new Error(`Nobody serves ${[...open].join(', ')}`)
  return app
}

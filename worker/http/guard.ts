/** Guards: what a call is about, or who makes it, is looked up before anything else of the call is read. */
import type { Context } from 'hono'
import type * as z from 'zod'
import type { Subject } from '#contract/calls/call'
import type { ErrorCode } from '#contract/errors'
import type { AppEnv } from '../env.ts'
import { AppError } from './errors.ts'
import type { UserEnv } from './session.ts'

/** Callers that are not people: their guard looks up the bearer token. */
export type Bearer = 'runner' | 'registration' | 'metrics'

/** Looks up what a call is about, or whose bearer token it has. */
export interface Guard<Name extends Subject | Bearer, Found> {
  name: Name
  /** Throws where the caller must not know of it. */
  find: (c: Context<Name extends Bearer ? AppEnv : UserEnv>) => Promise<Found>
}

/** Makes a guard. @param name the row's `about`, or its `who` for a bearer token */
export function guard<Name extends Subject | Bearer, Found>(
  name: Name,
  find: Guard<Name, Found>['find'],
): Guard<Name, Found> {
  return { name, find }
}

/**
 * Makes the guard of something that the path names.
 * @param code the refusal for an unknown id, and for a text that cannot be an id
 * @param id the parameter's schema
 */
export function guardInPath<Name extends Subject, Id, Found>(
  name: Name,
  code: ErrorCode,
  id: z.ZodType<Id>,
  find: (c: Context<UserEnv>, id: Id) => Promise<Found | undefined>,
  parameter = 'id',
): Guard<Name, Found> {
  return guard(name, async (c) => {
    const named = id.safeParse(c.req.param(parameter))
    const found = named.success ? await find(c, named.data) : undefined
    if (found === undefined) throw new AppError(code)
    return found
  })
}

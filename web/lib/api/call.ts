/** The calls of the API's table. The compiler checks each call against the table, which is not part of the built app. */
import type * as z from 'zod'
import type { CallTable, ParamName, Route, SchemaOf } from '#contract/calls'
import { anything, callApi, queryString, type CallOptions } from './api.ts'

/** A part of a call's input; it is left out if the call has no such part. */
type Part<Name extends string, Type> = [Type] extends [never]
  ? { [N in Name]?: never }
  : { [N in Name]: Type }

type Params<R extends Route> = Part<
  'params',
  [ParamName<R>] extends [never] ? never : Record<ParamName<R>, string | number>
>

/** A query as its schema reads it. Numbers become text; empty and null values are left out. */
type QueryOf<R extends Route> = {
  [Name in keyof z.input<SchemaOf<R, 'query'>>]:
    z.input<SchemaOf<R, 'query'>>[Name] | number | '' | null
}

type Query<R extends Route> = [SchemaOf<R, 'query'>] extends [never]
  ? { query?: never }
  : object extends QueryOf<R>
    ? { query?: QueryOf<R> }
    : { query: QueryOf<R> }

type Body<R extends Route> = Part<
  'body',
  | ([SchemaOf<R, 'body'>] extends [never] ? never : z.input<SchemaOf<R, 'body'>>)
  | (CallTable[R] extends { form: object } ? FormData : never)
>

type ErrorOf<R extends Route> = CallTable[R] extends { errors: readonly (infer Code)[] }
  ? Code
  : never

/** An edit names the ETag of the version it is based on; null overwrites any version. */
type Edit<R extends Route> = Part<
  'ifMatch',
  'stale_edit' extends ErrorOf<R> ? string | null : never
>

/** A call that the server must do only once, even if it arrives twice, has a key; each try sends the same key. */
type Key<R extends Route> = Part<'key', 'idempotency_mismatch' extends ErrorOf<R> ? string : never>

/** The input of a call. */
export type CallInput<R extends Route> = Params<R> &
  Query<R> &
  Body<R> &
  Edit<R> &
  Key<R> &
  Pick<CallOptions, 'signal' | 'headers'>

/** The schema that reads the answer's `data`; null is the answer to a guest whom the call allows. */
export type ReaderOf<R extends Route> = z.ZodType<
  ([SchemaOf<R, 'data'>] extends [never] ? never : z.output<SchemaOf<R, 'data'>>) | null
>

/** The input of a call without its types. */
export interface AnyInput extends Omit<CallOptions, 'method'> {
  params?: Record<string, string | number>
  query?: Parameters<typeof queryString>[0]
  key?: string
  as?: z.ZodType
}

function addressOf(route: string, { params = {}, query = {} }: AnyInput): string {
  const path = route.slice(route.indexOf('/'))
  // Ids come from the browser's address: one like `../auth/session` must not lead to another call.
  const named = path.replaceAll(/:(\w+)/g, (_, name) => encodeURIComponent(params[name] ?? ''))
  return named + queryString(query)
}

/** The address of a call below the API's base. */
export function addressOfCall<R extends Route>(route: R, input: Params<R> & Query<R>): string {
  return addressOf(route, input as AnyInput)
}

/** Makes a call whose types are checked elsewhere. */
export function makeCall(route: string, input: AnyInput = {}): Promise<unknown> {
  const { params: _, query: __, as = anything, key, headers, ...options } = input
  return callApi(addressOf(route, input), as, {
    ...options,
    method: route.slice(0, route.indexOf(' ')),
    headers: { ...headers, ...(key !== undefined && { 'Idempotency-Key': key }) },
  })
}

/**
 * Makes a call.
 * @param input `as`: the schema that reads the answer; without it the answer's data are not read
 * @throws ApiError whatever goes wrong, except an abort through `signal`
 */
export function call<R extends Route, Reader extends ReaderOf<R>>(
  route: R,
  input: CallInput<R> & { as: Reader },
): Promise<z.output<Reader>>
export function call<R extends Route>(
  route: R,
  ...input: object extends CallInput<R> ? [input?: CallInput<R>] : [input: CallInput<R>]
): Promise<unknown>
export function call(route: string, input?: AnyInput): Promise<unknown> {
  return makeCall(route, input)
}

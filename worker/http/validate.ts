/** Validation of bodies, queries and path parameters, with refusals in the contract's form. */
import type { Context } from 'hono'
import type * as z from 'zod'
import type { ErrorCode, FieldError } from '#contract/errors'
import { fieldMessage, toFieldErrors } from '#contract/fields'
import { COUNT_LIMITS } from '#contract/limits'
import { readJson } from './body.ts'
import { AppError } from './errors.ts'

/** Fields with output of a program or a compiler, which may hold NUL bytes. */
const BINARY_FIELDS = new Set(['code', 'compileMessage', 'reason'])

/**
 * Finds texts that no field takes: lone surrogates, which are not Unicode, and NUL.
 * @param body passed its schema, so its size is bounded
 */
function findUnfitTexts(body: unknown): FieldError['path'][] {
  const unfit: FieldError['path'][] = []
  const values: [value: unknown, path: FieldError['path']][] = [[body, []]]
  for (const [value, path] of values) {
    if (typeof value === 'string') {
      const takesNul = path.length === 1 && BINARY_FIELDS.has(String(path[0]))
      if (!value.isWellFormed() || (!takesNul && value.includes('\0'))) unfit.push(path)
    } else if (Array.isArray(value)) {
      for (const [index, item] of value.entries()) values.push([item, [...path, index]])
    } else if (typeof value === 'object' && value !== null) {
      for (const [key, item] of Object.entries(value)) values.push([item, [...path, key]])
    }
  }
  return unfit
}

/** How the refusals of a body differ from the usual. */
export interface BodyRefusals {
  /** Codes of refused fields that have one of their own. */
  refusedAs?: Readonly<Record<string, ErrorCode>>
  /**
   * For calls whose body names what they are about: throws when the caller may not see that, which comes
   * before the body's other faults.
   */
  beforeRefusal?: (body: unknown) => Promise<void>
}

/**
 * Reads the JSON body and validates it.
 * @throws AppError as the contract refuses it
 */
export async function parseBody<T extends z.ZodType>(
  c: Context,
  schema: T,
  { refusedAs = {}, beforeRefusal = async () => {} }: BodyRefusals = {},
): Promise<z.output<T>> {
  const body = await readJson(c)
  const result = schema.safeParse(body)
  if (!result.success) {
    await beforeRefusal(body)
    const errors = toFieldErrors(result.error, body)
    const codes = new Map(Object.entries(refusedAs))
    const own = errors.map(({ path }) => codes.get(String(path[0]))).find((code) => code)
    throw new AppError(own ?? 'bad_body', errors)
  }
  const errors = findUnfitTexts(result.data)
    .slice(0, COUNT_LIMITS.fieldErrors)
    .map((path) => ({ path, code: 'invalid', message: fieldMessage('invalid') }))
  if (errors.length > 0) {
    await beforeRefusal(body)
    throw new AppError('bad_body', errors satisfies FieldError[])
  }
  return result.data
}

/**
 * Validates the query string. A parameter that comes more than once is a list.
 * @throws AppError `bad_query`
 */
export function parseQuery<T extends z.ZodType>(c: Context, schema: T): z.output<T> {
  const query = Object.fromEntries(
    Object.entries(c.req.queries()).map(([name, values]) => [
      name,
      values.length === 1 ? values[0] : values,
    ]),
  )
  const result = schema.safeParse(query)
  if (result.success) return result.data
  throw new AppError('bad_query', toFieldErrors(result.error, query))
}

/** Validates path parameters. One that cannot name anything is answered like an unknown one. */
export function parseParams<T extends z.ZodType>(c: Context, schema: T): z.output<T> {
  const params = c.req.param()
  const result = schema.safeParse(params)
  if (result.success) return result.data
  throw new AppError('not_found', toFieldErrors(result.error, params))
}

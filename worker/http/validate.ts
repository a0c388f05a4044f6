/** Validation of queries and path parameters, with refusals in the contract's form. */
import type { Context } from 'hono'
import type * as z from 'zod'
import { toFieldErrors } from '#contract/fields'
import { AppError } from './errors.ts'

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

/** Validates path parameters. A value that cannot name anything is answered like an unknown one. */
export function parseParams<T extends z.ZodType>(c: Context, schema: T): z.output<T> {
  const params = c.req.param()
  const result = schema.safeParse(params)
  if (result.success) return result.data
  throw new AppError('not_found', toFieldErrors(result.error, params))
}

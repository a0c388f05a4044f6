/** Parse at the door: bodies, queries and paths through their schema, refusals in the contract's form. */
import { zValidator } from '@hono/zod-validator'
import type * as z from 'zod'
import type { ErrorCode, FieldError } from '#contract/errors'
import { toFieldErrors } from '#contract/fields'
import { AppError } from './errors.ts'

/** Throws the contract's refusal unless the result is a success. */
function refuse(codeOf: (errors: FieldError[]) => ErrorCode) {
  return (result: { success: boolean; data: unknown; error?: z.core.$ZodError }): void => {
    if (result.success || !result.error) return
    const errors = toFieldErrors(result.error, result.data)
    throw new AppError(codeOf(errors), errors)
  }
}

/**
 * Validates the JSON body.
 * @param codeOf for calls whose refusals have codes of their own
 */
export function jsonBody<T extends z.ZodType>(
  schema: T,
  codeOf: (errors: FieldError[]) => ErrorCode = () => 'bad_body',
) {
  return zValidator('json', schema, refuse(codeOf))
}

/** Validates the query string. */
export function query<T extends z.ZodType>(schema: T) {
  return zValidator(
    'query',
    schema,
    refuse(() => 'bad_query'),
  )
}

/** Validates the parts of the path; a part that cannot name anything is answered like an unknown one. */
export function params<T extends z.ZodType>(schema: T) {
  return zValidator(
    'param',
    schema,
    refuse(() => 'not_found'),
  )
}

/** Parse at the door: bodies, queries and paths through their schema, refusals in the contract's form. */
import { zValidator } from '@hono/zod-validator'
import type { Context } from 'hono'
import type * as z from 'zod'
import type { ErrorCode, FieldError } from '#contract/errors'
import { fieldMessage, toFieldErrors } from '#contract/fields'
import { AppError } from './errors.ts'

/** Throws the contract's refusal unless the result is a success. */
function refuse(codeOf: (errors: FieldError[]) => ErrorCode) {
  return (result: { success: boolean; data: unknown; error?: z.core.$ZodError }): void => {
    if (result.success || !result.error) return
    const errors = toFieldErrors(result.error, result.data)
    throw new AppError(codeOf(errors), errors)
  }
}

/** Fields that hold what a program or a compiler wrote, NUL bytes included. */
const BINARY_FIELDS = new Set(['code', 'compileMessage', 'reason'])

/** The texts that no text field takes: half a surrogate pair, which is no Unicode, and NUL. */
function* unfitTexts(value: unknown, path: (string | number)[]): Generator<(string | number)[]> {
  if (typeof value === 'string') {
    const takesNul = path.length === 1 && BINARY_FIELDS.has(String(path[0]))
    if (!value.isWellFormed() || (!takesNul && value.includes('\0'))) yield path
  } else if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) yield* unfitTexts(item, [...path, index])
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, item] of Object.entries(value)) yield* unfitTexts(item, [...path, key])
  }
}

/**
 * Validates the JSON body.
 * @param codeOf for calls whose refusals have codes of their own
 * @param beforeRefusal for calls whose body names what they are about: throws when the caller may not see that, which
 * comes before the body's other faults
 */
export function jsonBody<T extends z.ZodType>(
  schema: T,
  codeOf: (errors: FieldError[]) => ErrorCode = () => 'bad_body',
  beforeRefusal: (c: Context, body: unknown) => Promise<void> = async () => {},
) {
  const refuseInvalid = refuse(codeOf)
  return zValidator('json', schema, async (result, c) => {
    const errors = [...unfitTexts(result.data, [])].map((path) => ({
      path,
      code: 'invalid',
      message: fieldMessage('invalid'),
    }))
    if (!result.success || errors.length > 0) await beforeRefusal(c, result.data)
    refuseInvalid(result)
    if (errors.length > 0) throw new AppError('bad_body', errors satisfies FieldError[])
  })
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

/** Validation of bodies, queries and path parameters, with refusals in the contract's form. */
import { zValidator } from '@hono/zod-validator'
import type { Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import type * as z from 'zod'
import type { ErrorCode, FieldError } from '#contract/errors'
import { fieldMessage, toFieldErrors } from '#contract/fields'
import { COUNT_LIMITS } from '#contract/limits'
import type { AppEnv } from '../env.ts'
import { readJson } from './body.ts'
import { AppError } from './errors.ts'

/** Makes a hook that throws the contract's refusal for a failed parse. */
function refuseWith(codeOf: (errors: FieldError[]) => ErrorCode) {
  return (result: { success: boolean; data: unknown; error?: z.core.$ZodError }): void => {
    if (result.success || !result.error) return
    const errors = toFieldErrors(result.error, result.data)
    throw new AppError(codeOf(errors), errors)
  }
}

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

/** The type of `c.req.valid('json')` behind `jsonBody`. */
interface JsonInput<T extends z.ZodType> {
  in: { json: z.input<T> }
  out: { json: z.output<T> }
}

/**
 * Validates the JSON body.
 * @param schema or how to get it, where it depends on what an earlier guard has found
 * @param codeOf for calls whose refusals have codes of their own
 * @param beforeRefusal for calls whose body names what they are about: throws when the caller may not see
 * that, which comes before the body's other faults
 */
export function jsonBody<T extends z.ZodType<object>>(
  schema: T | ((c: Context) => T),
  codeOf: (errors: FieldError[]) => ErrorCode = () => 'bad_body',
  beforeRefusal: (c: Context, body: unknown) => Promise<void> = async () => {},
) {
  const refuseInvalid = refuseWith(codeOf)
  return createMiddleware<AppEnv, string, JsonInput<T>>(async (c, next) => {
    const body = await readJson(c)
    const result = (typeof schema === 'function' ? schema(c) : schema).safeParse(body)
    if (!result.success) {
      await beforeRefusal(c, body)
      return refuseInvalid({ ...result, data: body })
    }
    const errors = findUnfitTexts(result.data)
      .slice(0, COUNT_LIMITS.fieldErrors)
      .map((path) => ({ path, code: 'invalid', message: fieldMessage('invalid') }))
    if (errors.length > 0) {
      await beforeRefusal(c, body)
      throw new AppError('bad_body', errors satisfies FieldError[])
    }
    c.req.addValidatedData('json', result.data)
    await next()
  })
}

/** Validates the query string. */
export function query<T extends z.ZodType>(schema: T) {
  return zValidator(
    'query',
    schema,
    refuseWith(() => 'bad_query'),
  )
}

/** Validates path parameters. One that cannot name anything is answered like an unknown one. */
export function params<T extends z.ZodType>(schema: T) {
  return zValidator(
    'param',
    schema,
    refuseWith(() => 'not_found'),
  )
}

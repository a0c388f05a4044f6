/** What the routers of judging use until they are routes of the table. */
import type { Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import type * as z from 'zod'
import type { AppEnv } from '../env.ts'
import { demandUpgrade } from './live.ts'
import { parseBody, parseParams, parseQuery } from './validate.ts'

function part<Target extends 'json' | 'query' | 'param', T extends z.ZodType>(
  target: Target,
  parse: (c: Context) => unknown,
) {
  type Valid = { in: Record<Target, z.input<T>>; out: Record<Target, z.output<T>> }
  return createMiddleware<AppEnv, string, Valid>(async (c, next) => {
    c.req.addValidatedData(target, (await parse(c)) as object)
    await next()
  })
}

export function jsonBody<T extends z.ZodType>(schema: T) {
  return part<'json', T>('json', (c) => parseBody(c, schema))
}

export function query<T extends z.ZodType>(schema: T) {
  return part<'query', T>('query', (c) => parseQuery(c, schema))
}

export function params<T extends z.ZodType>(schema: T) {
  return part<'param', T>('param', (c) => parseParams(c, schema))
}

export const requireUpgrade = createMiddleware<AppEnv>(async (c, next) => {
  demandUpgrade(c)
  await next()
})

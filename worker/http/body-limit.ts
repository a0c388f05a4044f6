/** How large a JSON body may be. Parts and forms carry files and have limits of their own. */
import { createMiddleware } from 'hono/factory'
import { bodyLimit } from 'hono/body-limit'
import { JSON_BODY_LIMIT_BYTES, RESULT_BODY_LIMIT_BYTES } from '#contract/limits'
import type { AppEnv } from '../env.ts'
import { AppError } from './errors.ts'

/** Results bring the kept outputs along. */
const RESULT_PATH = /^\/api\/runner\/jobs\/\w+\/result$/

/** Refuses bodies above a size, in bytes. */
function limitTo(maxSize: number) {
  return bodyLimit({
    maxSize,
    onError: () => {
      throw new AppError('too_large', { limit: maxSize })
    },
  })
}

const ordinary = limitTo(JSON_BODY_LIMIT_BYTES)
const result = limitTo(RESULT_BODY_LIMIT_BYTES)

/** Middleware for the whole API. */
export const limitJsonBody = createMiddleware<AppEnv>((c, next) => {
  if (!/json/i.test(c.req.header('Content-Type') ?? '')) return next()
  return RESULT_PATH.test(c.req.path) ? result(c, next) : ordinary(c, next)
})

/** How large a body may be, by what the call takes; never by what the caller says it is. */
import { createMiddleware } from 'hono/factory'
import { bodyLimit } from 'hono/body-limit'
import { JSON_BODY_LIMIT_BYTES, RESULT_BODY_LIMIT_BYTES, TEST_DATA_LIMITS } from '#contract/limits'
import type { AppEnv } from '../env.ts'
import { AppError } from './errors.ts'

/** Results bring the kept outputs along. */
const RESULT_PATH = /^\/api\/runner\/jobs\/\w+\/result$/
/** Parts of test data are streamed and checked against the length they were announced with. */
const PART_PATH = /^\/api\/problem\/\d+\/test-case-upload\/\w+\/\d+$/
/** The calls that take a file in a form. */
const FORM_PATH = /^\/api\/(problem\/manage\/\d+|submission\/\w+)$/
/** Room for the form around its file. */
const FORM_OVERHEAD_BYTES = 64 * 1024

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
const form = limitTo(TEST_DATA_LIMITS.singleRequestBytes + FORM_OVERHEAD_BYTES)

/** Middleware for the whole API. */
export const limitBody = createMiddleware<AppEnv>((c, next) => {
  const { method, path } = c.req
  if (method === 'PUT' && PART_PATH.test(path)) return next()
  if (RESULT_PATH.test(path)) return result(c, next)
  return method === 'PUT' && FORM_PATH.test(path) ? form(c, next) : ordinary(c, next)
})

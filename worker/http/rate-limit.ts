/** Refusals by rate limits. */
import type { ErrorCode } from '#contract/errors'
import type { RateAnswer } from '../db/rate-limits.ts'
import { AppError } from './errors.ts'

/**
 * Refuses with `Retry-After` when any of the limits is used up. A limit that was not asked does not count.
 * @param answers what the statements of `takeToken` gave
 */
export function demandTokens(answers: RateAnswer[][], code: ErrorCode = 'too_many_requests'): void {
  const refused = answers.flat().filter((answer) => answer.allowed === 0)
  if (refused.length === 0) return
  const seconds = Math.max(1, ...refused.map((answer) => Math.ceil(answer.waitMs / 1000)))
  throw new AppError(code, { retryAfter: seconds }, { 'Retry-After': String(seconds) })
}

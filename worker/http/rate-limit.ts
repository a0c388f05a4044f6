/** Refusing who asks too often. */
import type { ErrorCode } from '#contract/errors'
import type { RateAnswer } from '../db/rate-limits.ts'
import { AppError } from './errors.ts'

/**
 * Refuses with `Retry-After` when any of the checks said no; one that was not asked says nothing.
 * @param answers what the statements of `takeToken` gave
 */
export function demandTokens(answers: RateAnswer[][], code: ErrorCode = 'too_many_requests'): void {
  const refused = answers.flat().filter((answer) => answer.allowed === 0)
  if (refused.length === 0) return
  const seconds = Math.max(1, ...refused.map((answer) => Math.ceil(answer.waitMs / 1000)))
  throw new AppError(code, { retryAfter: seconds }, { 'Retry-After': String(seconds) })
}

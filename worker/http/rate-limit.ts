/** Refusals that say when to try again. */
import type { ErrorCode } from '#contract/errors'
import type { RateAnswer } from '../db/rate-limits.ts'
import { TooManyWaiting } from '../lib/hash-queue.ts'
import { AppError } from './errors.ts'

/** A refusal with `Retry-After`. */
export function retryLater(code: ErrorCode, waitMs: number): AppError {
  const seconds = Math.max(1, Math.ceil(waitMs / 1000))
  return new AppError(code, { retryAfter: seconds }, { 'Retry-After': String(seconds) })
}

/**
 * Refuses when any of the limits is used up. A limit that was not asked gave no answer and refuses nothing.
 * @param answers what the statements of `takeToken` gave
 */
export function demandTokens(answers: RateAnswer[][], code: ErrorCode = 'too_many_requests'): void {
  const refused = answers.flat().filter((answer) => answer.allowed === 0)
  if (refused.length > 0)
    throw retryLater(code, Math.max(...refused.map((answer) => answer.waitMs)))
}

/** Does work that may have to wait for its turn. Refuses it where too many wait already. */
export async function orRetryLater<T>(work: () => T | Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof TooManyWaiting)) throw error
    throw retryLater('too_many_requests', error.retryAfterMs)
  }
}

/** What the database refuses because somebody else has it, in the contract's words. */
import type { ErrorCode } from '#contract/errors'
import { AppError } from './errors.ts'

/** A unique column that is taken, as the contract's 409; anything else as it is. */
export function asConflict(error: unknown): unknown {
  const text = `${String(error)} ${error instanceof Error ? String(error.cause) : ''}`
  const codes: [RegExp, ErrorCode][] = [
    [/UNIQUE constraint failed: users\.username_key/, 'username_exists'],
    [/UNIQUE constraint failed: users\.email/, 'email_exists'],
  ]
  const found = codes.find(([pattern]) => pattern.test(text))
  return found ? new AppError(found[1]) : error
}

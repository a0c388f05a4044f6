/** Unique constraints of the database as refusals of the contract. */
import type { ErrorCode } from '#contract/errors'
import { AppError } from './errors.ts'

/** The 409 of the contract for a violated unique constraint. Any other error is returned as it is. */
export function asConflict(error: unknown): unknown {
  const text = `${String(error)} ${error instanceof Error ? String(error.cause) : ''}`
  const codes: [RegExp, ErrorCode][] = [
    [/UNIQUE constraint failed: users\.username_key/, 'username_exists'],
    [/UNIQUE constraint failed: users\.email/, 'email_exists'],
  ]
  const found = codes.find(([pattern]) => pattern.test(text))
  return found ? new AppError(found[1]) : error
}

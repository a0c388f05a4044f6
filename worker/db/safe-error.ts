/** Faults as they may stand in a log. */
import { DrizzleQueryError } from 'drizzle-orm/errors'

/**
 * An error as text without the parameters of a query: drizzle puts them into its message, and they may be
 * hashes of passwords and sessions, addresses or what somebody typed.
 */
export function safeError(error: unknown): string {
  if (error instanceof DrizzleQueryError)
    return `Failed query: ${error.query} | ${safeError(error.cause)}`
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

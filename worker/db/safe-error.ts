/** Errors in a form that is safe to log. */
import { DrizzleQueryError } from 'drizzle-orm/errors'

/**
 * An error as text without a query's parameters. drizzle puts them into the message, and they may be hashes
 * of passwords and sessions, addresses or typed text.
 */
export function safeError(error: unknown): string {
  if (error instanceof DrizzleQueryError)
    return `Failed query: ${error.query} | ${safeError(error.cause)}`
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

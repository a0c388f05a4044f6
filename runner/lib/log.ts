/** The log: one line of JSON per event on standard output, with time, event and a few fields. */
import { cutText } from '#contract/cut-text'

export type LogFields = Record<string, string | number | boolean | null | undefined>
export type Log = (event: string, fields?: LogFields) => void

/** Writes one event. Its fields must not contain tokens, source code or test data. */
export function logToStdout(event: string, fields: LogFields = {}): void {
  process.stdout.write(`${JSON.stringify({ at: new Date().toISOString(), event, ...fields })}\n`)
}

/** A thrown value and its causes in words, at most 1,000 characters: for a log line, or a reason for staff. */
export function describeError(error: unknown): string {
  const parts: string[] = []
  for (let cause = error; cause instanceof Error && parts.length < 4; cause = cause.cause)
    parts.push(cause.message || cause.name)
  return cutText(parts.length > 0 ? parts.join(': ') : String(error), 1_000)
}

/** One line of JSON per event on standard output: time, event, and the few fields that tell it from others. */
export type LogFields = Record<string, string | number | boolean | null | undefined>
export type Log = (event: string, fields?: LogFields) => void

/** Writes one event. Never given tokens, source code or test data. */
export function logToStdout(event: string, fields: LogFields = {}): void {
  process.stdout.write(`${JSON.stringify({ at: new Date().toISOString(), event, ...fields })}\n`)
}

/** What an unknown thrown value says, with its causes, short enough for a log line or a release reason. */
export function describeError(error: unknown): string {
  const parts: string[] = []
  for (let cause = error; cause instanceof Error && parts.length < 4; cause = cause.cause)
    parts.push(cause.message || cause.name)
  return (parts.length > 0 ? parts.join(': ') : String(error)).slice(0, 1_000)
}

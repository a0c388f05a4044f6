/** Failures that the person at the terminal can act on, and how a command ends with one. */

/** Shown as one line (or the lines of its message), never with a stack. */
export class PlainError extends Error {
  override name = 'PlainError'
}

/** A value's message, whatever was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/**
 * Runs a command; a `PlainError` becomes one line on stderr, anything else keeps its stack.
 * @param main answers the exit code; nothing means 0
 */
export async function runCommand(main: () => Promise<number | void>): Promise<void> {
  try {
    process.exitCode = (await main()) ?? 0
  } catch (error) {
    console.error(error instanceof PlainError ? `Error: ${error.message}` : error)
    process.exitCode = 1
  }
}

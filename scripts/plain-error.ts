/** Failures that the person at the terminal can fix, and how a command ends with one. */

/** An error that is shown by its message alone, never with a stack. */
export class PlainError extends Error {
  override name = 'PlainError'
}

/** The message of any thrown value. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/**
 * Runs a command; a `PlainError` becomes one line on stderr, anything else keeps its stack.
 * @param main returns the exit code; undefined means 0
 */
export async function runCommand(main: () => Promise<number | void>): Promise<void> {
  try {
    process.exitCode = (await main()) ?? 0
  } catch (error) {
    console.error(error instanceof PlainError ? `Error: ${error.message}` : error)
    process.exitCode = 1
  }
}

/** Runs a command-line tool of node_modules to its end, without printing its output. */
import { spawn } from 'node:child_process'
import { PlainError } from '../plain-error.ts'
import { ROOT } from '../root.ts'

const SHOWN_LINES = 15

/** A tool has failed; the message is its last lines. */
export class ToolError extends PlainError {
  override name = 'ToolError'
  /** Everything that the tool wrote to stdout and stderr. */
  readonly output: string

  constructor(action: string, output: string) {
    super(`${action} failed:\n${output.trim().split('\n').slice(-SHOWN_LINES).join('\n')}`)
    this.output = output
  }
}

/**
 * Runs Node with the given arguments in the project's root.
 * @param action what the tool does, for the error message
 * @returns everything that the tool wrote to stdout and stderr
 * @throws ToolError when the tool fails
 */
export function runTool(
  action: string,
  args: readonly string[],
  options: { env?: NodeJS.ProcessEnv; signal?: AbortSignal } = {},
): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, {
      cwd: ROOT,
      env: options.env ?? process.env,
      stdio: ['ignore', 'pipe', 'pipe'],
      ...(options.signal && { signal: options.signal }),
    })
    let output = ''
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
    child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()))
    child.once('error', reject)
    child.once('close', (code) => {
      if (code === 0) return resolve(output)
      reject(new ToolError(action, output))
    })
  })
}

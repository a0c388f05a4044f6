/** Runs a command-line tool of node_modules to its end, quietly. */
import { spawn } from 'node:child_process'
import { PlainError } from './plain-error.ts'
import { ROOT } from './root.ts'

const SHOWN_LINES = 15

/**
 * Runs Node with the given arguments in the project's root.
 * @param@param action what it does, for the error message
 * @returns what it wrote to stdout and stderr
 * @throws PlainError with the last lines it wrote when it fails
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
      const lines = output.trim().split('\n').slice(-SHOWN_LINES).join('\n')
      reject(new PlainError(`${action} failed:\n${lines}`))
    })
  })
}

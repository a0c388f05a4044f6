/**
 * `npm run check`: the quick checks before a commit. All parts run at once; each is printed when it has ended.
 * Arguments name the parts to run.
 */
import { spawn } from 'node:child_process'
import { runCommand } from './plain-error.ts'
import { ROOT } from './root.ts'

/** Names of npm scripts. */
const PARTS = ['format', 'types', 'lint', 'quick']

/** Runs one part; returns whether it passed. */
async function run(part: string): Promise<boolean> {
  const began = performance.now()
  const child = spawn('npm', ['run', '-s', part], { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (said += text))
  const { promise: ended, resolve, reject } = Promise.withResolvers<number | null>()
  child.once('error', reject).once('close', resolve)
  const passed = (await ended) === 0
  const seconds = ((performance.now() - began) / 1_000).toFixed(1)
  console.log(`${passed ? 'passed' : 'FAILED'} ${part} in ${seconds} s${passed ? '' : `\n${said}`}`)
  return passed
}

await runCommand(async () => {
  const named = process.argv.slice(2)
  const results = await Promise.all((named.length > 0 ? named : PARTS).map(run))
  return results.every(Boolean) ? 0 : 1
})

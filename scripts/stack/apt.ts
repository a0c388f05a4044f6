/** apt-get, which waits for another one on this machine. */
import { spawn } from 'node:child_process'
import { setTimeout as delay } from 'node:timers/promises'

const MOST_WAIT_SECONDS = 300
const RETRY_SECONDS = 2

/** Runs apt-get once, with its output on the terminal; answers whether it succeeded and what it wrote to stderr. */
function run(args: readonly string[]): Promise<{ done: boolean; errors: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn('apt-get', ['-o', `DPkg::Lock::Timeout=${MOST_WAIT_SECONDS}`, ...args], {
      stdio: ['ignore', 'inherit', 'pipe'],
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive', LC_ALL: 'C' },
    })
    let errors = ''
    child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()))
    child.once('error', reject)
    child.once('close', (code) => resolve({ done: code === 0, errors }))
  })
}

/**
 * Runs apt-get; answers whether it succeeded. `DPkg::Lock::Timeout` waits for the locks of dpkg alone: those of the lists and
 * of the downloads are waited for here, for five minutes at most.
 */
export async function runApt(args: readonly string[]): Promise<boolean> {
  for (let waitedSeconds = 0; ; waitedSeconds += RETRY_SECONDS) {
    const { done, errors } = await run(args)
    const isLocked = !done && errors.includes('Could not get lock')
    if (!isLocked || waitedSeconds >= MOST_WAIT_SECONDS) {
      process.stderr.write(errors)
      return done
    }
    if (waitedSeconds === 0)
      console.log('Another apt-get is at work on this machine; waiting for it, 5 minutes at most.')
    await delay(RETRY_SECONDS * 1_000)
  }
}

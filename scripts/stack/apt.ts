/** Runs apt-get after any other apt-get on this machine has ended. */
import { spawn } from 'node:child_process'
import { setTimeout as delay } from 'node:timers/promises'

const MOST_WAIT_SECONDS = 300
const RETRY_SECONDS = 2

/** Runs apt-get once, with its output on the terminal; returns whether it succeeded, and its stderr. */
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
 * Runs apt-get; returns whether it succeeded. `DPkg::Lock::Timeout` waits only for the locks of dpkg, so this function waits for the
 * locks of the lists and of the downloads, for five minutes at most.
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

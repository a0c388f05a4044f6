/** Other ways to run a trivial program, each started from Node. Sandboxes that this machine lacks are left out. */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { promisify } from 'node:util'
import { timed } from '../report.ts'

const run = promisify(execFile)

const BUBBLEWRAP = '/usr/bin/bwrap'
/** isolate, built by hand: Debian has no package. */
const ISOLATE = '/usr/local/bin/isolate'

/** Measures several runs, one after the other; returns the milliseconds of each. */
export interface Contender {
  name: string
  measure(runs: number): Promise<number[]>
}

function eachSpawned(name: string, file: string, args: readonly string[]): Contender {
  async function runOnce(): Promise<void> {
    const [code] = await once(spawn(file, args, { stdio: 'ignore', env: {} }), 'exit')
    if (code !== 0) throw new Error(`${file} ended with ${code}`)
  }
  return {
    name,
    async measure(runs) {
      const times: number[] = []
      for (let n = 0; n < runs; n++) times.push(await timed(runOnce))
      return times
    },
  }
}

/** All namespaces and a root of /usr, like a box, but without cgroup, limits and filter. */
function bubblewrapArgs(program: string): string[] {
  const links = ['lib', 'lib64'].flatMap((name) => ['--symlink', `usr/${name}`, `/${name}`])
  const isolation = ['--unshare-all', '--die-with-parent', '--new-session']
  const root = ['--ro-bind', '/usr', '/usr', ...links, '--ro-bind', dirname(program), '/box']
  const work = ['--tmpfs', '/work', '--chdir', '/work']
  return [...isolation, ...root, ...work, program.replace(dirname(program), '/box')]
}

/**
 * @param bare compiled `vfork-exec.c`
 * @param program the trivial program
 * @returns the contenders, of which the first is bare vfork and exec; and the names of peers that this machine lacks
 */
export async function findPeers(bare: string, program: string, processor: number) {
  const contenders: Contender[] = [
    {
      name: 'bare vfork+exec',
      async measure(runs) {
        const { stdout } = await run(bare, [String(processor), String(runs), program])
        return stdout
          .trim()
          .split('\n')
          .map((us) => Number(us) / 1_000)
      },
    },
    eachSpawned('Node spawn', program, []),
  ]
  const absent: string[] = []
  if (existsSync(BUBBLEWRAP))
    contenders.push(eachSpawned('bubblewrap', BUBBLEWRAP, bubblewrapArgs(program)))
  else absent.push('bubblewrap (apt-get install bubblewrap)')
  if (existsSync(ISOLATE)) {
    // isolate keeps a box from --init to --cleanup. An earlier run may have left one, so --cleanup comes first.
    for (const step of ['--cleanup', '--init']) await run(ISOLATE, [step])
    const args = ['--silent', '--run', '--', '/usr/bin/true']
    contenders.push(eachSpawned('isolate --run', ISOLATE, args))
  } else absent.push('isolate')
  return { contenders, absent }
}

/** Other ways to run a trivial program, each as it is driven from Node; what a machine lacks is left out. */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { access } from 'node:fs/promises'
import { dirname } from 'node:path'
import { promisify } from 'node:util'
import { timed } from '../report.ts'

const run = promisify(execFile)

/** Measures some runs one after the other; answers the milliseconds of each. */
export interface Contender {
  name: string
  measure(runs: number): Promise<number[]>
}

async function spawned(file: string, args: readonly string[]): Promise<void> {
  const child = spawn(file, args, { stdio: 'ignore', env: {} })
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error(`${file} ended with ${code}`)
}

function eachSpawned(name: string, file: string, args: readonly string[]): Contender {
  return {
    name,
    async measure(runs) {
      const times: number[] = []
      for (let n = 0; n < runs; n++) times.push(await timed(() => spawned(file, args)))
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

/** isolate's own cycle: it keeps a box between --init and --cleanup. */
async function isolateRun(path: string): Promise<Contender> {
  // What a run before has left.
  await run(path, ['--cleanup'])
  await run(path, ['--init'])
  return eachSpawned('isolate --run', path, ['--silent', '--run', '--', '/usr/bin/true'])
}

/** The path of a program of this machine; null without it. */
export async function whereIs(command: string): Promise<string | null> {
  for (const folder of ['/usr/bin', '/usr/local/bin', '/usr/sbin']) {
    const path = `${folder}/${command}`
    const found = await access(path).then(
      () => true,
      () => false,
    )
    if (found) return path
  }
  return null
}

/**
 * @param bare compiled `vfork-exec.c`
 * @param program the trivial program
 * @returns bare vfork and exec first; and the peers that this machine lacks
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
          .map((us) => Number(us) / 1000)
      },
    },
    eachSpawned('Node spawn', program, []),
  ]
  const absent: string[] = []
  const bubblewrap = await whereIs('bwrap')
  if (bubblewrap) contenders.push(eachSpawned('bubblewrap', bubblewrap, bubblewrapArgs(program)))
  else absent.push('bubblewrap (apt-get install bubblewrap)')
  const isolate = await whereIs('isolate')
  if (isolate) contenders.push(await isolateRun(isolate))
  else absent.push('isolate')
  return { contenders, absent }
}

/** Locks apt's lists like another apt-get: by fcntl, because the shell's `flock` makes another kind of lock. */
import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Locks the lists of an apt that lies in a folder and has no sources. */
export async function lockLists(folder: string): Promise<{
  /** The value of APT_CONFIG. */
  config: string
  /** A file; writing to it ends the lock. */
  release: string
}> {
  const lists = join(folder, 'lists')
  mkdirSync(join(lists, 'partial'), { recursive: true })
  const config = join(folder, 'apt.conf')
  writeFileSync(
    config,
    `Dir::State::Lists "${lists}"; Dir::Etc::SourceList "/dev/null"; Dir::Etc::SourceParts "/dev/null";\n`,
  )
  const release = join(folder, 'release')
  execFileSync('mkfifo', [release])
  const program = `import fcntl, sys
lock = open(sys.argv[1], "w")
fcntl.lockf(lock, fcntl.LOCK_EX)
print("locked", flush=True)
open(sys.argv[2]).read()`
  const holder = spawn('python3', ['-c', program, join(lists, 'lock'), release])
  await new Promise<void>((resolve, reject) => {
    holder.stdout.once('data', () => resolve())
    holder.once('error', reject)
  })
  return { config, release }
}

/**
 * What boxes see at `/tools`: bits/stdc++.h precompiled, which most submissions include and which costs
 * more than a second to parse. Made once per compiler and flags, then kept in the state directory.
 */
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { access, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { CPP_FLAGS } from './languages/cpp.ts'
import { describeError, type Log } from './log.ts'

const run = promisify(execFile)
const COMPILER = '/usr/bin/g++'

/**
 * Makes the directory, or finds it made.
 * @returns its path; undefined where it cannot be made: judging is slower without, not different
 */
export async function prepareTools(parent: string, log: Log): Promise<string | undefined> {
  try {
    const { stdout: version } = await run(COMPILER, ['--version'])
    const key = createHash('sha256')
      .update(JSON.stringify([version, CPP_FLAGS]))
      .digest('hex')
    const directory = join(parent, key.slice(0, 16))
    const exists = await access(directory).then(
      () => true,
      () => false,
    )
    if (!exists) await build(parent, directory)
    return directory
  } catch (error) {
    log('tools_unusable', { error: describeError(error) })
    return undefined
  }
}

/** Builds beside the final place and renames: half a header is never used. */
async function build(parent: string, directory: string): Promise<void> {
  await mkdir(parent, { recursive: true, mode: 0o755 })
  // What another compiler or an interrupted build left.
  for (const name of await readdir(parent))
    await rm(join(parent, name), { recursive: true, force: true })
  const work = `${directory}.new`
  const bits = join(work, 'include', 'bits')
  await mkdir(bits, { recursive: true, mode: 0o755 })
  const header = join(bits, 'stdc++.h')
  // Only stands for the header that comes with the compiler, should the precompiled one not fit.
  await writeFile(header, '#include_next <bits/stdc++.h>\n', { mode: 0o644 })
  await run(COMPILER, [...CPP_FLAGS, '-x', 'c++-header', '-I', join(work, 'include'), header])
  await rename(work, directory)
}

/**
 * Makes the precompiled headers that compile steps see at `/tools`. Most C++ submissions include bits/stdc++.h, which takes
 * more than a second to parse, or iostream, which takes two thirds of a short program's compilation. The headers are made
 * once per compiler and flags and kept in the state directory.
 */
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { access, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { LANGUAGES } from '#contract/languages'
import { describeError, type Log } from '../lib/log.ts'

const run = promisify(execFile)

/** The headers to make, with their language's id. */
const HEADERS = LANGUAGES.flatMap(({ id, precompiled }) =>
  precompiled ? precompiled.headers.map((header) => ({ id, ...precompiled, header })) : [],
)

/**
 * Makes the directory unless it exists.
 * @returns its path; undefined where it cannot be made: judging is slower then
 */
export async function prepareTools(parent: string, log: Log): Promise<string | undefined> {
  try {
    const versions = await Promise.all(HEADERS.map(({ compiler }) => run(compiler, ['--version'])))
    const key = createHash('sha256')
      .update(JSON.stringify([versions.map(({ stdout }) => stdout), HEADERS]))
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

/** Builds under another name and renames, so that no incomplete header is used. */
async function build(parent: string, directory: string): Promise<void> {
  await mkdir(parent, { recursive: true, mode: 0o755 })
  // Remove what another compiler or an interrupted build has left.
  for (const name of await readdir(parent))
    await rm(join(parent, name), { recursive: true, force: true })
  const work = `${directory}.new`
  const include = join(work, 'include')
  for (const { id, compiler, flags, header } of HEADERS) {
    const file = join(include, header)
    // From this directory the compiler picks the header that fits its flags (gcc manual, Precompiled Headers).
    await mkdir(`${file}.gch`, { recursive: true, mode: 0o755 })
    // This file includes the compiler's own header when the precompiled one does not fit.
    await writeFile(file, `#include_next <${header}>\n`, { mode: 0o644 })
    const output = join(`${file}.gch`, id)
    await run(compiler, [...flags, '-x', 'c++-header', '-I', include, file, '-o', output])
  }
  await rename(work, directory)
}

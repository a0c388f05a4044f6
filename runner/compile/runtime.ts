/** Finds the host paths that a language's programs may see. */
import { execFile } from 'node:child_process'
import { readdir, realpath, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import type { Language } from '#contract/languages'

const run = promisify(execFile)

/** How `ldconfig -p` marks libraries of this machine's architecture. */
const ARCHITECTURE: Readonly<Partial<Record<string, string>>> = { x64: 'x86-64', arm64: 'AArch64' }

/** The libraries that the dynamic linker finds: name → path. */
async function libraryPaths(): Promise<Map<string, string>> {
  const { stdout } = await run('/sbin/ldconfig', ['-p'], { maxBuffer: 64 * 1024 * 1024 })
  const paths = new Map<string, string>()
  for (const line of stdout.split('\n')) {
    const [, name, kind = '', path] = /^\t(\S+) \((.*)\) => (\S+)$/.exec(line) ?? []
    const isOwn = kind.split(/,\s*/).includes(ARCHITECTURE[process.arch] ?? '')
    // The dynamic linker takes the first library of a name.
    if (name && path && isOwn && !paths.has(name)) paths.set(name, path)
  }
  return paths
}

/** Expands a path that ends in a star to the files in that directory. */
async function expand(path: string): Promise<string[]> {
  if (!path.endsWith('/*')) return [path]
  const entries = await readdir(path.slice(0, -1), { withFileTypes: true }).catch(() => [])
  return entries.filter((entry) => entry.isFile()).map(({ name }) => path.slice(0, -1) + name)
}

/** Resolves symbolic links among the directories of a path; null when the file does not exist. */
async function resolveDirectory(path: string): Promise<string | null> {
  try {
    await stat(path)
    return join(await realpath(dirname(path)), basename(path))
  } catch {
    return null
  }
}

/** The paths under which programs open a library file; for any other file, its own path. */
async function libraryNames(files: readonly string[], libraries: Map<string, string>) {
  const names = new Map<string, string[]>()
  for (const path of libraries.values()) {
    // Only compilers use a library's name without a version.
    if (path.endsWith('.so')) continue
    const file = await realpath(path).catch(() => path)
    names.set(file, [...(names.get(file) ?? []), path])
  }
  return files.flatMap((file) => names.get(file) ?? [file])
}

async function find({ runtime }: Language): Promise<string[]> {
  const libraries = await libraryPaths()
  const [file, ...args] = runtime.argv ?? []
  const printed = file === undefined ? '' : (await run(file, args)).stdout
  const wanted = [
    ...(await Promise.all(runtime.paths.map(expand))).flat(),
    ...runtime.libraries.flatMap((name) => libraries.get(name) ?? []),
    ...(await libraryNames(printed.split('\n').filter(Boolean), libraries)),
  ]
  const paths = new Set<string>()
  for (const path of await Promise.all(wanted.map(resolveDirectory)))
    if (path !== null) paths.add(path)
  // Leave out a path if a directory that contains it is also in the list.
  return [...paths].filter((path) => {
    for (let at = dirname(path); at !== '/'; at = dirname(at)) if (paths.has(at)) return false
    return true
  })
}

const found = new Map<Language, Promise<string[]>>()

/** The host paths that a language's programs may see: absolute, found once. @throws Error when a command that lists them fails */
export function runtimeOf(language: Language): Promise<readonly string[]> {
  const known = found.get(language) ?? find(language)
  found.set(language, known)
  return known
}

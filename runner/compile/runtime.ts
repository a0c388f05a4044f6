/** What a language's programs see of the host, found on the host itself: names of libraries become paths. */
import { execFile } from 'node:child_process'
import { readdir, realpath, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import type { Language } from '#contract/languages'

const run = promisify(execFile)

/** How `ldconfig -p` marks libraries of this machine's own kind. */
const ARCHITECTURE: Readonly<Partial<Record<string, string>>> = { x64: 'x86-64', arm64: 'AArch64' }

/** Where the dynamic linker finds the libraries of this host: name → path. */
async function libraryPaths(): Promise<Map<string, string>> {
  const { stdout } = await run('/sbin/ldconfig', ['-p'], { maxBuffer: 64 * 1024 * 1024 })
  const paths = new Map<string, string>()
  for (const line of stdout.split('\n')) {
    const [, name, kind = '', path] = /^\t(\S+) \((.*)\) => (\S+)$/.exec(line) ?? []
    const isOwn = kind.split(/,\s*/).includes(ARCHITECTURE[process.arch] ?? '')
    // The first one is the one that is taken.
    if (name && path && isOwn && !paths.has(name)) paths.set(name, path)
  }
  return paths
}

/** The files that a path of the language's stands for. */
async function expanded(path: string): Promise<string[]> {
  if (!path.endsWith('/*')) return [path]
  const entries = await readdir(path.slice(0, -1), { withFileTypes: true }).catch(() => [])
  return entries.filter((entry) => entry.isFile()).map(({ name }) => path.slice(0, -1) + name)
}

/** The path without links among its directories; null where there is nothing. */
async function settled(path: string): Promise<string | null> {
  try {
    await stat(path)
    return join(await realpath(dirname(path)), basename(path))
  } catch {
    return null
  }
}

/** The names under which programs ask for a file of a library; itself where it is none. */
async function askedFor(files: readonly string[], libraries: Map<string, string>) {
  const names = new Map<string, string[]>()
  for (const path of libraries.values()) {
    // A name without a version is for compilers.
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
    ...(await Promise.all(runtime.paths.map(expanded))).flat(),
    ...runtime.libraries.flatMap((name) => libraries.get(name) ?? []),
    ...(await askedFor(printed.split('\n').filter(Boolean), libraries)),
  ]
  const paths = new Set<string>()
  for (const path of await Promise.all(wanted.map(settled))) if (path !== null) paths.add(path)
  // What lies in a directory of the list is seen with it.
  return [...paths].filter((path) => {
    for (let at = dirname(path); at !== '/'; at = dirname(at)) if (paths.has(at)) return false
    return true
  })
}

const found = new Map<Language, Promise<string[]>>()

/** Absolute paths of the host; looked for once. @throws Error when the host does not say what it has */
export function runtimeOf(language: Language): Promise<readonly string[]> {
  const known = found.get(language) ?? find(language)
  found.set(language, known)
  return known
}

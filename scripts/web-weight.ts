/** How much JavaScript a visitor loads; the build fails where a limit is broken. */
import { gzipSync } from 'node:zlib'
import type { Plugin } from 'vite'

const KB = 1_000

interface Limit {
  what: string
  /** Modules whose chunks, and all that these import, are loaded. */
  modules: string[]
  /** Modules whose chunks are there already. */
  besides: string[]
  /** Gzipped. */
  bytes: number
}

const HOME = ['web/index.html', 'web/features/home/home-page.tsx']

const LIMITS: Limit[] = [
  { what: "A guest's home", modules: HOME, besides: [], bytes: 220 * KB },
  {
    what: 'The submit page',
    modules: [
      'web/features/submissions/submit-page.tsx',
      'web/features/submissions/submit-form.tsx',
      'web/features/submissions/code-editor.tsx',
    ],
    besides: HOME,
    bytes: 200 * KB,
  },
]

/** What is needed of a chunk as the bundler hands it over. */
export interface BuiltFile {
  type: 'chunk' | 'asset'
  code?: string
  /** File names of chunks. */
  imports?: string[]
  /** The module whose exports the chunk is. */
  facadeModuleId?: string | null
}

export type BuiltFiles = Record<string, BuiltFile>

/** File names of the chunks of some modules and of everything they import statically. */
function loadedWith(files: BuiltFiles, modules: string[]): Set<string> {
  const loaded = new Set<string>()
  function load(name: string): void {
    if (loaded.has(name)) return
    loaded.add(name)
    for (const imported of files[name]?.imports ?? []) load(imported)
  }
  for (const module of modules) {
    const found = Object.entries(files).find(([, { facadeModuleId }]) =>
      facadeModuleId?.replaceAll('\\', '/').endsWith(`/${module}`),
    )
    if (!found) throw new Error(`No file of the build stands for ${module}.`)
    load(found[0])
  }
  return loaded
}

/** Gzipped bytes of JavaScript that the modules cost beside those that are there already. */
export function gzippedBytes(files: BuiltFiles, modules: string[], besides: string[] = []): number {
  const there = loadedWith(files, besides)
  return [...loadedWith(files, modules)]
    .filter((name) => !there.has(name))
    .reduce((sum, name) => sum + gzipSync(files[name]?.code ?? '').length, 0)
}

/** One sentence for each limit that is broken. */
export function brokenLimits(files: BuiltFiles, limits = LIMITS): string[] {
  return limits.flatMap(({ what, modules, besides, bytes }) => {
    const found = gzippedBytes(files, modules, besides)
    if (found <= bytes) return []
    const [weight, limit] = [found, bytes].map((size) => (size / KB).toFixed(1))
    return [`${what} takes ${weight} KB of JavaScript (gzipped); the limit is ${limit} KB.`]
  })
}

/** For vite's configuration. */
export function weightLimits(): Plugin {
  return {
    name: 'weight-limits',
    apply: 'build',
    generateBundle(_, bundle) {
      const broken = brokenLimits(bundle)
      if (broken.length === 0) return
      const message = `${broken.join('\n')}\nLoad what is heavy only where it is shown.`
      // Whoever broke the limit needs no stack.
      this.error({ message, stack: '' })
    },
  }
}

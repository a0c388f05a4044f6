/** Limits on the JavaScript that a visitor loads; the build fails when one is broken. */
import { gzipSync } from 'node:zlib'
import type { Plugin } from 'vite'

const KB = 1_000

interface Limit {
  what: string
  /** Modules that are loaded: their chunks, and everything that these import. */
  modules: string[]
  /** Modules whose chunks were loaded before and do not count. */
  besides: string[]
  /** The most gzipped bytes. */
  bytes: number
}

const HOME = ['web/index.html', 'web/features/home/home-page.tsx']

const LIMITS: Limit[] = [
  { what: "A guest's home", modules: HOME, besides: [], bytes: 213 * KB },
  {
    what: 'The submit page',
    modules: ['web/features/submit/submit-page.tsx', 'web/features/submit/code-editor.tsx'],
    besides: HOME,
    bytes: 140 * KB,
  },
]

/** Pages that show no Markdown, and menus that open over every page. */
const WITHOUT_MARKDOWN = [
  ...HOME,
  'web/features/home/next-up.tsx',
  'web/features/about/about-page.tsx',
  'web/features/settings/settings-page.tsx',
  'web/layout/nav-drawer.tsx',
  'web/layout/user-menu.tsx',
]
const MARKDOWN = /\/web\/components\/markdown\/(parse\/)?markdown[\w-]*\.tsx?$/

interface OnlyWhereShown {
  what: string
  /** The paths of the library's modules. */
  library: RegExp
  /** Modules that are loaded separately, on pages that need the library. */
  shownBy: RegExp
}

const ONLY_WHERE_SHOWN: OnlyWhereShown[] = [
  {
    what: 'The library of formulas',
    library: /\/node_modules\/(katex|rehype-katex)\//,
    shownBy: /\/web\/components\/markdown\/parse\/formulas\.ts$|\/node_modules\/katex\//,
  },
]

/** The library of schemas would double the size of a thread that reads Markdown. */
const NOT_IN_THREADS: OnlyWhereShown = {
  what: 'The library of schemas',
  library: /\/node_modules\/zod\//,
  shownBy: /(?!)/,
}

/** The used fields of a chunk of the bundler. */
export interface BuiltFile {
  type: 'chunk' | 'asset'
  code?: string
  /** File names of chunks. */
  imports?: string[]
  /** The module whose exports are the chunk's. */
  facadeModuleId?: string | null
  /** All modules in the chunk. */
  moduleIds?: string[]
}

export type BuiltFiles = Record<string, BuiltFile>

/** A path with slashes, also on Windows. */
export function withSlashes(path: string): string {
  return path.replaceAll('\\', '/')
}

/** These names, and the names of everything that the files import statically. */
function withImports(files: BuiltFiles, names: string[]): Set<string> {
  const loaded = new Set<string>()
  function load(name: string): void {
    if (loaded.has(name)) return
    loaded.add(name)
    for (const imported of files[name]?.imports ?? []) load(imported)
  }
  for (const name of names) load(name)
  return loaded
}

/** File names of the chunks of these modules, and of everything that the chunks import statically. */
function loadedWith(files: BuiltFiles, modules: string[]): Set<string> {
  const names = modules.map((module) => {
    const found = Object.entries(files).find(([, { facadeModuleId }]) =>
      withSlashes(facadeModuleId ?? '').endsWith(`/${module}`),
    )
    if (!found) throw new Error(`No file of the build stands for ${module}.`)
    return found[0]
  })
  return withImports(files, names)
}

/** Gzipped bytes of JavaScript that these modules load, without modules that were loaded before. */
export function gzippedBytes(files: BuiltFiles, modules: string[], besides: string[] = []): number {
  const there = loadedWith(files, besides)
  return [...loadedWith(files, modules)]
    .filter((name) => !there.has(name))
    .reduce((sum, name) => sum + gzipSync(files[name]?.code ?? '').length, 0)
}

/** One sentence for each broken limit. */
export function brokenLimits(files: BuiltFiles, limits = LIMITS): string[] {
  return limits.flatMap(({ what, modules, besides, bytes }) => {
    const found = gzippedBytes(files, modules, besides)
    if (found <= bytes) return []
    const [weight, limit] = [found, bytes].map((size) => (size / KB).toFixed(1))
    return [`${what} takes ${weight} KB of JavaScript (gzipped); the limit is ${limit} KB.`]
  })
}

/** One sentence for each module that loads a library without needing it. */
export function misplacedLibraries(files: BuiltFiles, rules = ONLY_WHERE_SHOWN): string[] {
  return rules.flatMap(({ what, library, shownBy }) =>
    Object.entries(files).flatMap(([name, { facadeModuleId }]) => {
      const module = withSlashes(facadeModuleId ?? '')
      if (module === '' || shownBy.test(module)) return []
      const brings = [...withImports(files, [name])].some((loaded) =>
        files[loaded]?.moduleIds?.some((id) => library.test(withSlashes(id))),
      )
      return brings ? [`${what} is loaded with ${module}, which does not show it by itself.`] : []
    }),
  )
}

/** One sentence for each page that loads the code for Markdown but shows none. */
export function needlessMarkdown(files: BuiltFiles, modules = WITHOUT_MARKDOWN): string[] {
  return modules
    .filter((module) =>
      [...loadedWith(files, [module])].some((name) =>
        files[name]?.moduleIds?.some((id) => MARKDOWN.test(withSlashes(id))),
      ),
    )
    .map((module) => `Markdown is loaded with ${module}, which shows none.`)
}

/** The plugin for vite's configuration that checks what the threads load. */
export function libraryLimits(): Plugin {
  return failingBuild('library-limits', (files) =>
    misplacedLibraries(files, [...ONLY_WHERE_SHOWN, NOT_IN_THREADS]),
  )
}

/** The plugin for vite's configuration that checks what the pages load. */
export function weightLimits(): Plugin {
  return failingBuild('weight-limits', (files) => [
    ...brokenLimits(files),
    ...misplacedLibraries(files),
    ...needlessMarkdown(files),
  ])
}

function failingBuild(name: string, check: (files: BuiltFiles) => string[]): Plugin {
  return {
    name,
    apply: 'build',
    generateBundle(_, bundle) {
      const broken = check(bundle)
      if (broken.length === 0) return
      const message = `${broken.join('\n')}\nLoad what is heavy only where it is shown.`
      // The message is enough; no stack is needed.
      this.error({ message, stack: '' })
    },
  }
}

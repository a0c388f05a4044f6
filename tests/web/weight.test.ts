import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import {
  brokenLimits,
  gzippedBytes,
  misplacedLibraries,
  needlessMarkdown,
  type BuiltFile,
  type BuiltFiles,
} from '../../scripts/bundle/web-weight.ts'

const code = { main: 'a'.repeat(500), page: 'b'.repeat(90), shared: 'c'.repeat(70), lazy: 'd' }
const files: BuiltFiles = {
  'main.js': {
    type: 'chunk',
    code: code.main,
    imports: ['shared.js'],
    facadeModuleId: '/x/web/main.tsx',
  },
  'page.js': {
    type: 'chunk',
    code: code.page,
    imports: ['shared.js', 'main.js'],
    facadeModuleId: '/x/web/page.tsx',
  },
  'shared.js': { type: 'chunk', code: code.shared, imports: [], facadeModuleId: null },
  'lazy.js': { type: 'chunk', code: code.lazy, imports: [], facadeModuleId: '/x/web/lazy.tsx' },
  'main.css': { type: 'asset' },
}

function gzipped(...texts: string[]): number {
  return texts.reduce((sum, text) => sum + gzipSync(text).length, 0)
}

describe('the weight of the web app', () => {
  it('counts each file once, with all it imports', () => {
    expect(gzippedBytes(files, ['web/main.tsx', 'web/page.tsx'])).toBe(
      gzipped(code.main, code.shared, code.page),
    )
  })

  it('leaves out what is there already', () => {
    expect(gzippedBytes(files, ['web/page.tsx'], ['web/main.tsx'])).toBe(gzipped(code.page))
  })

  it('names what is too heavy', () => {
    const limit = { what: 'Home', modules: ['web/main.tsx'], besides: [], bytes: 1 }
    expect(brokenLimits(files, [limit])).toEqual([
      'Home takes 0.1 KB of JavaScript (gzipped); the limit is 0.0 KB.',
    ])
    expect(brokenLimits(files, [{ ...limit, bytes: 1_000 }])).toEqual([])
  })

  it('names who brings formulas along, and lets them be loaded where they are shown', () => {
    function chunk(module: string | null, imports: string[], moduleIds: string[]): BuiltFile {
      return { type: 'chunk', facadeModuleId: module, imports, moduleIds }
    }
    const formulas = chunk('/x/web/components/markdown/parse/formulas.ts', ['k.js'], [])
    const library = chunk(null, [], ['/x/node_modules/katex/dist/katex.mjs'])
    const page = '/x/web/features/home/home-page.tsx'
    const good = { 'formulas.js': formulas, 'k.js': library, 'home.js': chunk(page, [], [page]) }
    expect(misplacedLibraries(good)).toEqual([])
    const bad = { ...good, 'home.js': chunk(page, ['formulas.js'], [page]) }
    expect(misplacedLibraries(bad)).toEqual([
      `The library of formulas is loaded with ${page}, which does not show it by itself.`,
    ])
    const thread = 'C:\\x\\web\\components\\markdown\\parse\\markdown-worker.ts'
    const math = 'C:\\x\\node_modules\\katex\\dist\\katex.mjs'
    expect(misplacedLibraries({ 'thread.js': chunk(thread, [], [thread, math]) })).toHaveLength(1)
  })

  it('names a page that loads what shows Markdown, and shows none', () => {
    const [page, markdown] = ['/x/web/page.tsx', '/x/web/components/markdown/markdown.tsx']
    const built: BuiltFiles = {
      'page.js': { type: 'chunk', imports: ['m.js'], facadeModuleId: page, moduleIds: [page] },
      'm.js': { type: 'chunk', imports: [], facadeModuleId: null, moduleIds: [markdown] },
    }
    expect(needlessMarkdown(built, ['web/page.tsx'])).toEqual([
      'Markdown is loaded with web/page.tsx, which shows none.',
    ])
    expect(needlessMarkdown({ ...built, 'm.js': { type: 'chunk' } }, ['web/page.tsx'])).toEqual([])
  })

  it('does not overlook a module that was renamed', () => {
    expect(() => gzippedBytes(files, ['web/gone.tsx'])).toThrow('web/gone.tsx')
  })
})

import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { brokenLimits, gzippedBytes, type BuiltFiles } from '../../scripts/web-weight.ts'

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

  it('does not overlook a module that was renamed', () => {
    expect(() => gzippedBytes(files, ['web/gone.tsx'])).toThrow('web/gone.tsx')
  })
})

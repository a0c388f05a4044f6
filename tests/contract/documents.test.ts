/** Files and anchors that pages and comments point to exist. */
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'

const ROOT = resolve(import.meta.dirname, '../..')
const IGNORED = ['**/node_modules', '**/dist', '**/build', '**/.state', '**/.wrangler']

function filesOf(pattern: string): string[] {
  return globSync(pattern, { cwd: ROOT, exclude: IGNORED })
}

function read(file: string): string {
  return readFileSync(join(ROOT, file), 'utf8')
}

/** The anchor that GitHub gives a heading. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')
}

/** Whether the target of a page's link exists. */
function isThere(page: string, link: string): boolean {
  const [path = '', anchor] = link.split('#')
  const target = path === '' ? page : join(dirname(page), path)
  if (!existsSync(join(ROOT, target))) return false
  if (anchor === undefined) return true
  return [...read(target).matchAll(/^#+ (.+)$/gm)].some(
    ([, text = '']) => anchorOf(text) === anchor,
  )
}

const PAGES = filesOf('**/*.md')

test('the front page and the READMEs are among the pages', () => {
  expect(PAGES).toContain('ARCHITECTURE.md')
  expect(PAGES).toContain('runner/sandbox/README.md')
})

describe.each(PAGES)('%s', (page) => {
  test('links to what is there', () => {
    const links = [...read(page).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link)
    const local = links.filter((link) => !/^[a-z]+:/.test(link))
    expect(local.filter((link) => !isThere(page, link))).toEqual([])
  })

  test('names files that are there', () => {
    const paths = [
      ...read(page).matchAll(/`((?:worker|web|runner|scripts|tests|docs|migrations)\/[\w./-]+)`/g),
    ].map(([, path = '']) => path)
    const bases = [ROOT, join(ROOT, dirname(page))]
    expect(paths.filter((path) => !bases.some((base) => existsSync(join(base, path))))).toEqual([])
  })
})

test('ARCHITECTURE.md names at most six files to edit for each usual change, and they are there', () => {
  const [, part = ''] = /^## How to add …\n([\s\S]*?)^## /m.exec(read('ARCHITECTURE.md')) ?? []
  const changes = part.split(/^- /m).slice(1)
  expect(changes.length).toBeGreaterThan(5)
  for (const change of changes) {
    const paths = [...change.matchAll(/`([\w/<>.-]*\.(?:tsx?|json|md))`/g)].map(
      ([, path = '']) => path,
    )
    const edited = new Set(paths.filter((path) => !path.startsWith('tests/')))
    expect(edited.size, change).toBeLessThanOrEqual(6)
    const missing = [...edited].filter(
      (path) => path.includes('/') && !path.includes('<') && !existsSync(join(ROOT, path)),
    )
    expect(missing).toEqual([])
  }
})

test('comments cite pages that are there', () => {
  const files = ['worker', 'web', 'runner', 'scripts', 'tests'].flatMap((folder) =>
    filesOf(`${folder}/**/*.{ts,tsx,c,h,css}`),
  )
  const cited = files.flatMap((file) =>
    [...read(file).matchAll(/\b(?:docs\/[\w/-]+|[A-Z]{5,}|[\w/]+\/README)\.md\b/g)].map(
      ([path]) => path,
    ),
  )
  expect(cited.length).toBeGreaterThan(3)
  expect(cited.filter((path) => !existsSync(join(ROOT, path)))).toEqual([])
})

test('each “cannot” of SECURITY.md is shown by a test of that name', () => {
  const named = [...read('SECURITY.md').matchAll(/`([\w/-]+(?:\.\w+)*\.test\.ts)` “([^”]+)”/g)]
  expect(named.length).toBeGreaterThan(9)
  const missing = named.filter(
    ([, file = '', title = '']) => !read(file).includes(`test('${title}`),
  )
  expect(missing.map(([text]) => text)).toEqual([])
})

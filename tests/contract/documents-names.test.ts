/** Names that pages and code share: each name in code stands in a page, and each name in a page exists in code. */
import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { CALLS } from '#contract/calls'
import { SETTINGS } from '#contract/installation/settings'
import { SESSION_SECONDS } from '../../worker/db/lifetimes.ts'

const ROOT = resolve(import.meta.dirname, '../..')

const packageJson: { scripts: Record<string, string> } = JSON.parse(
  readFileSync(join(ROOT, 'package.json'), 'utf8'),
)

function filesOf(...patterns: string[]): string[] {
  const exclude = ['**/node_modules', '**/dist', '**/build', '**/.state*', '**/.wrangler']
  return globSync(patterns, { cwd: ROOT, exclude })
}

function textsOf(files: string[]): [file: string, text: string][] {
  return files.map((file) => [file, readFileSync(join(ROOT, file), 'utf8')])
}

const PAGES = textsOf(filesOf('**/*.md', 'deploy.env.example'))
const CODE = textsOf(
  filesOf('{worker,web,runner,scripts}/**/*.{ts,tsx,js,json}', 'runner/**/*.{c,h,sh,service,yaml}'),
)
const OTHER = textsOf(filesOf('*.{ts,json,toml}', 'runner/Dockerfile', 'tests/**/*.ts', '*.yaml'))
const PAGE_TEXT = PAGES.map(([, text]) => text).join('\n')

/** Variables that the system or vite sets, and names of the kernel and of testlib that pages mention. */
const OF_THE_SYSTEM = ['PATH', 'XDG_RUNTIME_DIR', 'MODE', 'O_NOATIME', 'testlib.h']

/** The first group of every match in some files, each once, with the file that it is in. */
function found(files: [string, string][], pattern: RegExp): Map<string, string> {
  const names = new Map<string, string>()
  for (const [file, text] of files)
    for (const [, name] of text.matchAll(pattern)) if (name) names.set(name, file)
  return names
}

/** The names that no page has as a word, each with its file. */
function missingInPages(names: Map<string, string>): string[] {
  return [...names]
    .filter(([name]) => !new RegExp(`(?<![\\w-])${name}(?![\\w-])`).test(PAGE_TEXT))
    .map(([name, file]) => `${name} of ${file} is in no page`)
}

/** A route without the names of its parameters: pages write `{id}`, the table of calls `:id`. */
function bare(route: string): string {
  return route.replaceAll(/:\w+|\{\w+\}/g, '*')
}

describe('what code has stands in a page', () => {
  test('routes', () => {
    const routes = found(PAGES, /\b((?:GET|POST|PUT|PATCH|DELETE) \/[\w/:{}.-]+)/g)
    const told = new Set([...routes.keys()].map(bare))
    const missing = CALLS.map(({ route }) => route).filter((route) => !told.has(bare(route)))
    expect(missing.map((route) => `${route} is in no page`)).toEqual([])
  })

  test('settings', () => {
    expect(
      missingInPages(new Map(Object.keys(SETTINGS).map((name) => [name, 'settings.ts']))),
    ).toEqual([])
  })

  test('environment variables', () => {
    // The Worker's variables are settings, or bindings that no operator sets.
    const programs = [...CODE, ...OTHER].filter(
      ([file]) => !/^(worker|tests|scripts\/bench\/worker)\//.test(file),
    )
    const read = found(programs, /\b(?:process\.)?env(?:ironment)?(?:\.|\[')([A-Z][A-Z\d_]{3,})\b/g)
    const parsed = found(
      CODE.filter(([file]) => /(runner\/config|scripts\/stack\/local-settings)\.ts$/.test(file)),
      /^ +([A-Z][A-Z\d_]{3,}): /gm,
    )
    expect(parsed.size).toBeGreaterThan(10)
    for (const name of OF_THE_SYSTEM) read.delete(name)
    expect(missingInPages(new Map([...read, ...parsed]))).toEqual([])
  })

  test('npm scripts', () => {
    const names = Object.keys(packageJson.scripts)
    const called = names.map((name) =>
      /^(start|test)$/.test(name) ? `npm ${name}` : `npm run ${name}`,
    )
    expect(missingInPages(new Map(called.map((name) => [name, 'package.json'])))).toEqual([])
  })

  test('log events of the runner and of the Worker', () => {
    const events = new Map([
      ...found(
        CODE.filter(([file]) => file.startsWith('runner/')),
        /(?:\blog|forget)\((?:id, )?'([a-z_]+)'/g,
      ),
      ...found(
        CODE.filter(([file]) => file.startsWith('worker/')),
        /console\.\w+\(\s*JSON\.stringify\(\{\s*(\w+)/g,
      ),
    ])
    expect(events.size).toBeGreaterThan(30)
    const missing = [...events].filter(([name]) => !PAGE_TEXT.includes(`\`${name}`))
    expect(missing.map(([name, file]) => `${name} of ${file} is in no page`)).toEqual([])
  })
})

const ALL_CODE = [...CODE, ...OTHER].map(([, text]) => text).join('\n')
const NAMES_OF_FILES = new Set(filesOf('**/*', '.ci/*').map((file) => basename(file)))

describe.each(PAGES)('%s names only what is there', (page, text) => {
  /** The names in the page that match the pattern and do not exist. */
  function notThere(pattern: RegExp, isThere: (name: string) => boolean): string[] {
    const names = [...found([[page, text]], pattern).keys()]
    return names.filter((name) => !OF_THE_SYSTEM.includes(name) && !isThere(name))
  }

  test('npm scripts', () => {
    const isThere = (name: string) => name in packageJson.scripts
    expect(notThere(/\bnpm run ([a-z\d:-]+)/g, isThere)).toEqual([])
  })

  // This page is about the API of Cloudflare's queues.
  test.skipIf(page === 'worker/local/README.md')('routes', () => {
    const known = new Set(CALLS.map(({ route }) => bare(route)))
    const pattern = /`((?:GET|POST|PUT|PATCH|DELETE) \/[\w/:{}.-]+)/g
    expect(notThere(pattern, (route) => known.has(bare(route.replace(' /api/', ' /'))))).toEqual([])
  })

  test('files and programs', () => {
    const programs = /\bnode ((?:[\w.-]+\/)*[\w.-]+\.ts)\b/g
    const files = /`([\w./-]+\.(?:tsx?|toml|md|css|sh|service|ya?ml|c|h))`/g
    const isThere = (file: string) =>
      file.includes('/')
        ? [ROOT, join(ROOT, dirname(page)), join(ROOT, dirname(page), '..')].some((folder) =>
            existsSync(join(folder, file)),
          )
        : NAMES_OF_FILES.has(file)
    expect([...notThere(programs, isThere), ...notThere(files, isThere)]).toEqual([])
  })

  test('environment variables', () => {
    const pattern = /(?<![\w/$.-])([A-Z][A-Z\d]*_[A-Z\d_]*[A-Z\d])\b/g
    expect(notThere(pattern, (name) => new RegExp(`\\b${name}\\b`).test(ALL_CODE))).toEqual([])
  })
})

test('pages say how long sessions last [AU8]', () => {
  const [idle, absolute] = [SESSION_SECONDS.idle, SESSION_SECONDS.absolute].map((s) => s / 86_400)
  const text = Object.fromEntries(PAGES)
  expect(text['docs/api.md']).toContain(
    `A session ends after ${idle} days without a call and ${absolute} days after sign-in.`,
  )
  expect(text['docs/operators-guide.md']).toMatch(
    new RegExp(`^\\| sessions .*\\| ${idle} days without a call, ${absolute} at most; `, 'm'),
  )
})

test('guides quote texts of the app as the app has them', () => {
  const catalogue = ['english.json', 'pages/english.json', 'staff/english.json']
    .map((name) => readFileSync(join(ROOT, 'web/i18n', name), 'utf8'))
    .join('\n')
  const texts = new Set(
    [...catalogue.matchAll(/": "(.*)"/g)].map(([, text = '']) => text.replaceAll(/\{\w+\}/g, '…')),
  )
  const guides = PAGES.filter(([file]) => file.endsWith('s-guide.md'))
  const quoted = [...found(guides, /“([^”]+)”/g).keys()].flatMap((names) =>
    names.replaceAll('\n', ' ').split(' › '),
  )
  expect(quoted.length).toBeGreaterThan(20)
  expect(quoted.filter((name) => !texts.has(name))).toEqual([])
})

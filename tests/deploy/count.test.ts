/** The output of `npm run count` for a small project. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ROOT } from '../../scripts/root.ts'

const lines = (count: number) => Array.from({ length: count }, (_, n) => `// ${n}`).join('\n')

const FILES: Record<string, string> = {
  'worker/db/schema.ts': "export const users = sqliteTable('users', {})\n",
  'worker/raw.ts':
    'import { users } from "x"\nexport const one = sql`select 1 from users join users`\n',
  'web/long.ts': `export function long() {\n${lines(59)}\n}\nexport function short() {\n${lines(58)}\n}\n`,
  'tests/long.ts': `it(() => {\n${lines(398)}\n})\n// as the spec says\nlong()\n`,
  'runner/native/a.c': 'int main;\n',
  'notes.md': 'one\ntwo\n',
}

let folder = ''
const git = (...args: string[]) => execFileSync('git', args, { cwd: folder, encoding: 'utf8' })

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'count-'))
  for (const [name, text] of Object.entries(FILES)) {
    mkdirSync(join(folder, dirname(name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  git('init', '--quiet')
  git('add', '.')
  const who = ['-c', 'user.name=a', '-c', 'user.email=a@example.org']
  git(...who, 'commit', '--quiet', '--message', 'One')
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function count(...args: string[]): string {
  const env = { ...process.env, GIT_DIR: join(folder, '.git') }
  return execFileSync(process.execPath, [join(ROOT, 'scripts/count.ts'), ...args], {
    env,
    encoding: 'utf8',
  })
}

test('a commit is counted in a column of its own', () => {
  const rows = count('HEAD', 'HEAD')
    .trimEnd()
    .split('\n')
    .map((line) => [line.slice(0, 36).trimEnd(), ...line.slice(36).trim().split(/\s+/)])
  const figures = new Map(rows.map(([label = '', one, two]) => [label, [one, two]]))
  const expected = {
    'runner/: files of code': 1,
    'runner/: lines of code': 1,
    'scripts/: files of code': 0,
    'tests/: files of code': 1,
    'tests/: lines of code': 402,
    'web/: lines of code': 121,
    'worker/: files of code': 2,
    'worker/: lines of code': 3,
    files: 6,
    'lines of code': 527,
    'lines of pages (.md)': 2,
    'files of code over 400 lines': 1,
    'functions over 60 lines': 2,
    '  of these outside tests': 1,
    'raw SQL: bare table names': 2,
    '  templates that hold them': 1,
    'raw comparisons of roles': 0,
    'comments citing absent documents': 1,
    'exported names of one file only': 2,
  }
  for (const [label, figure] of Object.entries(expected))
    expect(figures.get(label), label).toEqual([String(figure), String(figure)])
})

test('what was counted is named on request', () => {
  expect(count('--list').split('\n').slice(0, 7)).toEqual([
    'tests/long.ts:1 anonymous 400',
    'web/long.ts:1 long 61',
    'worker/raw.ts:2 users',
    'worker/raw.ts:2 users',
    'tests/long.ts:401 as the spec says',
    'web/long.ts short',
    'worker/raw.ts one',
  ])
})

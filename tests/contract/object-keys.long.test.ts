/**
 * Code never looks up what people type in a plain object: the object has a `constructor` that nobody wrote, and
 * assigning `__proto__` sets no key. It uses a `Map`, or asks `Object.hasOwn` for a word.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { listTextKeys } from './object-keys.ts'

const ROOT = join(import.meta.dirname, '../..')
const sample = `${mkdtempSync(join(tmpdir(), 'object-keys-'))}/`
afterAll(() => rmSync(sample, { recursive: true }))

/** Lookups whose keys are not typed by people, by where the keys come from. */
const OURS: Record<string, string[]> = {
  'parameters of messages': [
    'worker/contract/errors.ts: z.record(z.string(), z.union([z.string(), z.number()]))',
    'worker/contract/fields.ts: params[name]',
    'worker/contract/people/signup-rows.ts: params?.[name]',
  ],
  'ids and codes that are numbers': [
    'worker/contract/homeworks.ts: z.record(z.string(), problemProgress)',
    'worker/contract/problems/stats.ts: z.record(z.string(), z.int())',
    'worker/contract/problems/stats.ts: z.record(z.string(), scoreboardCell)',
    'web/features/homeworks/form-values.ts: values.points[id]',
    'web/features/homeworks/points-fields.tsx: points[id]',
  ],
  'tables, columns and fields': [
    'worker/contract/audit.ts: z.record(z.string(), z.unknown())',
    'worker/db/statements.ts: columns[key]',
    'worker/features/gradebook/columns-queries.ts: columns[key]',
    'web/lib/drafts/kept-form.ts: initial[field]',
    'web/lib/drafts/kept-form.ts: z.record(z.string(), change)',
    'web/features/homeworks/dates/dates-file.ts: before[field]',
    'web/components/homeworks/extension-fields.tsx: form.errors[field]',
    'web/features/homeworks/late-fields.tsx: form.errors[source]',
    'scripts/deploy/database.ts: z.record(z.string(), z.unknown())',
    'scripts/backup/folder.ts: z.record(z.string(), z.object({ rows: z.int(), sha256: z.string() }))',
    'scripts/backup/folder.ts: z.record(z.string(), z.string())',
    'scripts/backup/tables.ts: LATE[name]',
    'scripts/backup/backup.ts: tables[table.name]',
    'scripts/backup/restore.ts: tables[table.name]',
    'scripts/demo/term/statements.ts: EXPRESSIONS[column]',
  ],
  'words, paths and files of this code': [
    'worker/contract/mark-sentences.ts: texts[name]',
    'scripts/bench/app.ts: TYPES[extname(name)]',
    'worker/features/copycat/report-step.ts: z.record(z.string(), z.string())',
    'worker/features/openapi/document.ts: paths[path]',
    'web/components/markdown/parse/harmless-tree.ts: node.properties[name]',
    'runner/server/http-call.ts: answer.headers[name]',
    'scripts/bench/web.ts: z.record(z.string(), z.number())',
    'scripts/bundle/web-weight.ts: files[name]',
    'scripts/bundle/web-weight.ts: files[loaded]',
    'scripts/bundle/mantine-styles.ts: BASES[name]',
    'scripts/stack/local-settings.ts: environment[name]',
    'scripts/deploy/worker-config.ts: standard[name]',
    'scripts/demo/pages.ts: OWN_VIEWERS[name]',
    'scripts/demo/pages.ts: { problem: 2, copycat: ids.copiedProblem, problemMistakes: 3 }[name]',
    'scripts/demo/pages.ts: values[param]',
    'scripts/demo/pages.ts: HEADINGS[name]',
    'scripts/demo/term/programs.ts: VERDICTS[verdict]',
    'scripts/demo/text-problems.ts: PAIRS[bracket]',
    'web/features/join/join-rules.ts: table[error.code]',
  ],
  'keys of the keyboard': [
    'web/layout/command-palette.tsx: { ArrowDown: 1, ArrowUp: -1 }[event.key]',
    'web/components/questions/code-questions.tsx: STEPS[event.key]',
  ],
  'asked with Object.hasOwn before': [
    'web/components/markdown/parse/named-characters.ts: characters[name]',
  ],
  'what reads people’s names safely': ['worker/contract/by-name.ts: z.record(z.string(), value)'],
}

test('no code looks anything up in a plain object by what people type', () => {
  const allowed = Object.values(OURS).flat()
  const found = ['worker/contract', 'worker', 'web', 'runner', 'scripts'].flatMap((name) =>
    listTextKeys(`${join(ROOT, name)}/`).map((code) => `${name}/${code}`),
  )
  expect(found.filter((code) => !allowed.includes(code))).toEqual([])
  expect(allowed.filter((code) => !found.includes(code))).toEqual([])
}, 300_000)

test('a lookup by any text is found, however the object came by its type', () => {
  const declared = 'const byName: Record<string, number> = {}; declare const name: string;'
  const offences = [
    'byName[name]',
    'byName[name] = 1',
    'byName?.[name]',
    'name in byName',
    'Object.fromEntries([[name, 1]])[name]',
    '(JSON.parse(name) as any)[name]',
    'byName[`${name}`]',
  ]
  const fine = [
    'new Map([[name, 1]]).get(name)',
    'Object.hasOwn(byName, name)',
    "byName['own']",
    "({ a: 1, b: 2 })[name === 'a' ? 'a' : 'b']",
    '[1, 2][name.length]',
    "'own' in byName",
  ]
  const config = {
    compilerOptions: { strict: true, module: 'esnext', target: 'esnext' },
    files: ['sample.ts'],
  }
  writeFileSync(join(sample, 'tsconfig.json'), JSON.stringify(config))
  const counts = [...offences, ...fine].map((code) => {
    writeFileSync(join(sample, 'sample.ts'), `${declared}\nexport const found = (${code})\n`)
    return listTextKeys(sample).length
  })
  expect(counts).toEqual([...offences.map(() => 1), ...fine.map(() => 0)])
})

test('a record of any text is found', () => {
  writeFileSync(
    join(sample, 'sample.ts'),
    'declare const z: any\nexport const found = z.record(z.string(), z.int())\n',
  )
  expect(listTextKeys(sample)).toEqual(['sample.ts: z.record(z.string(), z.int())'])
})

/** A migration keeps what the previous release reads (migrations/README.md). */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { MIGRATIONS, MIGRATIONS_FOLDER } from './migrations.ts'

/** There is no release before the first migration. */
const FIRST = '0000_init.sql'

/** Migrations that drop what no code reads any more, each with the release that stopped reading it. */
const CONTRACTIONS: Record<string, string> = {
  // 0.2.0 has never read the two views, and finds the two rebuilt tables as they were.
  '0002_labels.sql': '0.2.0',
}

/** The parts of a migration that break the previous release's code. */
function breaks(sql: string): string[] {
  const code = sql.replace(/--.*$/gm, '')
  const made = new Set([...code.matchAll(/CREATE TABLE `?(\w+)/gi)].map(([, name]) => name))
  const added = new Set(
    [...code.matchAll(/ALTER TABLE `?(\w+)`? ADD `?(\w+)`?/gi)].map(
      ([, table, column]) => `${table} ${column}`,
    ),
  )
  return [
    // These tables have millions of rows, and D1 ends a statement after 30 s. The sweeper fills a new column page by page.
    ...code.matchAll(
      /UPDATE `?(?:submissions|submission_sources|judgements|problem_results|audit_entries|login_records)\b/gi,
    ),
    ...code.matchAll(/DROP (?:TABLE|COLUMN|VIEW) \S+|RENAME (?:TO|COLUMN)? ?\S+/gi),
    // The previous code does not write to a new table or column; elsewhere it may write what the index refuses.
    ...[...code.matchAll(/CREATE UNIQUE INDEX \S+ ON `?(\w+)`? ?\(`?(\w+)/gi)].filter(
      ([, table, column]) => !made.has(table) && !added.has(`${table} ${column}`),
    ),
  ].map(([text]) => text)
}

test('no later migration takes away what the release before reads', () => {
  const later = MIGRATIONS.filter((name) => name > FIRST && !Object.hasOwn(CONTRACTIONS, name))
  const broken = later.flatMap((name) =>
    breaks(readFileSync(join(MIGRATIONS_FOLDER, name), 'utf8')).map((text) => `${name}: ${text}`),
  )
  expect(broken).toEqual([])
  expect(MIGRATIONS).toContain(FIRST)
  expect(Object.keys(CONTRACTIONS).filter((name) => !MIGRATIONS.includes(name))).toEqual([])
})

test('D1 takes a migration: capitals in triggers, and comments without quote marks and semicolons', () => {
  const refused = MIGRATIONS.flatMap((name) => {
    const sql = readFileSync(join(MIGRATIONS_FOLDER, name), 'utf8')
    const comments = [...sql.matchAll(/(?<!-)--(?!>).*$/gm)].filter(([text]) => /['"`;]/.test(text))
    return [...comments, ...sql.matchAll(/\bbegin\b|\bBegin\b/g)].map(
      ([text]) => `${name}: ${text}`,
    )
  })
  expect(refused).toEqual([])
})

test('the rule sees what breaks and nothing else', () => {
  const broken = [
    'ALTER TABLE `users` DROP COLUMN `bio`;',
    'DROP TABLE `old_users`;',
    'ALTER TABLE `__new_users` RENAME TO `users`;',
    'ALTER TABLE `users` RENAME COLUMN "a" TO "b";',
    'CREATE UNIQUE INDEX `users_bio` ON `users` (`bio`);',
    'ALTER TABLE `users` ADD `a` text; CREATE UNIQUE INDEX `users_bio` ON `users` (`bio`);',
    'UPDATE `submissions` SET `score` = 0;',
  ]
  expect(broken.filter((sql) => breaks(sql).length === 0)).toEqual([])
  const fine =
    'CREATE TABLE `a` (`b` text);--> statement-breakpoint\nCREATE UNIQUE INDEX `c` ON `a` (`b`); DROP INDEX `d`; ALTER TABLE `users` ADD `e` text; CREATE UNIQUE INDEX `f` ON `users` (`e`); -- DROP TABLE a'
  expect(breaks(fine)).toEqual([])
})

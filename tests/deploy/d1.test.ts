/** The stand-in's D1 refuses what the real D1 refuses, and accepts what our code sends. */
import { expect, test } from 'vitest'
import { schemaStatements } from '../../scripts/deploy/database.ts'
import { newDatabase } from './account.ts'
import { runQueries } from './d1.ts'
import { MIGRATIONS_FOLDER } from './migrations.ts'

const wide = (count: number) => Array.from({ length: count }, () => '1').join(', ')

test.each([
  [
    'a trigger in small letters',
    'create trigger x before delete on t begin select 1; end',
    'incomplete input',
  ],
  [
    'a trigger beside another statement',
    'select 1; create trigger x before delete on t BEGIN select 1; END',
    'incomplete input',
  ],
  [
    'a trigger with line ends of Windows',
    'create trigger x before delete on t BEGIN\r\n select 1;\r\nEND',
    'incomplete input',
  ],
  ['a semicolon in a comment', 'select 1;\n-- comment;\nselect 2;', 'did not contain a statement'],
  ['a quote mark in a comment', "-- It's there\nselect 1;\nselect 1;", 'only one statement'],
  ['33 arguments', `select json_array(${wide(33)})`, 'too many arguments'],
  ['six selects in one', 'select 1'.concat(' union all select 1'.repeat(5)), 'too many terms'],
  ['another database', "attach database ':memory:' as other", 'not authorized'],
  ['a pragma that D1 does not list', 'pragma journal_mode = off', 'not authorized'],
  ['a pragma of that kind as a table', 'select * from pragma_database_list', 'not authorized'],
  ['a statement of more than 100 KB', `select '${'x'.repeat(100_000)}'`, 'too big'],
  ['a text of more than 2 MB', 'select hex(zeroblob(1000001))', 'too big'],
])('%s is refused', (_, sql, message) => {
  const { sqlite } = newDatabase('d1')
  sqlite.exec('create table t (v)')
  expect(() => runQueries(sqlite, { sql })).toThrow(message)
  expect(sqlite.isTransaction).toBe(false)
})

test('what takes longer than D1 allows is refused, and changes nothing', () => {
  const { sqlite } = newDatabase('d1')
  sqlite.exec('create table t (v)')
  const batch = [
    {
      sql: 'insert into t with recursive c(n) as (values(1) union all select n + 1 from c where n < 100000) select n from c',
    },
  ]
  expect(() => runQueries(sqlite, { batch }, 1)).toThrow('query timed out')
  expect(sqlite.prepare('select count(*) as n from t').get()?.['n']).toBe(0)
  runQueries(sqlite, { batch })
  expect(sqlite.prepare('select count(*) as n from t').get()?.['n']).toBe(100_000)
})

test('parameters are texts, a hundred at most, of 2 MB at most', () => {
  const { sqlite } = newDatabase('d1')
  const places = (count: number) =>
    `select 1 where 1 in (${Array.from({ length: count }, () => '?').join()})`
  const ask = (sql: string, params: unknown[]) => () => runQueries(sqlite, { sql, params })
  expect(
    ask(
      places(100),
      Array.from({ length: 100 }, () => '1'),
    ),
  ).not.toThrow()
  expect(
    ask(
      places(101),
      Array.from({ length: 101 }, () => '1'),
    ),
  ).toThrow('too many SQL variables')
  expect(ask('select ?', ['x'.repeat(2_000_001)])).toThrow('too big')
  expect(ask('select ?', [1])).toThrow('Invalid input')
})

test('a batch is one transaction, and takes each statement of the migrations', () => {
  const { sqlite } = newDatabase('d1')
  const schema = schemaStatements(MIGRATIONS_FOLDER)
  expect(() => runQueries(sqlite, { batch: [...schema, { sql: 'select nothing' }] })).toThrow()
  expect(sqlite.prepare('select 1 from sqlite_schema').all()).toEqual([])
  runQueries(sqlite, { batch: schema })
  expect(sqlite.prepare("select 1 from sqlite_schema where type = 'trigger'").all()).toHaveLength(
    44,
  )
})

/** What must hold before a release. Each item has a test whose title ends in its id, as in “… answer alike [AU1]”. */
import { globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'

const TESTS = resolve(import.meta.dirname, '..')

const CHECKS: Readonly<Record<string, string>> = {
  // Signing in
  AU1: 'whether an account exists cannot be told from a refused sign-in',
  AU2: 'blank fields are named; an e-mail address does for the username',
  AU3: 'guessing is slowed down, and nobody is locked out for good',
  AU4: 'a cookie from before signing in is worth nothing afterwards',
  AU5: 'whatever ends a session ends all that it should, at the next call',
  AU6: 'session tokens: random, stored as hashes, in a host cookie',
  AU7: 'links to reset a password: once, for minutes, few, and seen by nobody else',
  AU8: 'sessions end when idle and when old, as documented',
  AU9: 'passwords: hashes with parameters, weak ones refused, others taken as they are',
  // Who may do what
  AZ1: 'each route answers each role as the table says',
  AZ2: 'ids of another course are unknown',
  AZ3: 'work of other students is out of sight',
  AZ4: 'hidden problems and homeworks to come show nowhere',
  AZ5: 'fields that a caller may not set change nothing',
  AZ6: 'a judge host reaches its jobs and no more, a person no call of hosts',
  AZ7: 'rights that were taken away are gone at the next call',
  AZ8: 'guests are sent to sign in, and from there to pages of ours only',
  // Input
  IV1: 'no JSON body makes a fault of ours or stores what it should not',
  IV2: 'source code is refused in the product’s words or kept byte for byte',
  IV3: 'what people write is shown and never run',
  IV4: 'Markdown and formulas cannot hold up a page',
  IV5: 'patterns and searches take any text in little time',
  IV6: 'CSV files: all rows or none by line; exports run no formulas',
  IV7: 'filters, sorting and cursors are text to the database',
  // Test data
  UP1: 'bad names in a zip are all listed, and nothing is stored',
  UP2: 'zips that lie or swell are found without reading them whole',
  UP3: 'uploads in parts: any order, twice, aborted, at once',
  UP4: 'an upload that dies half way costs nothing and can go on',
  UP5: 'test data replaced while judging: each result names its version',
  UP6: 'subtasks that cannot be are refused by field',
  UP7: 'staff download the same bytes as a file; students find none',
  UP8: 'a problem taken elsewhere judges as it did',
  // Judging
  JF1: 'each kind of end gets its verdict in each language, every time',
  JF2: 'programs that multiply or hide end in time and leave no process',
  JF3: 'what a program fills is bounded and gone with it',
  JF4: 'no network of any kind',
  JF5: 'nothing of host, test data or others can be read',
  JF6: 'what a program plants is never opened',
  JF7: 'one run tells the next one nothing',
  JF8: 'compilers end in time, their messages short and clean',
  JF9: 'verdict and figures come from outside the program',
  // The queue
  QF1: 'messages that come often and in any order make one result each',
  QF2: 'a judge host killed at any point loses and doubles nothing',
  QF3: 'a server that is gone for minutes costs no result',
  QF4: 'a job whose claim got lost is taken again',
  QF5: 'late, repeated and outdated results change nothing',
  QF6: 'a job that cannot be judged ends as Judge Error and holds nobody up',
  QF7: 'a lost message is sent again, no submission waits for ever',
  // Load
  LO1: 'a class before its deadline is served, in order, within its quota',
  LO2: 'pages that wait cost two rows and an empty answer',
  LO3: 'limits of submitting tell when to go on, and a class may share an address',
  LO4: 'half an hour of judging leaves nothing behind',
  // Privacy and operation
  PR1: 'the audit log names who did what, holds no secrets and is only added to',
  PR2: 'addresses go, people can be erased and get all that is known about them',
  PR3: 'faults of the platform show an id and nothing else',
  PR4: 'an installation can be copied and brought back',
  // Browsers
  BR1: 'each answer has the headers that protect it',
  BR2: 'pages of others change nothing',
  BR3: 'pages keep to their policy, and browsers keep nothing of others',
  BR4: 'files and outputs opened by their address run nothing',
}

/** The ids at the ends of test titles, outside this file. */
const named = new Set(
  globSync('**/*.test.ts', { cwd: TESTS, exclude: ['contract/acceptance.test.ts'] }).flatMap(
    (file) =>
      [...readFileSync(join(TESTS, file), 'utf8').matchAll(/ \[([A-Z]{2}\d+)\](?=['"`]| \[)/g)].map(
        ([, id = '']) => id,
      ),
  ),
)

test('a test names each check', () => {
  expect(Object.keys(CHECKS).filter((id) => !named.has(id))).toEqual([])
})

test('tests name no other check', () => {
  expect([...named].filter((id) => !(id in CHECKS))).toEqual([])
})

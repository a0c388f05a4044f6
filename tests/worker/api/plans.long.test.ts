/** No read scans a whole table or sorts in a temporary B-tree: the cost of a list must not grow with the installation. */
import { describe, expect, test } from 'vitest'
import { CALLS, isWrite } from '#contract/calls'
import { makeCall, signatureOf } from '../support/roles-routes-calls.ts'
import { createFixture, type Fixture } from '../support/roles-routes-fixture.ts'
import { ROLES, ROLES_ROUTES, type Role } from '../support/roles-routes.ts'
import type { Statement } from '../../../scripts/bench/worker/recording-d1.ts'
import { UNLIMITED } from '../support/rates.ts'
import { recordCall } from '../support/round-trips-recorder.ts'
import { queryPlan } from '../support/sql.ts'

/** The lists again, with every filter. */
const VARIANTS: readonly [role: Role, path: (fixture: Fixture) => string][] = [
  ...(['student', 'ta', 'admin'] as const).flatMap((role) =>
    [
      '',
      '&status=0',
      '&languageType=0',
      '&status=0&languageType=0',
      '&offset=5&count=5',
      `&cursor=${cursorOf('ffffffffffffffffffffffff')}`,
    ].flatMap((more): [Role, (fixture: Fixture) => string][] => [
      [role, () => `/submission?limit=5${more}`],
      [role, ({ course }) => `/submission?course=${course}${more}`],
      [role, ({ ids }) => `/submission?problemId=${ids.problem}${more}`],
      [role, ({ people }) => `/submission?username=${people.student.username}${more}`],
      [
        role,
        ({ course, ids, people }) =>
          `/submission?course=${course}&problemId=${ids.problem}&username=${people.student.username}${more}`,
      ],
      [role, ({ course, ids }) => `/submission?course=${course}&problemId=${ids.problem}${more}`],
      [
        role,
        ({ course, people }) =>
          `/submission?course=${course}&username=${people.student.username}${more}`,
      ],
    ]),
  ),
  ...(['student', 'ta'] as const).flatMap((role): [Role, (fixture: Fixture) => string][] => [
    [role, ({ course }) => `/problem?course=${course}&name=Pro&limit=5`],
    [role, ({ course }) => `/problem?course=${course}&tags=a,b`],
    [role, ({ course }) => `/problem?course=${course}&cursor=${cursorOf(3)}`],
  ]),
  ...(['student', 'ta'] as const).flatMap((role) =>
    ['', '&state=answered', `&cursor=${cursorOf('f'.repeat(24))}`].flatMap(
      (more): [Role, (fixture: Fixture) => string][] => [
        [role, ({ course }) => `/course/${course}/questions?limit=5${more}`],
        [role, ({ course, ids }) => `/course/${course}/questions?problemId=${ids.problem}${more}`],
      ],
    ),
  ),
  ...['', '&status=0', '&languageType=0'].flatMap(
    (more): [Role, (fixture: Fixture) => string][] => [
      ['ta', ({ course }) => `/submission?course=${course}&label=1${more}`],
      ['ta', ({ ids }) => `/submission?problemId=${ids.problem}&label=1${more}`],
      ['admin', () => `/submission?label=1${more}`],
    ],
  ),
  ['ta', ({ course }) => `/course/${course}/questions?label=1`],
  ['ta', ({ course, ids }) => `/course/${course}/questions?label=1&problemId=${ids.problem}`],
  ['ta', ({ ids }) => `/problem/${ids.problem}/stats?label=1`],
  ['teacher', ({ course }) => `/course/${course}/scoreboard?label=1`],
  ['teacher', () => '/course?deleted=true'],
  [
    'teacher',
    ({ course, ids }) => `/course/${course}/scoreboard?pids=${ids.problem}&start=1&end=9`,
  ],
  ['admin', () => '/user?search=student'],
  ['admin', () => '/user?role=2'],
  ['admin', () => '/user?role=2&search=student'],
  ['admin', ({ course }) => `/user?course=${course}`],
  ['admin', ({ people }) => `/audit?actor=${people.student.username}`],
  ['admin', () => '/audit?action=course.create'],
  ['admin', ({ people }) => `/audit?actor=${people.student.username}&action=course.create`],
]

/** Query plans whose cost grows with a table and which are justified. */
const JUSTIFIED: readonly { route: RegExp; step: RegExp; reason: string }[] = [
  {
    route: /^\/setup/,
    step: /^SCAN (vitals|courses)$/,
    reason: 'eight notes; ends at the first course that is not deleted',
  },
  {
    route: /^\/alarms$/,
    step: /^SCAN alarms$|TEMP B-TREE FOR ORDER BY/,
    reason: 'a row for each state that lasts, nine at most',
  },
  {
    route: /^\/auth\/me\/export$/,
    step: /^SCAN (announcements|problems|hints)$/,
    reason: 'at most five times an hour and person; an index would cost every write',
  },
  {
    route: /^\/auth\/me\/export$/,
    step: /TEMP B-TREE FOR ORDER BY/,
    reason: 'sorts the questions of one person',
  },
  {
    route: /^\/submission\/[0-9a-f]{24}$/,
    step: /TEMP B-TREE FOR (json_group_array\()?ORDER BY/,
    reason: 'sorts the hints under one submission, and the failed cases of one judgement',
  },
  {
    route: /^\/auth\/sessions$/,
    step: /TEMP B-TREE FOR ORDER BY/,
    reason: 'sorts the live sessions of one person',
  },
  {
    route: /^\/(user|course)\/summary$/,
    step: /./,
    reason: 'the dashboard counts everything; admins only, from indexes and summary rows',
  },
  {
    route: /^\/course(\?deleted=true)?$/,
    step: /^SCAN courses/,
    reason: 'an admin lists all courses',
  },
  {
    route: /^\/search\?/,
    step: /^SCAN (courses|w|homeworks|problems|memberships)\b|TEMP B-TREE FOR (LAST TERM OF )?ORDER BY/,
    reason:
      'names of one’s courses, for admins of all, looked through when somebody types; at most eight come',
  },
  {
    route: /^\/overview$/,
    step: /TEMP B-TREE FOR ORDER BY|^SCAN due_first$/,
    reason:
      'sorts the running homeworks of one’s courses and goes through the first few; sorts five submissions of each course and language',
  },
  {
    route: /^\/problem\/\d+\/mistakes(\/[\w-]{16})?$/,
    step: /TEMP B-TREE FOR ORDER BY/,
    reason: 'sorts the staff of one course together with the admins',
  },
  {
    route: /^\/homework\/[0-9a-f]{24}\/(dates|kept-marks|programs)$/,
    step: /TEMP B-TREE FOR (GROUP|ORDER) BY/,
    reason: 'sorts the students of one course, and the marks of one homework',
  },
  {
    route: /^\/course\/[^/?]+(\/archive|\/late-days)?$/,
    step: /TEMP B-TREE FOR ORDER BY/,
    reason:
      'sorts the labels of one course, its kinds of late days, and for the archive its people',
  },
  {
    route: /^\/course\/[^/?]+\/late-days$/,
    step: /^SCAN homework_problems USING COVERING INDEX/,
    reason:
      'the statement’s condition is `0`, so no step runs: everybody’s attempts come later, in pieces',
  },
  {
    route:
      /^\/course\/[^/?]+\/(archive|homework|late-days)$|^\/homework\/[0-9a-f]{24}(\/programs)?$/,
    step: /^SCAN gradebook_columns USING COVERING INDEX gradebook_columns_homework$/,
    reason: 'the statement’s condition is `0`, so no step runs: staff see all marks',
  },
  {
    route: /^\/course\/[^/?]+\/gradebook(\/columns|\/file)?(\?|$)/,
    step: /TEMP B-TREE FOR (ORDER BY|DISTINCT)|^SCAN page$/,
    reason:
      'sorts the columns, students and problems of one course, and goes through one page of them',
  },
  {
    route: /^\/course\/[^/?]+\/(gradebook\/\d+\/[^/?]+|marks(\/[^/?]+)?)$/,
    step: /TEMP B-TREE FOR (ORDER BY|GROUP BY|DISTINCT)/,
    reason: 'sorts the columns of one course, and what the marks of one person come from',
  },
  {
    route: /^\/homework\/[0-9a-f]{24}\/statistics$/,
    step: /TEMP B-TREE FOR ORDER BY/,
    reason: 'sorts the problems, labels and students of one homework',
  },
  {
    route: /^\/calendar\?/,
    step: /TEMP B-TREE FOR ORDER BY/,
    reason: 'sorts the homeworks of one’s courses',
  },
  {
    route: /^\/runners$/,
    step: /^SCAN runners USING INDEX runners_heartbeat|^SCAN j$/,
    reason: 'the whole fleet, at most 200, in the order of its index',
  },
  {
    route: /^\/problem\/(manage\/)?\d+$/,
    step: /TEMP B-TREE FOR ORDER BY|^SCAN first$/,
    reason: 'sorts the homeworks of one problem, and the problems of the first of them',
  },
  {
    route: /^\/submission(\?|$)/,
    step: /^SCAN newest$|^SCAN submissions USING (COVERING )?INDEX sqlite_autoindex_submissions_1$/,
    reason: 'the newest 5,000 of a person, of those pending or of all, in the order of an index',
  },
  {
    route: /^\/health$/,
    step: /^SCAN ranks$/,
    reason: 'a row for each rank that a waiting job has: how many of its person wait before it',
  },
  {
    route: /^\/runners\/queue$/,
    step: /^SCAN judgements USING (COVERING )?INDEX judgements_open/,
    reason: 'a partial index of open judgements only: the queue itself is what is counted',
  },
  {
    route: /^\/setup\b.*$/,
    step: /^SCAN operations USING INDEX operations_open/,
    reason: 'a partial index of the operations under way: a few, as each is begun by hand',
  },
  {
    route: /^\/setup/,
    step: /^USE TEMP B-TREE FOR count\(DISTINCT\)$/,
    reason:
      'the people whose mails are due, found by the key; a person has at most one or two marks',
  },
  {
    route: /^\/course\/[^/?]+\/joining$/,
    step: /TEMP B-TREE FOR ORDER BY/,
    reason: 'sorts the people who wait for approval in one course',
  },
  {
    route: /^\/notices(\/count)?$/,
    step: /^SCAN (own|candidate)$|TEMP B-TREE FOR ORDER BY/,
    reason:
      'goes through one’s courses, and sorts what is new in them; notices are kept for 60 days',
  },
  {
    route: /^\/notices\/settings$/,
    step: /TEMP B-TREE FOR ORDER BY/,
    reason: 'sorts one’s courses',
  },
]

/** A cursor as lists give it out. */
function cursorOf(position: unknown): string {
  return btoa(JSON.stringify(position)).replace(/=+$/, '')
}

/** The steps of a statement's plan whose cost grows with a table. */
async function badSteps(path: string, { sql, params }: Statement): Promise<string[]> {
  const steps = await queryPlan(sql, ...params)
  return steps
    .filter((step) => /^SCAN |TEMP B-TREE/.test(step))
    .filter(
      (step) =>
        !/^SCAN (CONSTANT ROW|json_each|\w+ VIRTUAL TABLE|\(subquery-\d+\)|\(join-\d+\))/.test(
          step,
        ),
    )
    .filter((step) => !JUSTIFIED.some((entry) => entry.route.test(path) && entry.step.test(step)))
}

/** Fails for every statement of a call whose plan has a bad step. */
async function expectIndexed(role: Role, method: string, path: string, fixture: Fixture) {
  const { status, trips } = await recordCall(method, path, signatureOf(fixture, role), UNLIMITED)
  expect(status, path).toBe(200)
  const bad = []
  for (const statement of trips.flatMap(({ statements }) => statements))
    for (const step of await badSteps(path, statement)) bad.push({ role, step, sql: statement.sql })
  expect(bad).toEqual([])
}

describe('query plans', () => {
  const reads = CALLS.filter((made) => !isWrite(made)).map(({ route }) => route)

  test.each(reads)('%s is served by indexes', async (route) => {
    const row = ROLES_ROUTES[route]
    for (const [index, role] of ROLES.entries()) {
      if (row[index] !== 200) continue
      const fixture = await createFixture()
      const { path } = await makeCall(route, fixture, signatureOf(fixture, role).as ?? null)
      await expectIndexed(role, 'GET', path, fixture)
    }
  })

  test('lists with filters and cursors are served by indexes', async () => {
    const fixture = await createFixture()
    for (const [role, pathOf] of VARIANTS)
      await expectIndexed(role, 'GET', pathOf(fixture), fixture)
  })
})

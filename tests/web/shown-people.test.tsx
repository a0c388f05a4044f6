/** What people see of their own accounts, and admins of all accounts and of the installation. */
import { describe, expect, it, test } from 'vitest'
import type { Runner } from '#contract/judging/runners'
import * as admin from '../../web/features/admin/api.ts'
import { CourseTable } from '../../web/features/admin/course-table.tsx'
import { DatabaseSize } from '../../web/features/admin/database-size.tsx'
import { Fleet } from '../../web/features/admin/fleet.tsx'
import { Queue } from '../../web/features/admin/queue.tsx'
import { StorageNotice } from '../../web/features/admin/storage-notice.tsx'
import { UserCounts } from '../../web/features/admin/user-counts.tsx'
import { auditEntriesQuery } from '../../web/features/audit/api.ts'
import { AuditPage } from '../../web/features/audit/audit-page.tsx'
import { sessionsQuery, tokensQuery } from '../../web/features/profile/api.ts'
import { OwnEmail } from '../../web/features/profile/own-email.tsx'
import { SessionList } from '../../web/features/profile/session-list.tsx'
import { TokenList } from '../../web/features/profile/token-list.tsx'
import { SetupList } from '../../web/features/setup/setup-list.tsx'
import { usersQuery } from '../../web/features/users/api.ts'
import { UsersPage } from '../../web/features/users/users-page.tsx'
import { formatTime } from '../../web/lib/format/format.ts'
import {
  ANN,
  controlsOf,
  idOf,
  itemsOf,
  pages,
  render,
  rowsOf,
  textOf,
} from './fixtures/rendered.tsx'

const DAY = 86_400
const THREE_DAYS_AGO = Math.floor(Date.now() / 1_000) - 3 * DAY - 3_600

describe('the accounts', () => {
  const account = (username: string, change: object = {}) => ({
    username,
    displayedName: username.toUpperCase(),
    role: 2,
    email: `${username}@x.test`,
    emailConfirmed: true,
    active: true,
    createTime: DAY,
    etag: '"1"',
    ...change,
  })
  const list = (query: string, items: object[]) => {
    const filter = { search: '', role: '', ...Object.fromEntries(new URLSearchParams(query)) }
    return render(<UsersPage />, {
      route: '/admin/user',
      at: `/admin/user?${query}`,
      reads: [[usersQuery(filter), pages({ items, next: null })]],
    })
  }

  it('have their state, and the ways to change them', () => {
    const markup = list('', [
      account('ann', { role: 0 }),
      account('bob', { role: 1, emailConfirmed: false, active: false }),
    ])
    expect(rowsOf(markup)).toEqual([
      'Username Email Role Created Actions',
      `ann ANN ann@x.test Admin ${formatTime(DAY)} Edit Sign out Erase`,
      `bob BOB bob@x.test Email not confirmed Teacher Not active ${formatTime(DAY)} Edit Sign out Erase`,
    ])
    expect(Object.keys(controlsOf(markup))).toEqual([
      'Administration',
      'New account',
      ...['ann', 'bob'].flatMap((name) => [
        `Edit ${name}`,
        `Sign out ${name} everywhere`,
        `Erase ${name}`,
      ]),
    ])
  })

  it('are filtered by the address, where it names a role that there is', () => {
    expect(rowsOf(list('search=an&role=1', [account('ann')]))).toHaveLength(2)
    expect(list('role=1', [])).toMatch(/<option[^>]*selected[^>]*>Teacher</)
    const unknown = render(<UsersPage />, {
      route: '/admin/user',
      at: '/admin/user?role=7',
      reads: [
        [usersQuery({ search: '', role: '' }), pages({ items: [account('ann')], next: null })],
      ],
    })
    expect(rowsOf(unknown)).toHaveLength(2)
    expect(textOf(list('', []))).toContain('No accounts match.')
  })
})

describe('the audit log', () => {
  const entry = (id: number, change: object = {}) => ({
    id,
    time: id * DAY,
    actor: 'tina',
    action: 'course.edit',
    subject: `s${id}`,
    subjectName: null,
    detail: {},
    ip: '192.0.2.7',
    ...change,
  })
  const list = (query: string, wanted: object, items: object[]) =>
    render(<AuditPage />, {
      route: '/admin/audit',
      at: `/admin/audit?${query}`,
      reads: [
        [auditEntriesQuery({ actor: '', action: '', ...wanted }), pages({ items, next: null })],
      ],
    })

  it('says who did what to whom, with its details, and from where', () => {
    const erased = { actor: null, subjectName: 'bob', detail: { from: 'a', to: { b: 1 } }, ip: '' }
    expect(
      rowsOf(list('', {}, [entry(1), entry(2, { action: 'access.refuse', ...erased })])),
    ).toEqual([
      'Time Actor Action Subject IP address',
      `${formatTime(DAY)} tina course.edit s1 192.0.2.7`,
      `${formatTime(2 * DAY)} not signed in access.refuse bob from: a to: {"b":1} –`,
    ])
  })

  it('is filtered by the address, but not by what the API would refuse', () => {
    const two = rowsOf(
      list('actor=tina&action=course.edit', { actor: 'tina', action: 'course.edit' }, [entry(1)]),
    )
    expect(two).toHaveLength(2)
    const bad = list('actor=a%20b&action=Course', {}, [entry(1)])
    expect(rowsOf(bad)).toHaveLength(2)
    expect(textOf(bad).match(/Value is not valid/g)).toHaveLength(2)
  })

  it('suggests each action that it shows once, in order', () => {
    const markup = list('', {}, [entry(1), entry(2, { action: 'a.b' }), entry(3)])
    expect([...markup.matchAll(/<option>([^<]*)</g)].map(([, name]) => name)).toEqual([
      'a.b',
      'course.edit',
    ])
  })
})

describe('the judge hosts', () => {
  const RUNNER: Runner = {
    runnerId: idOf(1),
    name: 'lab-1',
    state: 'active',
    alive: true,
    lastHeartbeat: THREE_DAYS_AGO,
    slots: 8,
    slotLimit: 4,
    free: 1,
    activeJobs: 3,
    load: 1,
    jobSeconds: 1.26,
    version: '1.2.3',
    host: {
      hostname: 'box',
      kernel: '',
      cpu: 'EPYC',
      cores: 16,
      memoryKb: 1_048_576,
      cgroup: 'v2',
      calibrationMs: 130.4,
    },
    refusedResults: 0,
    lastRefusal: null,
    createTime: 1,
    etag: '"1"',
  }
  const fleet = (...runners: Runner[]) =>
    render(<Fleet />, { reads: [[admin.runnersQuery, runners]] })

  it('say how they are', () => {
    expect(textOf(fleet(RUNNER))).toBe(
      'lab-1 At work Last heard from 3 days ago 3 of 4 slots busy version 1.2.3 1.3 s per submission box: 16 cores, 1.0 GiB speed test 130 ms (reference 100 ms) Slow host: programs close to a time limit may fail here. Drain this host during exams. Drain Limit slots Remove'.replace(
        '1.0 GiB',
        '1.00 GiB',
      ),
    )
    const bare = {
      lastHeartbeat: null,
      slots: 0,
      version: '',
      jobSeconds: null,
      host: null,
      alive: false,
    }
    expect(textOf(fleet({ ...RUNNER, ...bare }))).toBe(
      'lab-1 Silent Never heard from Drain Limit slots Remove',
    )
    expect(textOf(fleet({ ...RUNNER, ...bare, slots: 2, slotLimit: 9 }))).toContain(
      '3 of 2 slots busy',
    )
    expect(textOf(fleet({ ...RUNNER, refusedResults: 2, lastRefusal: 'bad sum' }))).toContain(
      'Refused results: 2; at 3, the host drains. Last reason: bad sum',
    )
    expect(textOf(fleet())).toContain('No judge host yet.')
  })

  it('are drained or activated, each by its name', () => {
    const markup = fleet(RUNNER, { ...RUNNER, runnerId: idOf(2), name: 'lab-2', state: 'draining' })
    expect(Object.keys(controlsOf(markup))).toEqual([
      'Drain lab-1',
      'Limit slots of lab-1',
      'Remove lab-1',
      'Activate lab-2',
      'Limit slots of lab-2',
      'Remove lab-2',
    ])
    expect(textOf(markup)).toContain('lab-2 Draining')
  })
})

describe('the dashboard', () => {
  const QUEUE = {
    pending: 1_234,
    oldestSeconds: 125,
    activeRunners: 2,
    slots: 8,
    estimateSeconds: 42,
    wantedRunners: 1,
    livingHosts: [],
    unhealthy: 0,
  }
  const queue = (change: object = {}) =>
    textOf(render(<Queue />, { reads: [[admin.queueQuery, { ...QUEUE, ...change }]] }))

  it('tells of the queue', () => {
    expect(queue()).toBe(
      'Submissions waiting 1,234 Longest wait so far 2 minutes Expected wait for a new submission 42 seconds Judge hosts at work 2 Submissions judged at a time 8 Judge every Judge Error again',
    )
    expect(queue({ pending: 0, estimateSeconds: null })).toContain(
      'waiting 0 Longest wait so far – Expected wait for a new submission no judge host',
    )
    expect(queue({ estimateSeconds: 3_600 })).toContain('Expected wait for a new submission 1 hour')
    expect(queue({ estimateSeconds: 3_599 })).toContain(
      'Expected wait for a new submission 59 minutes',
    )
    expect(queue({ estimateSeconds: 172_800 })).toContain(
      'Expected wait for a new submission 2 days',
    )
    expect(queue({ unhealthy: 1 })).toContain('1 submission waits for a healthy judge host')
    expect(queue()).not.toContain('healthy')
  })

  it('counts people by role', () => {
    const breakdown = [
      { role: 2, count: 1_000 },
      { role: 0, count: 1 },
    ]
    const read = [admin.userSummaryQuery, { userCount: 1_001, breakdown }] as const
    expect(textOf(render(<UserCounts />, { reads: [read] }))).toBe(
      'Total 1,001 Admins 1 Teachers 0 Students 1,000',
    )
  })

  it('counts what is in each course, by name, and sums up', () => {
    const row = (course: string, userCount: number) => ({
      course,
      userCount,
      homeworkCount: 2,
      problemCount: 3,
      submissionCount: 500,
    })
    const breakdown = [row('B', 10), row('A', 4)]
    const read = [admin.courseSummaryQuery, { courseCount: 2, breakdown }] as const
    const markup = render(<CourseTable />, { reads: [read] })
    expect(rowsOf(markup)).toEqual([
      'Course name People Homeworks Problems Submissions',
      'A 4 2 3 500',
      'B 10 2 3 500',
      'Total 14 4 6 1,000',
    ])
    expect(controlsOf(markup)).toMatchObject({ A: '/course/A', B: '/course/B' })
  })

  it.each([
    [6_999_999_999, 69, null, null],
    [7_000_000_000, 70, 'The database is 70% full.', 'yellow'],
    [8_999_999_999, 89, 'The database is 89% full.', 'yellow'],
    [9_000_000_000, 90, 'The database is 90% full.', 'red'],
  ])('warns of a database of %i bytes in time', (bytes, percent, warning, colour) => {
    const database = { bytes, weeklyBytes: 1_048_576, weeksLeft: 1_200 }
    const markup = render(<DatabaseSize />, {
      reads: [[admin.storageQuery, { state: 'ok', held: null, database }]],
    })
    if (warning === null) expect(textOf(markup)).not.toContain('The database is')
    else expect(textOf(markup)).toContain(warning)
    expect(/color-(yellow|red)/.exec(markup)?.[1] ?? null).toBe(colour)
    expect(textOf(markup)).toContain(
      `Share of 9.31 GiB ${percent}% Growth per week 1.0 MiB Room for 1,200 weeks`,
    )
  })

  it('says that the growth is not known yet, or that there is room for ever', () => {
    const database = { bytes: 0, weeklyBytes: null, weeksLeft: null }
    const read = [admin.storageQuery, { state: 'ok', held: null, database }] as const
    expect(textOf(render(<DatabaseSize />, { reads: [read] }))).toContain(
      'Growth per week known in two days Room for –',
    )
  })

  it('says why nothing is deleted, only while that is so', () => {
    const notice = (state: string) => {
      const held = state === 'held' ? { prefix: 'outputs/', orphans: 30, objects: 200 } : null
      return textOf(render(<StorageNotice />, { reads: [[admin.storageQuery, { state, held }]] }))
    }
    expect([notice('ok'), notice('unchecked')]).toEqual(['', ''])
    expect(notice('held')).toMatch(
      /30 of 200 objects with the prefix outputs\/.*Delete the unknown objects$/,
    )
    expect(notice('mismatch')).toMatch(
      /different installation ids.*Database and bucket belong together$/,
    )
  })
})

test('the set-up marks what is done, open, optional and broken, and leads to where it is done', () => {
  const item = (
    name: 'host' | 'mail' | 'course' | 'cron',
    state: 'done' | 'open' | 'failed',
    lacks: string[] = [],
  ) => ({
    item: name,
    state,
    at: name === 'cron' ? THREE_DAYS_AGO : null,
    lacks: lacks.map((setting) => ({
      name: setting,
      fault: 'missing' as const,
      fix: `Set ${setting}.`,
    })),
  })
  const list = (...items: ReturnType<typeof item>[]) =>
    render(<SetupList items={items as Parameters<typeof SetupList>[0]['items']} />)
  const markup = list(
    item('host', 'open'),
    item('cron', 'failed'),
    item('mail', 'open', ['MAIL_FROM', 'OTHER']),
    item('course', 'done'),
  )
  const [host, cron, mail, course] = itemsOf(markup)
  expect(host).toMatch(/^A judge host is alive To do Submissions wait until.* Go to the dashboard$/)
  expect(cron).toMatch(
    /^Minute task runs Does not work The minute task has not run.* Last time: 3 days ago$/,
  )
  expect(mail).toMatch(
    /^Mail Optional .*Set MAIL_FROM to the address that mail comes from.* Set OTHER\. Send me a test mail$/,
  )
  expect(course).toBe('First course Done')
  expect(controlsOf(markup)).toEqual({
    'Go to the dashboard': '/admin/dashboard',
    'Send me a test mail': undefined,
  })
  expect(markup).toMatch(/<button[^>]*disabled=""[^>]*>[^]*?Send me a test mail/)
  expect(list(item('mail', 'failed'))).not.toMatch(/<button[^>]*disabled=""/)
})

describe('one’s own account', () => {
  it('lists the sessions, the present one with the way out', () => {
    const session = (number: number, change: object = {}) => ({
      id: idOf(number),
      createTime: DAY,
      lastSeen: THREE_DAYS_AGO,
      ipAddr: '192.0.2.7',
      agent: 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0',
      current: false,
      ...change,
    })
    const items = [session(1, { current: true }), session(2, { ipAddr: '', agent: 'curl' })]
    const markup = render(<SessionList />, { reads: [[sessionsQuery, items]] })
    const times = `Signed in ${formatTime(DAY)} Last seen 3 days ago`
    expect(itemsOf(markup)).toEqual([
      `Firefox on Linux This session 192.0.2.7 ${times} Sign out`,
      `Unknown program address removed ${times} End`,
    ])
    expect(Object.keys(controlsOf(markup))).toEqual(['Sign out', 'End: Unknown program'])
  })

  it('lists the tokens with what they may do', () => {
    const token = (name: string, scopes: string[], lastUsed: number | null) => ({
      id: idOf(1),
      name,
      scopes,
      createTime: 1,
      expireTime: DAY,
      lastUsed,
    })
    const list = (...items: object[]) => render(<TokenList />, { reads: [[tokensQuery, items]] })
    expect(itemsOf(list(token('cron', ['read', 'manage'], null)))).toEqual([
      `cron Read Manage Expires ${formatTime(DAY)} Never used End`,
    ])
    expect(itemsOf(list(token('x', ['admin'], THREE_DAYS_AGO)))[0]).toContain(
      'Last used 3 days ago',
    )
    expect(textOf(list())).toBe('You have no API tokens.')
  })

  it('asks to confirm an address only until it is confirmed', () => {
    const email = (emailConfirmed: boolean) =>
      Object.keys(controlsOf(render(<OwnEmail user={{ ...ANN, emailConfirmed }} />)))
    expect(email(true)).toEqual(['Change the email address'])
    expect(email(false)).toEqual(['Send the confirmation mail', 'Change the email address'])
  })
})

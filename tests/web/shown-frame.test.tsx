/** The frame of the app: links, the palette, failures, and small parts that many pages show. */
import { describe, expect, it, test } from 'vitest'
import type { Me } from '#contract/people/auth'
import type { CourseRole } from '#contract/roles'
import { Person } from '../../web/components/display/person.tsx'
import { TimeText } from '../../web/components/display/time-text.tsx'
import { ErrorBox } from '../../web/components/feedback/error-box.tsx'
import { FormError } from '../../web/components/forms/form-error.tsx'
import { SaveError } from '../../web/components/forms/save-error.tsx'
import { LoadMore } from '../../web/components/lists/load-more.tsx'
import { PagedList } from '../../web/components/lists/paged-list.tsx'
import { SortHeader } from '../../web/components/lists/sort-header.tsx'
import { AdminLayout } from '../../web/layout/admin-layout.tsx'
import { CourseLayout } from '../../web/layout/course-layout.tsx'
import { usePaletteEntries } from '../../web/layout/palette-entries.ts'
import { SideBar } from '../../web/layout/side-bar.tsx'
import { ApiError } from '../../web/lib/api/api-error.ts'
import { formatTime, zoneName } from '../../web/lib/format/format.ts'
import { courseQuery } from '../../web/lib/queries/course.ts'
import { coursesQuery } from '../../web/lib/queries/courses.ts'
import { courseProblemsQuery } from '../../web/lib/queries/problems.ts'
import { controlsOf, COURSE, person, render, textOf } from './fixtures/rendered.tsx'
import type { Scene } from './fixtures/rendered.tsx'

const IN_COURSE = { route: '/course/:name/members', at: '/course/A%20B/members' }
const read = (role: CourseRole, waitingQuestions = 0) =>
  [courseQuery(COURSE.course), { ...COURSE, role, waitingQuestions }] as const

describe('the side bar', () => {
  const bar = (scene: Scene = {}, mini = false) =>
    render(<SideBar mini={mini} onToggleMini={() => {}} />, scene)
  const current = (markup: string) =>
    /<a[^>]*aria-current="page"[^>]*>[^]*?<\/a>/.exec(markup)?.[0] ?? ''

  it('leads members through the course that is open, with what waits for them', () => {
    const markup = bar({ ...IN_COURSE, reads: [read('teacher', 3)] })
    expect(controlsOf(markup)).toMatchObject({
      Home: '/',
      Courses: '/courses',
      Profile: '/profile',
      Announcements: '/course/A%20B/announcements',
      Homeworks: '/course/A%20B/homeworks',
      Problems: '/course/A%20B/problems',
      Submissions: '/course/A%20B/submissions',
      'Questions 3 3 questions wait for you': '/course/A%20B/questions',
      Members: '/course/A%20B/members',
      'Course settings': '/course/A%20B/settings',
      Settings: '/settings',
    })
    expect(textOf(current(markup))).toBe('Members')
    expect(controlsOf(bar({ ...IN_COURSE, reads: [read('ta')] }))).not.toHaveProperty(
      'Course settings',
    )
  })

  it('names what it shows as icons', () => {
    expect(controlsOf(bar({ ...IN_COURSE, reads: [read('ta', 1)] }, true))).toMatchObject({
      Home: '/',
      'Questions, 1 question waits for you': '/course/A%20B/questions',
      'Expand the side bar': undefined,
      'Account menu of Ann Lee': undefined,
    })
  })

  it('leads guests to what is public', () => {
    const names = Object.keys(controlsOf(bar({ user: null })))
    expect(
      names.filter((name) => /^(Home|About|Courses|Profile|Administration|Search)/.test(name)),
    ).toEqual(['Home', 'About'])
  })
})

describe('the palette', () => {
  function Entries() {
    return usePaletteEntries().map(({ group, label, detail, to }) => (
      <p key={`${group} ${label} ${to}`}>
        {[group, label, detail, to].filter(Boolean).join(' | ')}
      </p>
    ))
  }
  const entries = (role: CourseRole, user: Partial<Me> = {}, place: Scene = IN_COURSE) =>
    [
      ...render(<Entries />, {
        ...place,
        user,
        reads: [
          read(role),
          [
            coursesQuery,
            [{ course: 'C', teacher: person('tina', 'Tina Teach'), role, waitingQuestions: 0 }],
          ],
          [courseProblemsQuery(COURSE.course), [{ problemId: 7, problemName: 'Sum' }]],
        ],
      }).matchAll(/<p>([^<]*)<\/p>/g),
    ].map(([, text = '']) => text)
  const AT = '/course/A%20B'
  const hereFor = (marks: string) => [
    `here | Announcements | A B | ${AT}/announcements`,
    `here | Homeworks | A B | ${AT}/homeworks`,
    `here | Problems | A B | ${AT}/problems`,
    `here | Submissions | A B | ${AT}/submissions`,
    `here | Questions | A B | ${AT}/questions`,
    marks,
    `here | Members | A B | ${AT}/members`,
  ]
  const PROBLEMS = [
    `problems | Sum | #7 | ${AT}/problem/7`,
    `problems | Submit: Sum | #7 | ${AT}/problem/7/submit`,
  ]
  const PAGES = [
    'courses | C | Tina Teach | /course/C',
    'pages | Home | /',
    'pages | Courses | /courses',
    'pages | About | /about',
    'pages | Notices | /notices',
    'pages | Profile | /profile',
    'pages | Settings | /settings',
    'pages | Help | /help/students-guide',
  ]

  it('offers students what they may open', () => {
    const here = hereFor(`here | My marks | A B | ${AT}/marks`)
    expect(entries('student')).toEqual([...here, ...PROBLEMS, ...PAGES])
    expect(entries('student', {}, {})).toEqual(PAGES)
  })

  it('offers staff the people, too, and what they may begin', () => {
    const people = [
      `people | Tina Teach | tina | ${AT}/submissions?username=tina`,
      `people | Tom Tutor | tom | ${AT}/submissions?username=tom`,
      `people | Ann Lee | ann | ${AT}/submissions?username=ann`,
      `people | bob | bob | ${AT}/submissions?username=bob`,
    ]
    const begun = [
      `here | New problem | ${AT}/problem/new`,
      `here | New homework | ${AT}/homeworks/new`,
      `here | New announcement | ${AT}/announcements/new`,
    ]
    const here = hereFor(`here | Gradebook | A B | ${AT}/gradebook`)
    expect(entries('ta')).toEqual([...here, ...PROBLEMS, ...people, ...begun, ...PAGES])
    expect(entries('teacher')).toContain(`here | Course settings | A B | ${AT}/settings`)
    expect(entries('student', { role: 0 })).toContain('pages | Administration | /admin')
  })
})

describe('who may see a page', () => {
  it('of the administration: admins, who have its four pages as tabs', () => {
    const shown = (role: 0 | 1 | 2) =>
      render(<AdminLayout />, { route: '/admin/user', user: { role } })
    expect(controlsOf(shown(0))).toEqual({
      Dashboard: '/admin/dashboard',
      People: '/admin/user',
      'Audit log': '/admin/audit',
      'Set-up': '/admin/setup',
    })
    expect(/aria-current="page"[^>]*>([^<]*)/.exec(shown(0))?.[1]).toBe('People')
    for (const role of [1, 2] as const)
      expect(textOf(shown(role))).toContain('This account has no access')
  })

  it('of a course: its tabs show what waits', () => {
    const markup = render(<CourseLayout />, {
      ...IN_COURSE,
      reads: [read('student', 2), [{ queryKey: ['news'] }, []]],
    })
    expect(controlsOf(markup)).toMatchObject({
      'Questions 2 2 questions wait for you': '/course/A%20B/questions',
    })
    expect(/aria-current="page"[^>]*>([^<]*)/.exec(markup)?.[1]).toBe('Members')
  })
})

describe('what failed', () => {
  const error = (code: string, status = 409) => new ApiError({ status, code, message: 'Refused.' })

  it('is said with its way on, and not where something stands already', () => {
    const box = (of: Parameters<typeof ErrorBox>[0]['of']) => textOf(render(<ErrorBox of={of} />))
    expect(box({ error: null })).toBe('')
    expect(box({ error: error('forbidden'), data: [] })).toBe('')
    expect(box({ error: error('forbidden') })).toBe(
      'The action failed You are not allowed to do this.',
    )
    expect(box({ error: error('forbidden'), refetch: () => {} })).toBe(
      'Oops! Something went wrong, please refresh the page to try again. You are not allowed to do this. Try again',
    )
  })

  it('while saving leaves both ways open where somebody else was faster', () => {
    const saved = (code: string, storedAt?: string) =>
      render(<SaveError error={error(code)} storedAt={storedAt} onOverwrite={() => {}} />)
    expect(controlsOf(saved('stale_edit', '/x'))).toEqual({
      'Show the stored version': '/x',
      'Save my version anyway': undefined,
    })
    expect(textOf(saved('stale_edit', '/x'))).toContain(
      'Saving failed. Your input is still here. Someone else',
    )
    expect(controlsOf(saved('stale_edit'))).toEqual({})
    expect(controlsOf(saved('forbidden', '/x'))).toEqual({})
  })

  it('in a short form is one sentence', () => {
    expect(textOf(render(<FormError error={error('forbidden')} />))).toBe(
      'You are not allowed to do this.',
    )
    expect(textOf(render(<FormError error={error('forbidden')}>Other words.</FormError>))).toBe(
      'Other words.',
    )
    expect(textOf(render(<FormError />))).toBe('')
  })
})

describe('a list', () => {
  const list = {
    hasNextPage: false,
    isFetchingNextPage: false,
    fetchNextPage: () => Promise.resolve(),
  }
  const paged = (change: object, count: number) =>
    textOf(
      render(
        <PagedList
          list={{
            ...list,
            isPending: false,
            error: null,
            data: [],
            refetch: () => Promise.resolve(),
            ...change,
          }}
          count={count}
          skeleton={{ rows: 1 }}
          empty="none"
          note="a note"
        >
          items
        </PagedList>,
      ),
    )

  it('is empty only at its end, once it was read', () => {
    expect(paged({}, 0)).toBe('none')
    expect(paged({}, 1)).toBe('items')
    expect(paged({ hasNextPage: true }, 0)).toBe('a note Load more')
    expect(paged({ data: undefined, isPending: true }, 0)).toBe('Loading')
    expect(
      paged(
        { data: undefined, error: new ApiError({ status: 403, code: 'forbidden', message: '' }) },
        0,
      ),
    ).toContain('Try again')
  })

  it('that could not go on says so where one has pressed', () => {
    const failed = {
      hasNextPage: true,
      isFetchNextPageError: true,
      error: new ApiError({ status: 403, code: 'forbidden', message: '' }),
    }
    const text = textOf(
      render(
        <LoadMore list={{ ...list, ...failed }} count={1}>
          items
        </LoadMore>,
      ),
    )
    expect(text).toBe(
      'items The next part of the list could not be loaded. You are not allowed to do this. Try again',
    )
  })

  it('names the column that it is sorted by, and which way', () => {
    const sortOf = (by: string, descending: boolean) =>
      /aria-sort="(\w+)"/.exec(
        render(<SortHeader label="Name" by="name" sort={{ by, descending }} onSort={() => {}} />),
      )?.[1]
    expect([sortOf('name', true), sortOf('name', false), sortOf('role', true)]).toEqual([
      'descending',
      'ascending',
      undefined,
    ])
  })
})

test('a person is called by both names, or by the one there is', () => {
  const called = (username: string, displayedName: string) =>
    textOf(render(<Person user={person(username, displayedName)} />))
  expect([called('ann', 'Ann Lee'), called('ann', ''), called('ann', 'ann')]).toEqual([
    'Ann Lee ann',
    'ann',
    'ann',
  ])
  expect(controlsOf(render(<Person user={person('ann')} linkedIn="A B" />))).toEqual({
    ann: '/course/A%20B/submissions?username=ann',
  })
})

test('a time is told exactly or by its distance, the other one as its title', () => {
  const at = Math.floor(Date.now() / 1_000) + 3 * 86_400 + 3_600
  const shown = (props: Omit<Parameters<typeof TimeText>[0], 'at'>) => {
    const [, title, text] =
      /title="([^"]*)"[^>]*>([^<]*)</.exec(render(<TimeText at={at} {...props} />)) ?? []
    return [text, title]
  }
  const zoned = `${formatTime(at)} ${zoneName(at)}`
  // By default a time counts as past, whatever the clocks say.
  expect(shown({})).toEqual([formatTime(at), 'now'])
  expect(shown({ relative: true })).toEqual(['now', formatTime(at)])
  expect(shown({ mayLieAhead: true })).toEqual([formatTime(at), 'in 3 days'])
  expect(shown({ withZone: true })).toEqual([zoned, 'in 3 days'])
  expect(shown({ withZone: true, relative: true })).toEqual(['in 3 days', zoned])
})

/** What staff see when a course comes back, and what students see of a closed one. */
import { describe, expect, it } from 'vitest'
import type { CourseItem } from '#contract/courses'
import { can } from '#contract/roles'
import { CourseListPage } from '../../web/features/announcements/course-list-page.tsx'
import { closedCoursesQuery } from '../../web/features/courses/api.ts'
import { CoursesPage } from '../../web/features/courses/list-page.tsx'
import { NewCoursePage } from '../../web/features/courses/new-page.tsx'
import { CourseSettingsPage } from '../../web/features/courses/settings-page.tsx'
import { oldHomeworksQuery } from '../../web/features/course-copy/api.ts'
import { CopyCoursePage } from '../../web/features/course-copy/copy-page.tsx'
import type { OldHomework } from '../../web/features/course-copy/plan.ts'
import { HomeworksPage } from '../../web/features/homeworks/list-page.tsx'
import { CourseLayout } from '../../web/layout/course-layout.tsx'
import { courseQuery, standingIn } from '../../web/lib/queries/course.ts'
import { homeworksQuery } from '../../web/lib/queries/course-homeworks.ts'
import { courseProblemsQuery } from '../../web/lib/queries/problems.ts'
import { PAGES } from '../../web/pages.ts'
import { AskSection } from '../../web/components/questions/ask-section.tsx'
import { courseAnnouncementsQuery } from '../../web/lib/queries/announcements.ts'
import { coursesQuery } from '../../web/lib/queries/courses.ts'
import { parseDeadline, parseTime } from '../../web/lib/format/parse-time.ts'
import { datesAt, plainRules } from './fixtures/dates.ts'
import {
  controlsOf,
  COURSE,
  idOf,
  itemsOf,
  pages,
  person,
  render,
  rowsOf,
  textOf,
  type Scene,
} from './fixtures/rendered.tsx'

const LABELS = [{ id: 5, name: 'Lab A', shown: false }]
const LOOPS: OldHomework = {
  id: idOf(1),
  name: 'Loops',
  start: parseTime('2026-03-02 08:00', COURSE.timeZone),
  end: parseDeadline('2026-03-09 23:59', COURSE.timeZone),
  close: null,
  labels: [
    {
      label: 5,
      opens: null,
      due: parseDeadline('2026-03-10 12:00', COURSE.timeZone),
      closes: null,
    },
  ],
}

const HOMEWORK = {
  ...LOOPS,
  ...plainRules([7]),
  course: 'A B',
  own: datesAt(LOOPS.start, LOOPS.end),
  markdown: '',
  problemIds: [7],
  problems: [{ problemId: 7, problemName: 'Sum' }],
  scoreboardStatus: 1,
  scoreboardNames: false,
  status: 'over',
  studentStatus: new Map(),
  marks: new Map(),
  lateDays: null,
}

/** The values of the page's fields by their labels. */
function fieldsOf(markup: string): Record<string, string> {
  const inputs = [...markup.matchAll(/<input\b([^>]*)>/g)].map(([, attributes = '']) => {
    const of = (name: string) => new RegExp(` ${name}="([^"]*)"`).exec(attributes)?.[1] ?? ''
    return [of('aria-label'), of('value')] as const
  })
  return Object.fromEntries(inputs.filter(([label]) => label !== ''))
}

describe('the page that brings a course back', () => {
  const page = (user: Scene['user'], homeworks: OldHomework[] = [LOOPS], change: object = {}) =>
    render(<CopyCoursePage />, {
      user,
      course: { course: 'Loops 2026', role: 'teacher', labels: LABELS, ...change },
      reads: [[oldHomeworksQuery('Loops 2026', true), homeworks]],
    })

  it('proposes a name and all dates, a row for each homework and its labels', () => {
    const markup = page({ role: 1 })
    expect(markup).toContain('value="Loops 2027"')
    const [heads, loops, lab] = rowsOf(markup)
    expect(heads).toBe('Homework Opens Due Closes')
    expect(loops).toMatch(/^Loops Mon was Mon 2026-03-0\d \d\d:00 Mon was Mon 2026-03-09 \d\d:59$/)
    expect(lab).toMatch(/^Lab A Tue was Tue 2026-03-10 \d\d:00$/)
    expect(Object.keys(fieldsOf(markup))).toEqual([
      'Opens: Loops',
      'Due: Loops',
      'Closes: Loops',
      'Opens: Loops, Lab A',
      'Due: Loops, Lab A',
      'Closes: Loops, Lab A',
    ])
    expect(fieldsOf(markup)['Closes: Loops']).toBe('')
    expect(textOf(markup)).toContain('Close “Loops 2026” for its students')
  })

  it('without homeworks asks for the name alone; a closed course needs no closing', () => {
    const markup = page({ role: 1 }, [], { closedAt: 1 })
    expect(controlsOf(markup)).toHaveProperty('Create course')
    expect(textOf(markup)).not.toMatch(/Holidays|for its students/)
  })

  it('is for people who may have courses', () => {
    expect(textOf(page({ role: 2 }))).toContain('This account has no access')
    expect(textOf(page({ role: 1 }, [], { course: 'Public' }))).toContain('Page not found')
  })
})

describe('the way to it', () => {
  it('leads from the settings, for people who may have courses', () => {
    const settings = (role: 1 | 2) =>
      controlsOf(render(<CourseSettingsPage />, { user: { role }, course: { role: 'teacher' } }))
    expect(settings(1)).toMatchObject({ 'Bring this course back': '/course/A%20B/copy' })
    expect(settings(2)).not.toHaveProperty('Bring this course back')
  })

  const course = (name: string, role: CourseItem['role'], closedAt?: number): CourseItem => ({
    course: name,
    teacher: person('ann', 'Ann Lee'),
    role,
    waitingQuestions: 0,
    ...(closedAt !== undefined && { closedAt }),
  })

  it('leads from the page of a new course, if one manages an earlier one', () => {
    const page = (open: CourseItem[], closed: CourseItem[]) =>
      textOf(
        render(<NewCoursePage />, {
          user: { role: 1 },
          reads: [
            [coursesQuery, open],
            [closedCoursesQuery, closed],
          ],
        }),
      )
    expect(page([], [course('Old', 'teacher', 1)])).toContain('Copy from an earlier course')
    expect(page([course('Help', 'ta')], [])).not.toContain('Copy from')
  })

  it('passes closed courses in the list, which are read when they are opened', () => {
    const markup = render(<CoursesPage />, {
      reads: [
        [coursesQuery, [course('Open', 'student')]],
        [closedCoursesQuery, [course('Old', 'student', 1)]],
      ],
    })
    expect(textOf(markup)).toContain('Closed courses')
    expect(itemsOf(markup)).toEqual(['Open Ann Lee Student'])
  })
})

describe('a course that was copied', () => {
  const EMPTY = {
    course: 'New',
    role: 'teacher',
    copiedFrom: 'Old',
    TAs: [],
    students: [],
  } as const
  const list = (change: Partial<typeof COURSE> = {}, state?: object) =>
    render(<CourseListPage />, {
      state,
      course: { ...EMPTY, TAs: [], students: [], ...change },
      reads: [[courseAnnouncementsQuery('New'), pages([])]],
    })
  const copied = { course: 'New', problems: 12, homeworks: 20, announcements: 1 }

  it('says what came along, and can be undone', () => {
    const markup = list({}, { copied, values: {} })
    expect(textOf(markup)).toContain(
      '12 problems, 20 homeworks and 1 announcement came along. You can undo the copy until somebody joins.',
    )
    expect(controlsOf(markup)).toHaveProperty('Undo')
    expect(textOf(list())).toContain('This course is a copy of “Old”.')
    expect(textOf(list({}, { copied: { ...copied, course: 'Other' }, values: {} }))).toContain(
      'a copy of',
    )
  })

  it('is as any other once somebody has joined, and for assistants', () => {
    expect(textOf(list({ students: [person('bob')] }))).not.toContain('copy')
    expect(textOf(list({ TAs: [person('tom')] }))).not.toContain('copy')
    expect(textOf(list({ copiedFrom: null }))).not.toContain('copy')
    expect(controlsOf(list({ role: 'ta' }))).not.toHaveProperty('Undo')
  })
})

describe('a closed course', () => {
  const layout = (change: Partial<typeof COURSE>) =>
    textOf(
      render(<CourseLayout />, {
        route: '/course/:name',
        at: '/course/A%20B',
        reads: [[courseQuery('A B'), { ...COURSE, ...change }]],
      }),
    )

  it('says so above each page', () => {
    expect(layout({ closedAt: 1 })).toContain('This course is closed. You can read everything.')
    expect(layout({ closedAt: 1, role: 'ta' })).toContain('Its students only read.')
    expect(layout({})).not.toContain('closed')
  })

  it('lets its students ask and hand in nothing', () => {
    const section = (closedAt: number | null) =>
      textOf(render(<AskSection problemId={1} />, { course: { role: 'student', closedAt } }))
    expect(section(1)).not.toContain('Ask a question')
    expect(section(null)).toContain('Ask a question')
    const [, , right] = PAGES.submit
    expect(can('reader', right)).toBe(false)
    expect(can('student', right)).toBe(true)
  })

  it('still shows its students what they reached', () => {
    const list = textOf(
      render(<HomeworksPage />, {
        course: { closedAt: 1 },
        reads: [
          [homeworksQuery('A B'), [HOMEWORK]],
          [courseProblemsQuery('A B'), []],
        ],
      }),
    )
    expect(list).toContain('0 of 1 solved')
  })

  it('makes readers of its students alone', () => {
    expect(standingIn({ role: 'student', closedAt: 1 })).toBe('reader')
    expect(standingIn({ role: 'student', closedAt: null })).toBe('student')
    expect(standingIn({ role: 'teacher', closedAt: 1 })).toBe('teacher')
  })
})

/** What each role sees of courses, their members and announcements. */
import { describe, expect, it } from 'vitest'
import type { CourseItem } from '#contract/courses'
import { AnnouncementPage } from '../../web/features/announcements/announcement-page.tsx'
import { CourseListPage } from '../../web/features/announcements/course-list-page.tsx'
import { deletedCoursesQuery } from '../../web/features/courses/api.ts'
import { CoursesPage } from '../../web/features/courses/list-page.tsx'
import { MovedTimes } from '../../web/features/courses/moved-times.tsx'
import { MembersPage } from '../../web/features/courses/members-page.tsx'
import { CourseSettingsPage } from '../../web/features/courses/settings-page.tsx'
import { AnnouncementTable } from '../../web/features/home/announcement-table.tsx'
import { formatTime } from '../../web/lib/format/format.ts'
import {
  announcementQuery,
  courseAnnouncementsQuery,
  systemAnnouncementsQuery,
} from '../../web/lib/queries/announcements.ts'
import { courseQuery } from '../../web/lib/queries/course.ts'
import { coursesQuery } from '../../web/lib/queries/courses.ts'
import { homeworksQuery } from '../../web/lib/queries/course-homeworks.ts'
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
} from './fixtures/rendered.tsx'
import { datesAt } from './fixtures/dates.ts'
import type { Scene } from './fixtures/rendered.tsx'

const DAY = 86_400

const course = (name: string, role: CourseItem['role'], waitingQuestions = 0): CourseItem => ({
  course: name,
  teacher: name === 'Own' ? person('ann', 'Ann Lee') : person('tina', 'Tina Teach'),
  role,
  waitingQuestions,
})

describe('the list of courses', () => {
  const COURSES = [course('Algebra', 'student'), course('Own', 'teacher'), course('Help', 'ta')]
  const reads: Scene['reads'] = [
    [coursesQuery, COURSES],
    [deletedCoursesQuery, [{ ...course('Gone', 'teacher'), deletedAt: 86_400 }]],
  ]
  const list = (role: 0 | 1 | 2) => render(<CoursesPage />, { user: { role }, reads })

  it('says whose each is, and what one is there', () => {
    expect(itemsOf(list(2))).toEqual([
      'Algebra Tina Teach Student',
      'Own Ann Lee Teacher',
      'Help Tina Teach Teaching assistant',
    ])
    expect(controlsOf(list(2))).toEqual({
      'Algebra Tina Teach Student': '/course/Algebra',
      'Own Ann Lee Teacher': '/course/Own',
      'Help Tina Teach Teaching assistant': '/course/Help',
    })
  })

  it('calls an admin one in every course that is not their own', () => {
    expect(itemsOf(list(0)).slice(0, 3)).toEqual([
      'Algebra Tina Teach Admin',
      'Own Ann Lee Teacher',
      'Help Tina Teach Admin',
    ])
  })

  it('offers who may make courses a new one, and those that were deleted', () => {
    for (const role of [0, 1] as const) {
      expect(controlsOf(list(role))).toMatchObject({ 'New course': '/courses/new' })
      expect(textOf(list(role))).toContain(`Gone deleted ${formatTime(86_400)} Restore`)
      expect(controlsOf(list(role))).toHaveProperty('Restore Gone')
    }
    expect(textOf(list(2))).not.toMatch(/New course|Gone/)
  })

  it('without any says how one comes into a course', () => {
    const none = render(<CoursesPage />, { reads: [[coursesQuery, []]] })
    expect(textOf(none)).toContain('You are not in a course yet. Ask a teacher for a course code.')
  })
})

describe('the members', () => {
  const emails = new Map([['bob', 'bob@example.org']])
  const members = (scene: Scene['course'] = {}) => render(<MembersPage />, { course: scene })

  it('stand by role, with what staff may know of them', () => {
    const staffs = members({ role: 'ta', unconfirmed: ['bob'], emails })
    expect(rowsOf(staffs)).toEqual([
      'Username Display name Role in the course',
      'tina Tina Teach Teacher',
      'tom Tom Tutor Teaching assistant',
      'ann Ann Lee Student',
      'bob bob@example.org Email not confirmed Student',
    ])
    expect(textOf(staffs)).toContain('4 members')
    expect(controlsOf(staffs)).toMatchObject({
      tina: '/course/A%20B/submissions?username=tina',
      bob: '/course/A%20B/submissions?username=bob',
      'Export as CSV': undefined,
    })
    expect(Object.keys(controlsOf(staffs)).join()).not.toMatch(/Actions for|Add/)
  })

  it('lead nowhere for students, who export nothing', () => {
    expect(rowsOf(members())[4]).toBe('bob Student')
    expect(Object.keys(controlsOf(members()))).toEqual([
      'Courses',
      'A B',
      'Leave this course',
      'Username',
      'Display name',
      'Role in the course',
    ])
  })

  it('are managed by the teacher, who changes everybody but the teacher', () => {
    const markup = members({ role: 'teacher' })
    const names = Object.keys(controlsOf(markup))
    expect(names.filter((name) => name.startsWith('Actions'))).toEqual([
      'Actions for tom',
      'Actions for ann',
      'Actions for bob',
    ])
    expect(names).toContain('Add')
    expect(textOf(markup)).toContain('Import members from a CSV file')
    const ofAll = members({ role: 'teacher', course: 'Public' })
    expect(textOf(ofAll)).not.toContain('Import members')
    expect(Object.keys(controlsOf(ofAll)).join()).not.toContain('Actions for')
  })
})

describe('the settings of a course', () => {
  it('of the system’s announcements are none', () => {
    const settings = (name: string) =>
      textOf(render(<CourseSettingsPage />, { course: { course: name, role: 'teacher' } }))
    expect(settings('Public')).toContain('Page not found')
    expect(settings('A B')).toContain('Delete course')
  })

  type Times = { start: number; end: number; close?: number | null }

  it('show before saving what another time zone makes of the homeworks that are not over', () => {
    const at = (text: string) => Date.parse(text) / 1_000
    const far = { start: at('2100-12-01T00:00:00+08:00'), end: at('2100-12-08T23:59:59+08:00') }
    const soon = { start: 0, end: Math.floor(Date.now() / 1_000) + 3_600 }
    const homework = (number: number, name: string, { start, end, close = null }: Times) => {
      const own = datesAt(start, end, { closes: close ?? end })
      return { id: idOf(number), name, start, end, close, own }
    }
    const homeworks = [
      homework(1, 'Loops', far),
      homework(2, 'Soon', soon),
      homework(3, 'Gone', { start: 0, end: DAY }),
      homework(4, 'Late', { start: 0, end: DAY, close: far.end }),
    ]
    const moved = (keep: 'instants' | 'wallTimes', timeZone: string) =>
      rowsOf(
        render(<MovedTimes {...{ keep, timeZone }} onChange={() => undefined} />, {
          reads: [[homeworksQuery(COURSE.course), homeworks]],
        }),
      )
    const [heads, loops, ...others] = moved('instants', 'UTC')
    expect(heads).toBe('Homework In Asia/Taipei In UTC Due')
    expect(loops).toBe(
      'Loops 2100-12-01 00:00 – 2100-12-08 23:59 2100-11-30 16:00 – 2100-12-08 15:59 at the same moment',
    )
    expect(others).toHaveLength(2)
    expect(others[1]).toContain('(Late work until 2100-12-08 23:59)')
    expect(moved('wallTimes', 'UTC')[1]).toBe(
      'Loops 2100-12-01 00:00 – 2100-12-08 23:59 2100-12-01 00:00 – 2100-12-08 23:59 8 hours later',
    )
    expect(moved('wallTimes', 'Asia/Tokyo')[1]).toMatch(/ 1 hour earlier$/)
    expect(moved('wallTimes', 'Pacific/Kiritimati')[2]).toMatch(/^Soon .* ends at once$/)
  })
})

const announcement = (number: number, change: object = {}) => ({
  annId: idOf(number),
  title: `News ${number}`,
  markdown: '',
  pinned: false,
  createTime: number * DAY,
  updateTime: number * DAY + 60,
  creator: person('tina', 'Tina Teach'),
  updater: person('tom', 'Tom Tutor'),
  ...change,
})

describe('announcements', () => {
  const LIST = [announcement(2, { pinned: true }), announcement(3)]
  const read = [courseAnnouncementsQuery(COURSE.course), pages(LIST)] as const

  it('of a course lead to their texts; staff write', () => {
    const list = (role: 'student' | 'ta') =>
      render(<CourseListPage />, { course: { role }, reads: [read] })
    expect(itemsOf(list('student')).slice(-2)).toEqual([
      `News 2 Tina Teach tina · ${formatTime(2 * DAY)}`,
      `News 3 Tina Teach tina · ${formatTime(3 * DAY)}`,
    ])
    expect(list('student').match(/aria-label="Pinned"/g)).toHaveLength(1)
    expect(controlsOf(list('student'))).toEqual({
      Courses: '/courses',
      'A B': '/course/A%20B',
      'News 2': `/course/A%20B/announcements/${idOf(2)}`,
      'News 3': `/course/A%20B/announcements/${idOf(3)}`,
    })
    expect(controlsOf(list('ta'))).toMatchObject({
      'New announcement': '/course/A%20B/announcements/new',
    })
  })

  it('say who wrote them and when they changed; staff pin, edit and delete', () => {
    const page = (role: 'student' | 'ta', pinned: boolean) =>
      render(<AnnouncementPage />, {
        route: '/course/:name/announcements/:annId',
        at: `/course/A%20B/announcements/${idOf(2)}`,
        course: { role },
        reads: [[announcementQuery(COURSE.course, idOf(2)), announcement(2, { pinned })]],
      })
    const facts = `By Tina Teach tina Posted ${formatTime(2 * DAY)} Last updated ${formatTime(2 * DAY + 60)}`
    expect(textOf(page('student', false))).toBe(
      `Courses / A B / Announcements / News 2 News 2 ${facts}`,
    )
    expect(textOf(page('student', true))).toContain(`Pinned ${facts}`)
    expect(controlsOf(page('student', true))).not.toHaveProperty('Edit')
    expect(controlsOf(page('ta', true))).toMatchObject({
      Unpin: undefined,
      Edit: `/course/A%20B/announcements/${idOf(2)}/edit`,
      Delete: undefined,
    })
    expect(controlsOf(page('ta', false))).toHaveProperty('Pin to the top')
  })

  it('of the system are changed by admins at home', () => {
    const table = (user: Scene['user']) =>
      render(<AnnouncementTable />, {
        user,
        reads: [[systemAnnouncementsQuery, pages(LIST)]],
      })
    const time = (number: number) => formatTime(number * DAY)
    expect(rowsOf(table(null))).toEqual([
      'Title Created',
      `News 2 ${time(2)} ${time(2)}`,
      `News 3 ${time(3)} ${time(3)}`,
    ])
    expect(controlsOf(table({ role: 1 }))).toEqual({
      'News 2': `/announcements/${idOf(2)}`,
      'News 3': `/announcements/${idOf(3)}`,
    })
    expect(controlsOf(table({ role: 0 }))).toMatchObject({
      'Edit “News 3”': `/course/Public/announcements/${idOf(3)}/edit`,
      'New announcement': '/course/Public/announcements/new',
    })
  })

  it('stand below what a new course still lacks, for its staff', () => {
    const lacks = ['testData', 'homework', 'announcement'] as const
    const list = (role: 'student' | 'ta' | 'teacher', name = COURSE.course) => {
      const change = { role, course: name, lacks: [...lacks] }
      return render(<CourseListPage />, {
        course: change,
        reads: [read, [courseQuery(name), { ...COURSE, ...change }]],
      })
    }
    expect(itemsOf(list('teacher')).slice(0, 5)).toEqual([
      'done Add the members',
      'done Write a problem',
      'to do Upload the test data',
      'to do Add the problem to a homework',
      'to do Post an announcement',
    ])
    expect(textOf(list('teacher'))).toContain('2 of 5 steps are done.')
    expect(controlsOf(list('teacher'))).toMatchObject({
      'Add the members': '/course/A%20B/members',
      'Write a problem': '/course/A%20B/problem/new',
      'Upload the test data': '/course/A%20B/problems',
      'Add the problem to a homework': '/course/A%20B/homeworks/new',
      'Post an announcement': '/course/A%20B/announcements/new',
    })
    // Assistants cannot add members.
    expect(controlsOf(list('ta'))).not.toHaveProperty('Add the members')
    for (const markup of [list('student'), list('teacher', 'Public')])
      expect(textOf(markup)).not.toContain('Before your students can begin')
  })
})

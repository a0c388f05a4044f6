import { describe, expect, it } from 'vitest'
import { ROLES, type CourseRole } from '#contract/roles'
import { courseEntries, isActive, mainEntries } from '../../web/layout/nav-entries.ts'
import { paths } from '../../web/paths.ts'

describe('the side bar', () => {
  it.each([
    [0, null, ['home', 'about']],
    [-1, null, ['home', 'about']],
    [1, ROLES.student, ['home', 'courses', 'about', 'notices', 'profile']],
    [1, ROLES.teacher, ['home', 'courses', 'about', 'notices', 'profile']],
    [1, ROLES.admin, ['home', 'courses', 'about', 'admin', 'notices', 'profile']],
  ] as const)('in session state %i offers role %j the links %j', (state, role, expected) => {
    const user =
      role === null
        ? null
        : {
            username: 'x',
            displayedName: 'X',
            bio: '',
            email: 'x@y.z',
            emailConfirmed: true,
            role,
            live: true,
          }
    expect(mainEntries({ state, user }).map(({ key }) => key)).toEqual(expected)
  })

  it.each([
    ['/course/Demo/problem/1/edit', 'problems'],
    ['/course/Demo/problems', 'problems'],
    ['/course/Demo/submission/0123456789abcdef01234567', 'submissions'],
    ['/course/Demo/announcements/new', 'announcements'],
    ['/course/Demo/question/0123456789abcdef01234567', 'questions'],
    ['/course/Demo/late-days', 'homeworks'],
    ['/course/Demo/members', 'members'],
    ['/course/Demo/settings', 'courseSettings'],
  ])('marks at %s the entry %s', (pathname, expected) => {
    const active = courseEntries('Demo', 'teacher').filter((entry) => isActive(entry, pathname))
    expect(active.map(({ key }) => key)).toEqual([expected])
  })

  it('leads to the settings of a course only who may change them', () => {
    const keys = (course: string, role?: CourseRole) =>
      courseEntries(course, role).map(({ key }) => key)
    expect(keys('Demo', 'teacher')).toContain('courseSettings')
    expect(keys('Demo', 'ta')).not.toContain('courseSettings')
    expect(keys('Demo')).not.toContain('courseSettings')
    expect(keys('Public', 'teacher')).not.toContain('courseSettings')
  })
})

describe('paths', () => {
  it('keep course names whole, whatever they hold', () => {
    expect(paths.problems('資料結構 2026')).toBe(
      `/course/${encodeURIComponent('資料結構 2026')}/problems`,
    )
    expect(paths.submissions('Demo', { problemId: 3 })).toBe('/course/Demo/submissions?problemId=3')
    expect(paths.submit('Demo', 3)).toBe('/course/Demo/problem/3/submit')
  })
})

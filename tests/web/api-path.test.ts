import { describe, expect, it } from 'vitest'
import { announcementPath } from '../../web/lib/queries/announcements.ts'
import { apiPath } from '../../web/lib/api/api.ts'
import { coursePath } from '../../web/lib/queries/course.ts'

describe('paths of the API', () => {
  it.each([
    '../auth/session',
    '0123456789abcdef01234567/rejudge',
    '?next=1',
    '#',
    '%2e%2e/auth/session',
    'a\\..\\b',
  ])('keep %j from an address one part of the path', (id) => {
    const { pathname, search } = new URL(apiPath`/submission/${id}`, 'http://localhost')
    expect(pathname.split('/')).toHaveLength(3)
    expect(pathname.startsWith('/submission/')).toBe(true)
    expect(search).toBe('')
  })

  it('keep course names and ids whole', () => {
    expect(coursePath('資料結構 2026')).toBe(`/course/${encodeURIComponent('資料結構 2026')}`)
    expect(announcementPath('A/B', '../x')).toBe('/ann/A%2FB/..%2Fx')
    expect(apiPath`/problem/${3}`).toBe('/problem/3')
  })
})

import { describe, expect, it } from 'vitest'
import { announcementPath } from '../../web/lib/queries/announcements.ts'
import { addressOfCall } from '../../web/lib/api/call.ts'

describe('addresses of calls', () => {
  it.each([
    '../auth/session',
    '0123456789abcdef01234567/rejudge',
    '?next=1',
    '#',
    '%2e%2e/auth/session',
    'a\\..\\b',
  ])('keep %j from an address one part of the path', (id) => {
    const address = addressOfCall('GET /submission/:id', { params: { id } })
    const { pathname, search } = new URL(address, 'http://localhost')
    expect(pathname.split('/')).toHaveLength(3)
    expect(pathname.startsWith('/submission/')).toBe(true)
    expect(search).toBe('')
  })

  it('keep course names and ids whole', () => {
    const named = addressOfCall('GET /course/:name', { params: { name: '資料結構 2026' } })
    expect(named).toBe(`/course/${encodeURIComponent('資料結構 2026')}`)
    expect(announcementPath('A/B', '../x')).toBe('/ann/A%2FB/..%2Fx')
    expect(addressOfCall('GET /problem/:id', { params: { id: 3 } })).toBe('/problem/3')
  })
})

import { describe, expect, it } from 'vitest'
import { isPublicPath, safeRedirect, signInPath } from '../../web/lib/navigation/redirect.ts'

describe('safeRedirect', () => {
  it.each([
    ['/courses', '/courses'],
    ['/course/Demo/problem/1?tab=a#top', '/course/Demo/problem/1?tab=a#top'],
    ['/course/%E8%AA%B2%E7%A8%8B', '/course/%E8%AA%B2%E7%A8%8B'],
    ['/', '/'],
    ['/a/../courses', '/courses'],
  ])('lets our own path %j through', (wanted, expected) => {
    expect(safeRedirect(wanted)).toBe(expected)
  })

  it.each(
    [
      [null, '', 'courses', '/\u0000', '@evil.example', 'javascript:alert(1)', 'data:text/html,x'],
      ['//evil.example', '///evil.example', '/\\evil.example', '\\\\evil.example'],
      ['/courses\\..\\evil', 'https://evil.example/', 'HTTPS://evil.example/'],
      [' //evil.example', '\t//evil.example', '/\t/evil.example', '/\n/evil.example'],
      ['/..//evil.example', '/.//evil.example'],
    ].flat(),
  )('refuses %j [AZ8]', (wanted) => {
    expect(safeRedirect(wanted)).toBeNull()
  })

  it('gives back what signInPath put in', () => {
    const wanted = '/course/A B/problems?name=x&tags=a,b'
    const query = new URL(signInPath(wanted), 'http://localhost').searchParams
    expect(query.get('redirect')).toBe(wanted)
  })
})

describe('isPublicPath', () => {
  it.each(
    [
      ['/', '/about', '/about/', '/settings', '/password_reset', '/join'],
      ['/announcements/0123456789abcdef01234567', '/help/students-guide'],
    ].flat(),
  )('opens %s to guests', (path) => {
    expect(isPublicPath(path)).toBe(true)
  })

  it.each(
    [
      ['/courses', '/course/Demo', '/profile', '/admin', '/announcements', '/help', '/help/a/b'],
      ['/announcements/01/edit', '/aboutx', '/about/more'],
    ].flat(),
  )('keeps %s for who is signed in [AZ8]', (path) => {
    expect(isPublicPath(path)).toBe(false)
  })
})

import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { firstAdminLink } from '../../scripts/first-admin-link.ts'

const WEEK_SECONDS = 7 * 86_400

test('the link holds what the database has the hash of, for a week', () => {
  const { link, statements } = firstAdminLink('https://judge.example.org//', 'Me', 'me@example.org')
  const [, token = ''] =
    /^https:\/\/judge\.example\.org\/password_reset#activate=([\w-]{43})$/.exec(link) ?? []
  expect(statements).toHaveLength(2)
  const [, hash, end] = /'([0-9a-f]{64})', (\d+) from users/.exec(statements[1] ?? '') ?? []
  expect(hash).toBe(createHash('sha256').update(token).digest('hex'))
  const now = Date.now() / 1_000
  expect(Number(end)).toBeGreaterThan(now + WEEK_SECONDS - 60)
  expect(Number(end)).toBeLessThanOrEqual(now + WEEK_SECONDS)
  expect(firstAdminLink('https://x', 'Me', 'me@example.org').link).not.toBe(link)
})

test.each([
  ['not a name', 'me@example.org'],
  ['me', 'nobody'],
])('%j with the address %j is refused in words', (username, email) => {
  expect(() => firstAdminLink('https://x', username, email)).toThrow(
    /^This username or e-mail does not work: /,
  )
})

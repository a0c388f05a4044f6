import { DrizzleQueryError } from 'drizzle-orm/errors'
import { describe, expect, test } from 'vitest'
import { JSON_BODY_LIMIT_BYTES, TEST_DATA_LIMITS } from '#contract/limits'
import { safeError } from '../../worker/db/safe-error.ts'
import { call, createPerson, createProblem } from './world.ts'

describe('a body that is too large', () => {
  test.each(['application/json', 'text/plain', 'application/octet-stream'])(
    'is refused whatever it calls itself: %s',
    async (type) => {
      const person = await createPerson(2)
      const body = `{"title": "${'x'.repeat(JSON_BODY_LIMIT_BYTES)}"}`
      const headers = { 'Content-Type': type, 'Content-Length': String(body.length) }
      expect((await call('POST', '/ann', { as: person, body, headers })).status).toBe(413)
    },
  )

  test('is refused in a form before it is read', async () => {
    const { teacher, problemId } = await createProblem()
    const form = new FormData()
    form.set(
      'case',
      new File([new Uint8Array(TEST_DATA_LIMITS.singleRequestBytes + 1_000_000)], 'a.zip'),
    )
    const path = `/problem/manage/${problemId}`
    expect((await call('PUT', path, { as: teacher, body: form })).status).toBe(413)
  })
})

test('a logged fault of the database never shows the values of its query', () => {
  const error = new DrizzleQueryError(
    'insert into users values (?)',
    ['the-hash'],
    new Error('down'),
  )
  expect(error.message).toContain('the-hash')
  expect(safeError(error)).not.toContain('the-hash')
  expect(safeError(error)).toContain('down')
})

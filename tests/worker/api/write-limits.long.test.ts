/** Which writes use up a rate limit, and how much source code a student may hand in. */
import { expect, test } from 'vitest'
import { SOURCE_LIMIT_BYTES } from '../../../worker/contract/limits.ts'
import { SOURCE_BUDGET } from '../../../worker/features/submissions/target-queries.ts'
import { leaveTokens, useUp } from '../support/buckets.ts'
import { allRows, firstValue } from '../support/sql.ts'
import { call, createPerson, createProblem, submit, type Person } from '../support/world.ts'

function save(as: Person, bio: string) {
  return as.post('/profile', { bio })
}

test('code that comes again with its Idempotency-Key takes of no limit', async () => {
  const { student, problemId } = await createProblem()
  const json = { problemId, languageType: 0, code: 'int main() {}' }
  const handIn = () => student.post('/submission', json, { 'Idempotency-Key': 'press-1' })
  const left = () =>
    allRows`select key, full_at_ms from rate_limits where key like ${`%:user:${student.id}`} order by key`
  const { submissionId } = (await handIn()).data
  const before = await left()
  expect(before.length).toBeGreaterThan(0)
  expect((await handIn()).data).toMatchObject({ submissionId })
  expect(await left()).toEqual(before)
})

test('saving a profile as it is writes nothing', async () => {
  const person = await createPerson(2)
  const entries = () =>
    firstValue`select count(*) n from audit_entries where actor_id = ${person.id}
      and action = 'user.profile'`
  await save(person, 'about me')
  for (let count = 0; count < 3; count += 1)
    expect((await save(person, 'about me')).status).toBe(200)
  expect(await entries()).toBe(1)
  await save(person, 'about me again')
  expect(await entries()).toBe(2)
})

test('a student hands in so much source code a day, in one step or two; staff go on', async () => {
  const { student, ta, problemId } = await createProblem()
  const key = `source:user:${student.id}`
  const json = { problemId, languageType: 0 }
  await leaveTokens(key, SOURCE_BUDGET, SOURCE_LIMIT_BYTES + 100)
  await submit(student, problemId, 'x'.repeat(SOURCE_LIMIT_BYTES))
  const code = 'x'.repeat(SOURCE_LIMIT_BYTES / 2)
  const refused = await student.post('/submission', { ...json, code })
  expect(refused).toMatchObject({ status: 429, code: 'too_much_source' })
  expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThan(60)
  const { submissionId } = (await student.post('/submission', json)).data
  const body = new FormData()
  body.set('code', new File([code], 'main.c'))
  const second = await call('PUT', `/submission/${submissionId}`, { as: student, body })
  expect(second).toMatchObject({ status: 429, code: 'too_much_source' })
  await leaveTokens(key, SOURCE_BUDGET, SOURCE_LIMIT_BYTES)
  const again = new FormData()
  again.set('code', new File([code], 'main.c'))
  expect(
    (await call('PUT', `/submission/${submissionId}`, { as: student, body: again })).status,
  ).toBe(200)
  await useUp(`source:user:${ta.id}`, SOURCE_BUDGET)
  await submit(ta, problemId, code)
  const dayMs = SOURCE_BUDGET.intervalMs * SOURCE_BUDGET.burst
  expect(dayMs).toBe(86_400_000)
})

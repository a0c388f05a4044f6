/** The codes of a course: their rules, their end, and who may see and change them. */
import { expect, test } from 'vitest'
import { JOIN_CODE_CHARACTERS } from '#contract/joining'
import { COUNT_LIMITS } from '#contract/limits'
import { newCode } from '../../../worker/features/joining/join-code.ts'
import { createCode, outcome } from '../support/joining.ts'
import { allRows, firstValue, runSql } from '../support/sql.ts'
import { createPeople, createPerson, type Answer, type Person } from '../support/world.ts'

test('only who manages the members sees, makes and changes codes', async () => {
  const { path, id, ta, student, teacher } = await createCode()
  const [outsider, admin] = await createPeople(1, 0)
  const people = [teacher, admin, ta, student, outsider]
  const statuses = async (ask: (as: Person) => Promise<Answer>) =>
    Promise.all(people.map(async (person) => (await ask(person)).status))
  const expected = [200, 200, 403, 403, 404]
  expect(await statuses((as) => as.get(`${path}/joining`))).toEqual(expected)
  expect(await statuses((as) => as.post(`${path}/join-codes`, {}))).toEqual(expected)
  expect(await statuses((as) => as.patch(`${path}/join-codes/${id}`, {}))).toEqual(expected)
  expect(await statuses((as) => as.patch(`${path}/join-requests`, {}))).toEqual(expected)
})

test('a rotated code ends at once, and the new one keeps rules and count', async () => {
  const { code, edit, join } = await createCode({ most: 2 })
  const [first, second, third] = await createPeople(2, 2, 2)
  await join(first)
  const { data } = await edit({ rotate: true })
  expect(data).toMatchObject({ most: 2, joined: 1, code: expect.not.stringMatching(code) })
  expect(outcome(await join(second))).toBe('join_code_not_found')
  expect(outcome(await join(second, data.code))).toBe('joined')
  expect(outcome(await join(third, data.code))).toBe('join_code_full')
  expect((await edit({ most: null })).data).toMatchObject({ most: null, code: data.code })
  expect(outcome(await join(third, data.code))).toBe('joined')
})

test('a closed code opens again with the same text', async () => {
  const { edit, join } = await createCode()
  const person = await createPerson(2)
  const { closedAt } = (await edit({ closed: true })).data
  expect(closedAt).toBeGreaterThan(0)
  expect(outcome(await join(person))).toBe('join_code_not_found')
  expect((await edit({ closed: false })).data.closedAt).toBeNull()
  expect(outcome(await join(person))).toBe('joined')
})

test('who joins gets the label of the code; a label that is gone gives none', async () => {
  const { path, teacher, id, edit, join, joining } = await createCode()
  const other = await createCode()
  const label = async (to: string, as = teacher): Promise<number> =>
    (await as.put(`${to}/labels`, { labels: [{ id: null, name: 'Lab' }] })).data.labels[0].id
  const [own, foreign] = [await label(path), await label(other.path, other.teacher)]
  expect(outcome(await edit({ labelId: foreign }))).toBe('label_not_found')
  expect(outcome(await teacher.post(`${path}/join-codes`, { labelId: foreign }))).toBe(
    'label_not_found',
  )
  expect((await edit({ labelId: own })).data.labelId).toBe(own)
  const [first, second] = await createPeople(2, 2)
  await join(first)
  const labelled = await allRows`select user_id from member_labels where label_id = ${own}`
  expect(labelled).toEqual([{ user_id: first.id }])
  await teacher.put(`${path}/labels`, { labels: [] })
  expect((await joining()).codes).toMatchObject([{ id, labelId: null }])
  expect(outcome(await join(second))).toBe('joined')
})

test('a code of another course is unknown here', async () => {
  const { path, teacher } = await createCode()
  const other = await createCode()
  expect((await teacher.patch(`${path}/join-codes/${other.id}`, { closed: true })).code).toBe(
    'join_code_not_found',
  )
  expect((await other.joining()).codes[0].closedAt).toBeNull()
})

test('a course has so many codes that people can use, and no more', async () => {
  const { path, teacher, id, edit } = await createCode()
  await runSql`insert into join_codes (course_id, code_hash, role, domains, approval, created_at)
    select course_id, value, 'student', '[]', 0, 1 from join_codes, json_each(${JSON.stringify(
      [...Array(COUNT_LIMITS.joinCodes - 1).keys()].map(String),
    )}) where join_codes.id = ${id}`
  const make = (rules = {}) => teacher.post(`${path}/join-codes`, rules)
  expect((await make()).code).toBe('too_many_join_codes')
  await edit({ closed: true })
  expect((await make()).status).toBe(200)
  expect((await edit({ closed: false })).code).toBe('too_many_join_codes')
  expect((await make({ until: 1 })).status).toBe(200)
})

test('wrong rules name their field', async () => {
  const { path, teacher } = await createCode()
  const fields = async (rules: unknown) =>
    (await teacher.post(`${path}/join-codes`, rules)).data.map(
      ({ path: [field] }: { path: string[] }) => field,
    )
  expect(await fields({ most: 0 })).toEqual(['most'])
  expect(await fields({ domains: ['not a domain'], until: -1 })).toEqual(['until', 'domains'])
})

test('the audit log says which code, and nobody’s name', async () => {
  const { id, edit, join, course, path } = await createCode()
  const person = await createPerson(2)
  await join(person)
  await edit({ rotate: true })
  await person.post(`${path}/leave`)
  const entries = await allRows<{
    action: string
    detail: string
  }>`select action, detail from audit_entries
    where subject = ${course} and action in ('course.join_code', 'course.join_code.edit', 'course.join', 'course.leave') order by id`
  expect(entries.map(({ action, detail }) => [action, JSON.parse(detail)])).toEqual([
    ['course.join_code', { codeId: id }],
    ['course.join', { codeId: id, waits: false }],
    ['course.join_code.edit', { codeId: id, rotated: true }],
    ['course.leave', {}],
  ])
  expect(
    await firstValue`select actor_id from audit_entries where action = 'course.join' and subject = ${course}`,
  ).toBe(person.id)
})

test('new codes have every character equally often', () => {
  const code = newCode(62_000)
  expect(code).toHaveLength(62_000)
  const counts = [...JOIN_CODE_CHARACTERS].map((character) => code.split(character).length - 1)
  expect(counts.reduce((sum, count) => sum + count)).toBe(62_000)
  // 2,000 of each are expected; eight standard deviations are 352.
  for (const count of counts) expect(Math.abs(count - 2000)).toBeLessThan(352)
})

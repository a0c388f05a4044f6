/** Merging mistakes: what counts to what, at once and one after the other. */
import { beforeEach, expect, test } from 'vitest'
import { COUNT_LIMITS } from '#contract/limits'
import { emptyQueue } from '../support/judge.ts'
import { createFailed } from '../support/mistake-groups.ts'
import { mistakeOf } from '../support/mistakes.ts'
import { allRows, firstValue, numbersBelow, runSql } from '../support/sql.ts'

beforeEach(emptyQueue)

/** A problem with a person for each of these letters' mistakes. */
async function createWith(letters: string) {
  const world = await createFailed()
  for (const letter of letters) await world.fail(await world.join(), letter)
  return world
}

/** What is merged in a problem, as letters: `a>b`. */
async function mergedOf(problemId: number): Promise<string[]> {
  const rows = await allRows<{ mistake: string; into: string }>`
    select mistake, "into" from merged_mistakes where problem_id = ${problemId} order by mistake`
  return rows.map(({ mistake, into }) => `${mistake[0]}>${into[0]}`)
}

test('merged mistakes are one group, which the standing one describes, until they are separated', async () => {
  const { groups, merge, page, path, fail, join, ta } = await createWith('aab')
  const own = await page()
  await fail(await join(), 'c')
  expect(await groups()).toEqual(['a 2', 'b 1', 'c 1'])
  expect((await merge('bc', 'a', ta)).status).toBe(200)
  expect(await groups()).toEqual(['a+b+c 4'])
  expect((await page()).groups[0]?.examples).toEqual(own.groups[0]?.examples)
  for (const letter of 'abc')
    expect((await ta.get(`${path}/${mistakeOf(letter)}`)).data.tries).toHaveLength(4)
  await merge('b', null)
  expect(await groups()).toEqual(['a+c 3', 'b 1'])
  await merge('c', null)
  expect(await groups()).toEqual(['a 2', 'b 1', 'c 1'])
})

test('a group whose standing mistake nobody makes any more keeps its people', async () => {
  const { groups, merge } = await createWith('ab')
  await merge('ab', 'z')
  expect(await groups()).toEqual(['z+a+b 2'])
})

test('what is merged into a merged mistake goes along, and a target that counted to it stands for all', async () => {
  const { problemId, groups, merge } = await createWith('abcd')
  await merge('a', 'b')
  await merge('b', 'c')
  expect(await mergedOf(problemId)).toEqual(['a>c', 'b>c'])
  await merge('cd', 'a')
  expect(await mergedOf(problemId)).toEqual(['b>a', 'c>a', 'd>a'])
  expect(await groups()).toEqual(['a+b+c+d 4'])
})

test('a merge from a page of before another merge joins that one', async () => {
  const { course, problemId, groups, merge } = await createWith('abcd')
  await merge('b', 'a')
  await merge('c', 'b')
  expect(await mergedOf(problemId)).toEqual(['b>a', 'c>a'])
  expect(await groups()).toEqual(['a+b+c 3', 'd 1'])
  expect(
    await firstValue`select detail from audit_entries where action = 'problem.mistakes'
      and subject = ${String(problemId)} order by id desc limit 1`,
  ).toBe(JSON.stringify({ course, into: mistakeOf('a') }))
  await merge('ad', 'b')
  expect(await mergedOf(problemId)).toEqual(['a>b', 'c>b', 'd>b'])
})

test('a mistake is not merged into itself', async () => {
  const { problemId, merge } = await createWith('a')
  const refused = await merge('ab', 'a')
  expect(refused).toMatchObject({ status: 400, code: 'bad_body' })
  expect(refused.data).toMatchObject([{ path: ['into'], code: 'invalid' }])
  expect(await mergedOf(problemId)).toEqual([])
})

test('merges at once leave neither chains nor rings', async () => {
  const { problemId, merge, groups } = await createWith('abcd')
  const pairs = ['ab', 'ba', 'bc', 'cd', 'da', 'ca', 'db', 'ad']
  const answers = await Promise.all(pairs.map(([one = '', into = '']) => merge(one, into)))
  expect(answers.map(({ status }) => status)).toEqual(pairs.map(() => 200))
  expect((await mergedOf(problemId)).length).toBeGreaterThan(0)
  expect(
    await allRows`select 1 from merged_mistakes l join merged_mistakes r
      on r.problem_id = l.problem_id and r.mistake = l."into" where l.problem_id = ${problemId}`,
  ).toEqual([])
  const people = (await groups()).map((group) => Number(group.split(' ')[1]))
  expect(people.reduce((sum, count) => sum + count, 0)).toBe(4)
})

test('a problem has a limited number of merged mistakes, and a refused merge changes nothing', async () => {
  const { problemId, merge } = await createWith('a')
  await runSql`insert into merged_mistakes (problem_id, mistake, "into")
    select ${problemId}, printf('%016d', value), ${mistakeOf('x')} from json_each(${numbersBelow(COUNT_LIMITS.mergedMistakes - 1)})`
  expect((await merge('ab', 'x')).code).toBe('too_many_merged')
  const count = () =>
    firstValue<number>`select count(*) from merged_mistakes where problem_id = ${problemId}`
  expect(await count()).toBe(COUNT_LIMITS.mergedMistakes - 1)
  expect((await merge('a', 'x')).status).toBe(200)
  expect((await merge('a', 'y')).status).toBe(200)
  expect((await merge('b', 'y')).code).toBe('too_many_merged')
  expect((await merge('a', null)).status).toBe(200)
  expect((await merge('b', 'y')).status).toBe(200)
  expect(await count()).toBe(COUNT_LIMITS.mergedMistakes)
})

test('one call merges all mistakes that a problem may have merged', async () => {
  const { problemId, path, ta } = await createWith('a')
  const mistakes = Array.from({ length: COUNT_LIMITS.mergedMistakes }, (_, number) =>
    String(number).padStart(16, '0'),
  )
  const merge = (into: string | null) => ta.put(`${path}/merged`, { mistakes, into })
  const count = () =>
    firstValue<number>`select count(*) from merged_mistakes where problem_id = ${problemId}`
  expect((await merge(mistakeOf('a'))).status).toBe(200)
  expect(await count()).toBe(mistakes.length)
  expect((await merge(null)).status).toBe(200)
  expect(await count()).toBe(0)
})

test('students may not merge, and the audit log has who did', async () => {
  const { student, ta, course, problemId, merge } = await createWith('ab')
  expect((await merge('a', 'b', student)).code).toBe('forbidden')
  expect(await mergedOf(problemId)).toEqual([])
  await merge('a', 'b', ta)
  await merge('a', null, ta)
  expect(
    await allRows`select actor_id as actor, subject, json(detail) as detail from audit_entries
      where action = 'problem.mistakes' and subject = ${String(problemId)} order by id`,
  ).toEqual([
    {
      actor: ta.id,
      subject: String(problemId),
      detail: JSON.stringify({ course, into: mistakeOf('b') }),
    },
    { actor: ta.id, subject: String(problemId), detail: JSON.stringify({ course, into: null }) },
  ])
})

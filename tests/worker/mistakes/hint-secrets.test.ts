/** Hints that name the input or expected output of a hidden case are refused, unless staff insist. */
import { env } from 'cloudflare:workers'
import { beforeEach, expect, test } from 'vitest'
import { STATUS } from '#contract/verdicts'
import { CASES_COMPARED, namesSecret } from '../../../worker/features/mistakes/hint-secrets.ts'
import { LOOKED_AT } from '../../../worker/features/mistakes/looked-queries.ts'
import { claim, emptyQueue, report, reportOf } from '../support/judge.ts'
import { addFailed } from '../support/mistake-groups.ts'
import { fail, hintsOf, merge, mistakeOf, noteMistake, writeHint } from '../support/mistakes.ts'
import { packLater } from '../support/packs.ts'
import { recordCall } from '../support/round-trips-recorder.ts'
import { allRows, runSql } from '../support/sql.ts'
import {
  createProblem,
  FITTING_ENTRIES,
  registerRunner,
  submit,
  uploadZip,
  type Answer,
} from '../support/world.ts'

const [A, B] = [mistakeOf('A'), mistakeOf('B')]

beforeEach(emptyQueue)

const outcomeOf = ({ status, code, data }: Answer) =>
  status === 200 ? 'taken' : `${code}: ${data.what}`

test.each([
  ['Try 2 2', '2 2\n', true],
  ['Try 2\n  2.', '2 2', true],
  ['Try `2 2`, then', '2 2', true],
  ['Try 12 2', '2 2', false],
  ['Try 2 23', '2 2', false],
  ['It is 3.14', '3', false],
  ['It is 3.14', '14', false],
  ['It is 3.', '3', true],
  ['x=-3', '-3', true],
  ['The word forty', 'for', false],
  ['Nothing', '', false],
  ['Nothing', ' \n ', false],
  ['It prints exactly one two three today', 'zero\none two three\nfour', true],
  ['It prints one two today', 'zero\none two\nfour', false],
  ['答案是 四十二 吧', '四十二', true],
])('%j names %j: %s', (markdown, secret, is) => {
  expect(namesSecret(markdown, secret)).toBe(is)
})

test('a hint about a hidden case is checked against its texts, when it is written and when it is changed', async () => {
  const { ta, problemId } = await createProblem()
  const path = `/problem/${problemId}/hints`
  const post = async (markdown: string, more: object = {}) =>
    outcomeOf(await ta.post(path, { markdown, failed: { task: 1, case: 1 }, ...more }))
  expect(await post('Try 5 5')).toBe('hint_names_secret: input')
  expect(await post('It is 10')).toBe('hint_names_secret: output')
  expect(await post('5 5 gives 10')).toBe('hint_names_secret: input')
  // The texts of other cases are not those of this one.
  expect(await post('Try 2 2')).toBe('taken')
  expect(await post('It is 10', { mayNameSecret: true })).toBe('taken')
  // What samples show is open.
  expect(await post('1 2 gives 3', { failed: { task: 0, case: 0 } })).toBe('taken')
  const rows = await allRows<{ id: number; markdown: string }>`
    select id, markdown from hints where problem_id = ${problemId} order by id`
  expect(rows.map(({ markdown }) => markdown)).toEqual(['Try 2 2', 'It is 10', '1 2 gives 3'])
  const put = async (nth: number, json: object) =>
    outcomeOf(await ta.put(`${path}/${rows[nth]?.id}`, json))
  expect(await put(0, { markdown: 'It is 10' })).toBe('hint_names_secret: output')
  expect(await put(0, { markdown: 'It is 10', mayNameSecret: true })).toBe('taken')
  expect(await put(1, { markdown: 'It is even' })).toBe('taken')
  expect(await put(2, { markdown: '1 2 gives 3!' })).toBe('taken')
})

/** A problem with a host, and a call that writes a hint about a mistake. */
async function createPosting() {
  const world = await createProblem()
  const path = `/problem/${world.problemId}/hints`
  return {
    ...world,
    path,
    token: await registerRunner(),
    post: async (mistake: string, markdown: string) =>
      outcomeOf(await world.ta.post(path, { markdown, mistake })),
  }
}

test('a hint about a mistake is checked against the cases of all mistakes in its group', async () => {
  const { ta, teacher, student, problemId, post, token } = await createPosting()
  await fail(token, student, problemId, { mistake: A, index: 1 })
  expect(await post(A, 'Try 5 5')).toBe('hint_names_secret: input')
  await fail(token, ta, problemId, { mistake: B, task: 0 })
  expect(await post(B, 'Try 5 5')).toBe('taken')
  await merge(problemId, A, B)
  for (const mistake of [A, B])
    expect(await post(mistake, 'It is 10')).toBe('hint_names_secret: output')
  // The try was judged with these test data, so they are its case, and no longer open to anybody.
  await uploadZip(teacher, problemId, { ...FITTING_ENTRIES, '0101.in': '7 7\n' })
  expect(await post(A, 'Try 5 5')).toBe('hint_names_secret: input')
  expect(await post(A, 'Try 7 7')).toBe('taken')
})

test('a sample is open, a Compile Error has no case, and lost test data are not compared', async () => {
  const { teacher, student, problemId, post, token } = await createPosting()
  await fail(token, student, problemId, { mistake: A, task: 0 })
  expect(await post(A, '1 2 gives 3')).toBe('taken')
  await submit(student, problemId)
  const job = (await claim(token)).data
  await report(token, job.judgementId, reportOf(job.lease, STATUS.CE))
  await noteMistake(job.judgementId, B)
  expect(await post(B, 'Put ; after 5 5')).toBe('taken')
  await fail(token, teacher, problemId, { mistake: A, index: 1 })
  expect(await post(A, 'Try 5 5')).toBe('hint_names_secret: input')
  const rows = await allRows<{ object_key: string }>`
    select object_key from test_data_versions where problem_id = ${problemId}`
  await env.BUCKET.delete(rows.map((row) => row.object_key))
  expect(await post(A, 'Try 5 5')).toBe('taken')
})

test('a hint is checked against a mistake that is no longer the last one of anybody', async () => {
  const { ta, student, problemId, path, post, token } = await createPosting()
  const id = await fail(token, student, problemId, { mistake: A, index: 1 })
  const hintId = await writeHint(ta, problemId, { markdown: 'Think of N = 1', mistake: A })
  await fail(token, student, problemId, { mistake: B, task: 0 })
  const edit = async () => outcomeOf(await ta.put(`${path}/${hintId}`, { markdown: 'Try 5 5' }))
  expect(await edit()).toBe('hint_names_secret: input')
  expect(await post(A, 'It is 10')).toBe('hint_names_secret: output')
  expect(await hintsOf(student, id)).toEqual(['Think of N = 1'])
})

test('staff are asked about any text where the database has no judgement with a mistake of the group', async () => {
  const { ta, student, problemId, path, post, token } = await createPosting()
  expect(await post(A, 'Think')).toBe('hint_names_secret: unknown')
  const hintId = await writeHint(ta, problemId, { markdown: 'Think', mistake: A })
  const edit = async (json: object = {}) =>
    outcomeOf(await ta.put(`${path}/${hintId}`, { markdown: 'Think again', ...json }))
  expect(await edit()).toBe('hint_names_secret: unknown')
  expect(await edit({ mayNameSecret: true })).toBe('taken')
  await fail(token, student, problemId, { mistake: A, index: 1 })
  expect(await edit()).toBe('taken')
  await merge(problemId, B, A)
  expect(await edit()).toBe('hint_names_secret: unknown')
  // What is known to be named is said first.
  expect(await post(B, 'Try 5 5')).toBe('hint_names_secret: input')
  await runSql`delete from merged_mistakes where problem_id = ${problemId}`
  await packLater()
  expect(await edit()).toBe('hint_names_secret: unknown')
})

test('staff are asked where a group has failed at more cases than a text is compared with', async () => {
  const { teacher, student, problemId, post, token } = await createPosting()
  const standing = mistakeOf('1')
  for (let number = 1; number <= CASES_COMPARED; number += 1) {
    const mistake = mistakeOf(String(number))
    await uploadZip(teacher, problemId, { ...FITTING_ENTRIES, '0101.in': `${number} ${number}\n` })
    await fail(token, student, problemId, { mistake, index: 1 })
    if (mistake !== standing) await merge(problemId, mistake, standing)
  }
  expect(await post(standing, `Try ${CASES_COMPARED} ${CASES_COMPARED}`)).toBe(
    'hint_names_secret: input',
  )
  expect(await post(standing, 'Think')).toBe('taken')
  await uploadZip(teacher, problemId, { ...FITTING_ENTRIES, '0101.in': '0 0\n' })
  await fail(token, student, problemId, { mistake: B, index: 1 })
  await merge(problemId, B, standing)
  expect(await post(standing, 'Think')).toBe('hint_names_secret: unknown')
})

test('a hint reads a limited number of rows, however many submissions its problem has', async () => {
  const { ta, course, problemId, path } = await createPosting()
  await addFailed(course, problemId, { people: 4, tries: LOOKED_AT / 2, groups: 1 })
  const json = { markdown: 'Think', mistake: '0'.repeat(16) }
  const { status, text, trips } = await recordCall('POST', path, { as: ta, json })
  expect(status, text).toBe(200)
  const rows = trips.reduce((sum, trip) => sum + trip.rowsRead, 0)
  // All of them have the mistake, and each is a row of three: its submission, its judgement, and what is sorted.
  expect(rows).toBeLessThan(3 * LOOKED_AT + 200)
})

/** Hints: under whose verdict they stand and when, who answers them, and which pages hear of them. */
import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, test } from 'vitest'
import { COUNT_LIMITS } from '#contract/limits'
import { liveHint, submissionHint, type LiveHint } from '#contract/live'
import { STATUS } from '#contract/verdicts'
import { openDb } from '../../../worker/db/client.ts'
import { listHints } from '../../../worker/features/mistakes/hint-queries.ts'
import { claim, emptyQueue, judgeAll, report, reportOf } from '../support/judge.ts'
import {
  fail,
  hintsOf,
  judgeWith,
  merge,
  mistakeOf,
  noteMistake,
  writeHint,
} from '../support/mistakes.ts'
import { packLater, packOf } from '../support/packs.ts'
import { countedTrips } from '../support/round-trips.ts'
import { recordCall } from '../support/round-trips-recorder.ts'
import { allRows, firstRow, numbersBelow, runSql } from '../support/sql.ts'
import {
  addStudents,
  createProblem,
  FITTING_ENTRIES,
  fetchApi,
  registerRunner,
  submit,
  uploadZip,
  type Person,
} from '../support/world.ts'

const [A, B, C] = ['A', 'B', 'C'].map((letter) => mistakeOf(letter)) as [string, string, string]

beforeEach(emptyQueue)

/** A problem, a host, and a student with the mistake A in case 0 of subtask 1. */
async function createFailed() {
  const world = await createProblem()
  const token = await registerRunner()
  const id = await fail(token, world.student, world.problemId, { mistake: A })
  return { ...world, token, id, path: `/problem/${world.problemId}/hints` }
}

const listOf = (problemId: number) => listHints(openDb(env.DB), problemId)

describe('a hint about a mistake', () => {
  test('stands under the verdicts of all who made it, now and later, and of nobody else', async () => {
    const world = await createFailed()
    const { ta, student, problemId, token, id } = world
    const [same, other] = await addStudents(world, 2)
    if (!same || !other) throw new Error('there is nobody')
    const others = await fail(token, other, problemId, { mistake: B })
    await writeHint(ta, problemId, { markdown: 'Think of *N* = 1', mistake: A })
    await writeHint(ta, problemId, { markdown: 'And of overflow', mistake: A })
    const later = await submit(same, problemId)
    expect(await hintsOf(same, later)).toEqual([])
    await judgeWith(token, { mistake: A })
    const both = ['Think of *N* = 1', 'And of overflow']
    expect(await hintsOf(student, id)).toEqual(both)
    expect(await hintsOf(same, later)).toEqual(both)
    expect(await hintsOf(ta, id)).toEqual(both)
    expect(await hintsOf(other, others)).toEqual([])
    const { data } = await student.get(`/submission/${id}`)
    expect(data).not.toHaveProperty('mistake')
    expect((await ta.get(`/submission/${id}`)).data.mistake).toBe(A)
    // A new judging under way hides them, and another verdict ends them.
    await ta.post(`/submission/${id}/rejudge`)
    expect(await hintsOf(student, id)).toEqual([])
    expect((await ta.get(`/submission/${id}`)).data.mistake).toBeNull()
    await judgeAll(token)
    expect(await hintsOf(student, id)).toEqual([])
  })

  test('counts for everything that is merged with its mistake, before or after it was written', async () => {
    const world = await createFailed()
    const { ta, student, problemId, token, id } = world
    const [second, third] = await addStudents(world, 2)
    if (!second || !third) throw new Error('there is nobody')
    const ofSecond = await fail(token, second, problemId, { mistake: B })
    const ofThird = await fail(token, third, problemId, { mistake: C })
    const all = () =>
      Promise.all([hintsOf(student, id), hintsOf(second, ofSecond), hintsOf(third, ofThird)])
    await writeHint(ta, problemId, { markdown: 'For A', mistake: A })
    expect(await all()).toEqual([['For A'], [], []])
    await merge(problemId, A, B)
    expect(await all()).toEqual([['For A'], ['For A'], []])
    await writeHint(ta, problemId, { markdown: 'Again A', mistake: A })
    expect(await all()).toEqual([['For A', 'Again A'], ['For A', 'Again A'], []])
    expect((await listOf(problemId)).map(({ mistake }) => mistake)).toEqual([B, B])
    // The second one was written for the mistake that stood for the group.
    await runSql`delete from merged_mistakes where problem_id = ${problemId}`
    expect(await all()).toEqual([['For A'], ['Again A'], []])
  })
})

test('a hint about a case stands under each verdict that failed there first, with or without a mistake', async () => {
  const world = await createFailed()
  const { ta, student, problemId, token, id } = world
  const [second, third] = await addStudents(world, 2)
  if (!second || !third) throw new Error('there is nobody')
  const there = await fail(token, second, problemId, { mistake: null, index: 1 })
  const sample = await fail(token, third, problemId, { mistake: B, task: 0 })
  await writeHint(ta, problemId, { markdown: 'Large N', failed: { task: 1, case: 1 } })
  expect(await hintsOf(second, there)).toEqual(['Large N'])
  expect([await hintsOf(student, id), await hintsOf(third, sample)]).toEqual([[], []])
  await writeHint(ta, problemId, { markdown: 'The sample', failed: { task: 0, case: 0 } })
  expect(await hintsOf(third, sample)).toEqual(['The sample'])
  // No case has run after a Compile Error, and a case that the problem does not have is refused.
  await submit(student, problemId)
  const job = (await claim(token)).data
  await report(token, job.judgementId, reportOf(job.lease, STATUS.CE))
  expect(await hintsOf(student, job.submissionId)).toEqual([])
  for (const [failed, field] of [
    [{ task: 2, case: 0 }, 'task'],
    [{ task: 1, case: 2 }, 'case'],
  ] as const) {
    const refused = await ta.post(`/problem/${problemId}/hints`, { markdown: 'M', failed })
    expect([refused.status, refused.code]).toEqual([400, 'bad_body'])
    expect(refused.data[0].path).toEqual(['failed', field])
  }
})

test('hints under an Accepted or a Judge Error are none, even where a host told a mistake', async () => {
  const { ta, student, problemId, token } = await createFailed()
  await writeHint(ta, problemId, { markdown: 'For A', mistake: A })
  for (const status of [STATUS.AC, STATUS.JE] as const) {
    const id = await submit(student, problemId)
    const job = (await claim(token)).data
    await report(token, job.judgementId, reportOf(job.lease, status))
    await runSql`update judgements set mistake = ${A} where id = ${job.judgementId}`
    expect(await hintsOf(student, id)).toEqual([])
  }
})

test('a change of what judging depends on sets hints aside until staff write them anew', async () => {
  const { ta, teacher, student, problemId, id, path } = await createFailed()
  const hintId = await writeHint(ta, problemId, { markdown: 'For A', mistake: A })
  await uploadZip(teacher, problemId, { ...FITTING_ENTRIES, '0100.in': '3 1\n' })
  expect(await hintsOf(student, id)).toEqual([])
  const { username } = ta
  expect(await listOf(problemId)).toEqual([
    {
      hintId,
      markdown: 'For A',
      mistake: A,
      failed: null,
      author: { username, displayedName: `The ${username}`, role: 2 },
      updateTime: expect.any(Number),
      isAside: true,
      helped: 0,
      notHelped: 0,
    },
  ])
  expect((await teacher.put(`${path}/${hintId}`, { markdown: 'For A' })).status).toBe(200)
  expect(await listOf(problemId)).toMatchObject([
    { isAside: false, author: { username: teacher.username } },
  ])
})

test('a hint that staff write anew stands under no verdict of the earlier test data', async () => {
  const { ta, teacher, student, problemId, token, id, path } = await createFailed()
  const hintId = await writeHint(ta, problemId, { markdown: 'For A', mistake: A })
  await writeHint(ta, problemId, { markdown: 'The case', failed: { task: 1, case: 0 } })
  const waiting = await submit(student, problemId)
  await uploadZip(teacher, problemId, { ...FITTING_ENTRIES, '0100.in': '3 1\n' })
  await ta.put(`${path}/${hintId}`, { markdown: 'For A' })
  await writeHint(ta, problemId, { markdown: 'The new case', failed: { task: 1, case: 0 } })
  const answer = async () =>
    (await student.put(`/submission/${id}/hints/${hintId}`, { helped: true })).code
  expect([await hintsOf(student, id), await answer()]).toEqual([[], 'hint_not_found'])
  await packLater()
  expect(await packOf(id)).not.toBeNull()
  expect([await hintsOf(student, id), await answer()]).toEqual([[], 'hint_not_found'])
  // Handed in before the change, and judged with the new test data.
  await judgeWith(token, { mistake: A })
  await runSql`update judgements set claimed_at = claimed_at + 1 where submission_id = ${waiting}`
  const both = ['For A', 'The new case']
  expect(await hintsOf(student, waiting)).toEqual(both)
  const later = await fail(token, student, problemId, { mistake: A })
  expect(await hintsOf(student, later)).toEqual(both)
  await ta.post(`/submission/${id}/rejudge`)
  await judgeWith(token, { mistake: A })
  expect(await hintsOf(student, id)).toEqual(both)
})

test('a sample that becomes hidden sets hints aside: those about its cases, and about mistakes', async () => {
  const { ta, teacher, problemId, path } = await createFailed()
  await writeHint(ta, problemId, { markdown: 'For A', mistake: A })
  for (const task of [0, 1])
    await writeHint(ta, problemId, { markdown: `For ${task}`, failed: { task, case: 0 } })
  const aside = async () =>
    (await listOf(problemId)).filter(({ isAside }) => isAside).map(({ markdown }) => markdown)
  const store = async (changes: object) => {
    const { data: form } = await teacher.get(`/problem/manage/${problemId}`)
    const [sample, scored] = form.testCase
    const testCase = [{ ...sample, ...changes }, scored]
    const answer = await teacher.put(`/problem/manage/${problemId}`, { ...form, testCase })
    expect(answer.status, answer.message).toBe(200)
  }
  await store({})
  expect(await aside()).toEqual([])
  await store({ sample: false })
  expect(await aside()).toEqual(['For A', 'For 0'])
  // Verdicts stay as they are, so nobody is asked to rejudge.
  expect(
    await firstRow`select judging_changed_at_ms as at from problems where id = ${problemId}`,
  ).toEqual(
    await firstRow`select judging_changed_at_ms as at from hints where markdown = 'For 1' and problem_id = ${problemId}`,
  )
  const [ofA] = await listOf(problemId)
  await ta.put(`${path}/${ofA?.hintId}`, { markdown: 'For A' })
  await store({})
  expect(await aside()).toEqual(['For 0'])
})

test('a hint is changed and deleted by staff of its problem alone, and both are on record', async () => {
  const { ta, student, problemId, id, path, course } = await createFailed()
  const stranger = await createProblem()
  const hintId = await writeHint(ta, problemId, { markdown: 'For A', mistake: A })
  const elsewhere = `/problem/${stranger.problemId}/hints/${hintId}`
  const calls = [
    await stranger.ta.put(elsewhere, { markdown: 'Mine' }),
    await stranger.ta.delete(elsewhere),
    await student.put(`${path}/${hintId}`, { markdown: 'Mine' }),
    await student.delete(`${path}/${hintId}`),
    await student.post(path, { markdown: 'Mine', mistake: A }),
    await ta.delete(`${path}/${hintId + 1}`),
  ]
  expect(calls.map(({ code }) => code)).toEqual([
    'hint_not_found',
    'hint_not_found',
    'forbidden',
    'forbidden',
    'forbidden',
    'hint_not_found',
  ])
  await ta.put(`${path}/${hintId}`, { markdown: 'For all A' })
  expect(await hintsOf(student, id)).toEqual(['For all A'])
  expect((await ta.delete(`${path}/${hintId}`)).status).toBe(200)
  expect(await hintsOf(student, id)).toEqual([])
  const log = await allRows`select action, detail from audit_entries
    where subject = ${String(problemId)} and action like 'hint.%' order by id`
  expect(log).toEqual([
    { action: 'hint.create', detail: JSON.stringify({ course }) },
    { action: 'hint.edit', detail: JSON.stringify({ course, hintId }) },
    { action: 'hint.delete', detail: JSON.stringify({ course, hintId }) },
  ])
})

test('a problem has no more hints than allowed', async () => {
  const { ta, problemId, path } = await createFailed()
  await runSql`insert into hints (problem_id, mistake, markdown, author_id, updated_at)
    select ${problemId}, ${B}, 'M', ${ta.id}, 1 from json_each(${numbersBelow(COUNT_LIMITS.hints - 1)})`
  await writeHint(ta, problemId, { markdown: 'The last', mistake: A })
  const refused = await ta.post(path, { markdown: 'One more', mistake: A })
  expect([refused.status, refused.code]).toEqual([409, 'too_many_hints'])
  expect(await listOf(problemId)).toHaveLength(COUNT_LIMITS.hints)
})

describe('the answer whether a hint helped', () => {
  const helpedOf = async (as: Person, id: string) =>
    (await as.get(`/submission/${id}`)).data.hints.map(({ helped }: { helped: boolean }) => helped)

  test('is the submitter’s own, may change, and is counted for staff', async () => {
    const world = await createFailed()
    const { ta, student, problemId, token, id } = world
    const hintId = await writeHint(ta, problemId, { markdown: 'For A', mistake: A })
    const path = `/submission/${id}/hints/${hintId}`
    expect(await helpedOf(student, id)).toEqual([null])
    expect((await student.put(path, { helped: false })).status).toBe(200)
    expect(await helpedOf(student, id)).toEqual([false])
    expect((await student.put(path, { helped: true })).status).toBe(200)
    expect(await helpedOf(student, id)).toEqual([true])
    expect((await ta.put(path, { helped: true })).code).toBe('forbidden')
    // Staff answer under their own submission; under a student's page nobody's answer is shown to them.
    const own = await fail(token, ta, problemId, { mistake: A })
    expect((await ta.put(`/submission/${own}/hints/${hintId}`, { helped: false })).status).toBe(200)
    expect(await helpedOf(ta, own)).toEqual([false])
    expect(await helpedOf(ta, id)).toEqual([null])
    expect(await listOf(problemId)).toMatchObject([{ helped: 1, notHelped: 1 }])
  })

  test('is refused for a hint that does not stand there now, and in a closed course', async () => {
    const { ta, teacher, student, problemId, token, id, course, path } = await createFailed()
    const ofA = await writeHint(ta, problemId, { markdown: 'For A', mistake: A })
    const ofB = await writeHint(ta, problemId, { markdown: 'For B', mistake: B })
    const answer = async (hintId: number, under = id) =>
      (await student.put(`/submission/${under}/hints/${hintId}`, { helped: true })).code
    expect(await answer(ofB)).toBe('hint_not_found')
    await uploadZip(teacher, problemId, { ...FITTING_ENTRIES, '0100.in': '3 1\n' })
    expect(await answer(ofA)).toBe('hint_not_found')
    await ta.put(`${path}/${ofA}`, { markdown: 'For A' })
    const later = await fail(token, student, problemId, { mistake: A })
    await runSql`update courses set closed_at = 1 where name = ${course}`
    expect(await hintsOf(student, later)).toEqual(['For A'])
    expect(await answer(ofA, later)).toBe('course_closed')
    expect(await allRows`select * from hint_answers where hint_id in (${ofA}, ${ofB})`).toEqual([])
  })
})

test('an old submission in a pack has its hints, which can be answered', async () => {
  const { ta, student, problemId, token, id } = await createFailed()
  const unknown = await submit(student, problemId)
  await judgeAll(token, STATUS.WA)
  const ofA = await writeHint(ta, problemId, { markdown: 'For A', mistake: A })
  await writeHint(ta, problemId, { markdown: 'For the case', failed: { task: 1, case: 0 } })
  await packLater()
  expect([await packOf(id), await packOf(unknown)]).not.toContain(null)
  expect(await hintsOf(student, id)).toEqual(['For A', 'For the case'])
  expect(await hintsOf(student, unknown)).toEqual([])
  const answered = await student.put(`/submission/${id}/hints/${ofA}`, { helped: true })
  expect(answered.status).toBe(200)
  expect((await student.get(`/submission/${id}`)).data.hints[0].helped).toBe(true)
  expect((await ta.get(`/submission/${id}`)).data.mistake).toBe(A)
})

test('hints cost a page no round trip, and no rows but their own', async () => {
  const { ta, student, problemId, id } = await createFailed()
  const costOf = async () => {
    const { trips } = await recordCall('GET', `/submission/${id}`, { as: student })
    expect(countedTrips(trips)).toHaveLength(1)
    return trips.reduce((sum, trip) => sum + trip.rowsRead, 0)
  }
  const before = await costOf()
  await writeHint(ta, problemId, { markdown: 'For A', mistake: A })
  await writeHint(ta, problemId, { markdown: 'For B', mistake: B })
  expect((await costOf()) - before).toBeLessThanOrEqual(2)
})

describe('open pages', () => {
  /** The hints that a person's page gets. */
  async function openPage(as: Person): Promise<LiveHint[]> {
    const headers = { Upgrade: 'websocket', Origin: 'https://judge.test' }
    const { webSocket } = await fetchApi('GET', '/live', { as, headers })
    if (!webSocket) throw new Error('the answer has no socket')
    const got: LiveHint[] = []
    webSocket.addEventListener('message', ({ data }) => {
      got.push(liveHint.parse(JSON.parse(String(data))))
    })
    webSocket.accept()
    return got
  }

  test('of everybody concerned hear of a hint, a change, its end, a merge and its end, and no others', async () => {
    const world = await createFailed()
    const { ta, teacher, student, problemId, token, id, path, course } = world
    const [merged, other, left] = await addStudents(world, 3)
    if (!merged || !other || !left) throw new Error('there is nobody')
    const ofMerged = await fail(token, merged, problemId, { mistake: B, index: 1 })
    await fail(token, other, problemId, { mistake: C, index: 1 })
    await fail(token, left, problemId, { mistake: A })
    await merge(problemId, B, A)
    await teacher.patch(`/course/${course}/members`, { remove: [left.username] })
    const pages = await Promise.all(
      [student, merged, other, left, teacher].map((as) => openPage(as)),
    )
    const hintId = await writeHint(ta, problemId, { markdown: 'For A', mistake: A })
    const told = (times: number) => [
      Array(times).fill(submissionHint(id, null)),
      Array(times).fill(submissionHint(ofMerged, null)),
    ]
    await expect.poll(() => pages.slice(0, 2)).toEqual(told(1))
    await ta.put(`${path}/${hintId}`, { markdown: 'For all A' })
    await expect.poll(() => pages.slice(0, 2)).toEqual(told(2))
    await ta.delete(`${path}/${hintId}`)
    await expect.poll(() => pages.slice(0, 2)).toEqual(told(3))
    expect(pages.slice(2)).toEqual([[], [], []])
    // About a case: those whose last failing try failed there first.
    await writeHint(ta, problemId, { markdown: 'The case', failed: { task: 1, case: 1 } })
    await expect.poll(() => [pages[1]?.length, pages[2]?.length]).toEqual([4, 1])
    expect([pages[0]?.length, pages[3], pages[4]]).toEqual([3, [], []])
    // Merging brings the hints of the group to more people.
    await ta.put(`/problem/${problemId}/mistakes/merged`, { mistakes: [C], into: A })
    await expect.poll(() => pages.map(({ length }) => length)).toEqual([4, 5, 2, 0, 0])
    // Separating a mistake takes hints from both sides.
    await ta.put(`/problem/${problemId}/mistakes/merged`, { mistakes: [B], into: null })
    await expect.poll(() => pages.map(({ length }) => length)).toEqual([5, 6, 3, 0, 0])
  })
})

test('deleting a problem deletes its hints, their answers and what was merged', async () => {
  const { ta, teacher, student, problemId, id } = await createFailed()
  const hintId = await writeHint(ta, problemId, { markdown: 'For A', mistake: A })
  await student.put(`/submission/${id}/hints/${hintId}`, { helped: true })
  await merge(problemId, B, A)
  await teacher.delete(`/problem/manage/${problemId}`)
  const counts =
    await firstRow`select (select count(*) from hints where problem_id = ${problemId}) as hints,
    (select count(*) from hint_answers where hint_id = ${hintId}) as answers,
    (select count(*) from merged_mistakes where problem_id = ${problemId}) as merged`
  expect(counts).toEqual({ hints: 0, answers: 0, merged: 0 })
  expect(await hintsOf(student, id)).toEqual([])
})

test('a hint for a mistake that a later verdict brings waits for it', async () => {
  const { ta, student, problemId, id } = await createFailed()
  await writeHint(ta, problemId, { markdown: 'For C', mistake: C })
  expect(await hintsOf(student, id)).toEqual([])
  const row = await firstRow<{
    judgement_id: string
  }>`select judgement_id from submissions where id = ${id}`
  await noteMistake(row?.judgement_id ?? '', C)
  expect(await hintsOf(student, id)).toEqual(['For C'])
})

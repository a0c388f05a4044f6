/** A change of dates lowers no mark that late days have raised, and spends no day twice. */
import { expect, test } from 'vitest'
import { addLabel } from '../support/dated-homework.ts'
import {
  createTerm,
  DAY,
  handedIn,
  homeworkOf,
  HOUR,
  seenBy,
  setBudget,
  TENTHS,
  type Term,
} from '../support/late-days.ts'
import { allRows } from '../support/sql.ts'

/** The sums of the student in all homeworks, with the days used. */
async function marksOf(term: Term) {
  const seen = await seenBy(term, term.student)
  return seen.map(({ sum, lateDays }) => [sum, lateDays?.used])
}

/** The marks that are kept for the student, in hundredths, and what staff see of them. */
async function keptOf(term: Term) {
  const stored = await allRows<{ value: number }>`select value from kept_marks
    where user_id = ${term.student.id} order by homework_id, problem_id`
  const shown = []
  for (const { id } of term.homeworks) {
    const { data } = await term.ta.get(`/homework/${id}/kept-marks`)
    const { people } = (await term.ta.get(`/homework/${id}/dates`)).data
    const counted = people.reduce((sum: number, { kept }: { kept: number }) => sum + kept, 0)
    expect(counted).toBe(data.length)
    shown.push(...data.map(({ kept, now }: { kept: number; now: number }) => ({ kept, now })))
  }
  return { stored: stored.map(({ value }) => value), shown }
}

const NONE = { stored: [], shown: [] }

/** Moves the due time of a homework for all. @param late seconds, negative: earlier */
async function moveDue(term: Term, index: number, late: number) {
  const { id, due } = homeworkOf(term, index)
  const overrides = [{ username: null, due: due + late }]
  return (await term.ta.put(`/homework/${id}/overrides`, { overrides })).data
}

test('an extension is taken back: a late day takes its place, and nothing is kept', async () => {
  const term = await createTerm([{}])
  const { ta, student } = term
  await setBudget(term)
  await handedIn(term, student, 0, 12 * HOUR, 100)
  const { id, due } = homeworkOf(term, 0)
  const overrides = [{ username: student.username, due: due + DAY }]
  await ta.put(`/homework/${id}/overrides`, { overrides })
  expect(await marksOf(term)).toEqual([[100, 0]])
  const taken = await ta.delete(`/homework/${id}/overrides`, { usernames: [student.username] })
  expect(taken.data).toEqual({ kept: 0 })
  expect(await marksOf(term)).toEqual([[100, 1]])
  expect(await keptOf(term)).toEqual(NONE)
})

test('a label is taken away: with the days that are there, or else the mark is kept', async () => {
  const term = await createTerm([{}])
  const { ta, student, course } = term
  await setBudget(term, { size: 1 })
  await handedIn(term, student, 0, 36 * HOUR, 100)
  const { id, due } = homeworkOf(term, 0)
  const label = await addLabel(term, 'Lab', [student])
  const overrides = [{ username: null, label, due: due + DAY }]
  await ta.put(`/homework/${id}/overrides`, { overrides })
  expect(await marksOf(term)).toEqual([[100, 1]])
  const members = [{ username: student.username, labels: [] }]
  const path = `/course/${course}/labels/members`
  expect((await ta.patch(path, { members })).data).toEqual({ kept: 1 })
  // Nobody uses a day to reach a mark that is kept.
  expect(await marksOf(term)).toEqual([[100, 0]])
  expect(await keptOf(term)).toEqual({ stored: [10_000], shown: [{ kept: 100, now: 90 }] })
  await ta.patch(path, { members: [{ username: student.username, labels: [label] }] })
  expect(await marksOf(term)).toEqual([[100, 1]])
  expect(await keptOf(term)).toEqual(NONE)
  await ta.patch(path, { members })
  await ta.post(`/homework/${id}/kept-marks/confirm`, { usernames: [student.username] })
  expect(await marksOf(term)).toEqual([[90, 1]])
})

test('a due time moves a day earlier: another day is used while one is left', async () => {
  const term = await createTerm([{}])
  await setBudget(term)
  await handedIn(term, term.student, 0, 12 * HOUR, 100)
  expect(await marksOf(term)).toEqual([[100, 1]])
  expect(await moveDue(term, 0, -DAY)).toEqual({ kept: 0 })
  expect(await marksOf(term)).toEqual([[100, 2]])
  expect(await keptOf(term)).toEqual(NONE)
  expect(await moveDue(term, 0, -2 * DAY)).toEqual({ kept: 1 })
  expect(await marksOf(term)).toEqual([[100, 0]])
  expect(await keptOf(term)).toEqual({ stored: [10_000], shown: [{ kept: 100, now: 90 }] })
})

test('a change in one homework keeps the marks of another, from which it draws a day', async () => {
  const term = await createTerm([{}, {}])
  await setBudget(term, { size: 2 })
  await handedIn(term, term.student, 0, 12 * HOUR, 100)
  await handedIn(term, term.student, 1, 12 * HOUR, 50)
  expect(await marksOf(term)).toEqual([
    [100, 1],
    [50, 1],
  ])
  expect(await moveDue(term, 0, -DAY)).toEqual({ kept: 1 })
  expect(await marksOf(term)).toEqual([
    [100, 2],
    [50, 0],
  ])
  expect(await keptOf(term)).toEqual({ stored: [5_000], shown: [{ kept: 50, now: 45 }] })
})

test('a mark that is kept moves a day elsewhere, and the marks that fall by that are kept, too', async () => {
  const term = await createTerm([{}, { points: [150] }, {}])
  const [first, second, third] = [0, 1, 2].map((index) => homeworkOf(term, index))
  if (!first || !second || !third) throw new Error('no homeworks')
  const { ta, student } = term
  const form = { name: 'H0', start: first.due - 20 * DAY, end: first.due, lateRule: TENTHS }
  const problems = { problemIds: [first.problemId, third.problemId], points: [200, 100] }
  const edit = {
    ...form,
    ...problems,
    scoreboardStatus: 0,
    close: first.due + 5 * DAY,
    scoreboardNames: true,
  }
  expect((await ta.put(`/homework/${first.id}`, edit)).status).toBe(200)
  await setBudget(term, { size: 1, mostEach: 1, homeworkIds: [first.id, second.id] })
  await handedIn(term, student, 0, 12 * HOUR, 100)
  await handedIn(term, student, 1, 12 * HOUR, 100)
  await handedIn(term, student, 2, first.due - third.due - 12 * HOUR, 100)
  const before = await marksOf(term)
  expect(before.slice(0, 2)).toEqual([
    [300, 1],
    [135, 0],
  ])
  expect(await moveDue(term, 0, -DAY)).toEqual({ kept: 2 })
  expect((await marksOf(term)).slice(0, 2)).toEqual([
    [300, 0],
    [150, 1],
  ])
})

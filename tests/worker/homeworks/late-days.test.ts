/** Late days: where they are used, what they change, and how students ask for them. */
import { describe, expect, test } from 'vitest'
import { insertOverride } from '../support/dates.ts'
import {
  askedBy,
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
import { firstValue, runSql } from '../support/sql.ts'
import type { Person } from '../support/world.ts'

/** The sums of the homeworks. */
const sumsOf = async (term: Term, student = term.student) =>
  (await seenBy(term, student)).map(({ sum }) => sum)

/** The days used in the homeworks. */
const daysOf = async (term: Term, student = term.student) =>
  (await seenBy(term, student)).map(({ lateDays }) => lateDays?.used)

const ask = ({ student }: Term, id: string, days: number, as: Person = student) =>
  as.put(`/homework/${id}/late-days`, { days })

/** Three homeworks, handed in a day, two days and a day late: 100, 100 and 50 of 100. */
async function createLateTerm() {
  const term = await createTerm([{}, {}, {}])
  await handedIn(term, term.student, 0, DAY, 100)
  await handedIn(term, term.student, 1, 2 * DAY, 100)
  await handedIn(term, term.student, 2, DAY, 50)
  return term
}

describe('days that are used by themselves', () => {
  test('go where they gain most; student and staff see the same in every answer', async () => {
    const term = await createLateTerm()
    expect(await seenBy(term, term.student)).toMatchObject([
      { sum: 90, lateDays: null },
      { sum: 80, lateDays: null },
      { sum: 45, lateDays: null },
    ])
    await setBudget(term, { size: 3 })
    expect(await seenBy(term, term.student)).toMatchObject([
      { sum: 100, lateDays: { used: 1, left: 0, asked: 0, gain: 10 } },
      { sum: 100, lateDays: { used: 2, left: 0, asked: 0, gain: 20 } },
      { sum: 45, lateDays: { used: 0, left: 0, asked: 0, gain: 0 } },
    ])
    const { data } = await term.student.get(`/homework/${homeworkOf(term, 0).id}`)
    const rule = { name: 'Days', size: 3, mostEach: 2, spending: 'auto', movesClosing: false }
    expect(data.lateDays).toEqual(rule)
    // Score and late work stay as the dates of the homework have them.
    const [progress] = Object.values<object>(data.studentStatus[term.student.username])
    expect(progress).toMatchObject({ score: 0, late: { score: 100 }, mark: 100 })
  })

  test('follow what changes: a smaller budget, dates of one’s own, given points, an excuse', async () => {
    const term = await createLateTerm()
    const { student, teacher } = term
    const [first, second] = [homeworkOf(term, 0), homeworkOf(term, 1)]
    await setBudget(term, { size: 3 })
    expect(await daysOf(term)).toEqual([1, 2, 0])
    await insertOverride(first.id, student, teacher, { due: first.due + DAY })
    expect(await daysOf(term)).toEqual([0, 2, 1])
    await runSql`delete from homework_overrides where homework_id = ${first.id}`
    await teacher.put(`/homework/${second.id}/points`, {
      username: student.username,
      problemId: second.problemId,
      points: 33,
    })
    expect(await seenBy(term, student)).toMatchObject([
      { sum: 100, lateDays: { used: 1, left: 1 } },
      { sum: 33, lateDays: { used: 0, left: 1 } },
      { sum: 50, lateDays: { used: 1, left: 1, gain: 5 } },
    ])
    await insertOverride(first.id, student, teacher, { excused: true })
    expect(await seenBy(term, student)).toMatchObject([
      { sum: null, lateDays: { used: 0, left: 2, gain: 0 } },
      { sum: 33 },
      { sum: 50 },
    ])
    await runSql`delete from homework_overrides where homework_id = ${first.id}`
    await runSql`delete from staff_points where homework_id = ${second.id}`
    await setBudget(term, { size: 1 })
    expect(await daysOf(term)).toEqual([1, 0, 0])
    await runSql`insert into kept_marks values (${first.id}, ${student.id}, ${first.problemId}, 9_500)`
    expect(await daysOf(term)).toEqual([0, 1, 0])
  })

  test('a hidden problem uses none, so that staff see what the student sees', async () => {
    const term = await createLateTerm()
    await setBudget(term, { size: 1 })
    const { problemId } = homeworkOf(term, 0)
    await runSql`update problems set status = 1 where id = ${problemId}`
    const lateDays = { used: 0, left: 0 }
    for (const as of [term.student, term.ta]) {
      const { marks } = (await as.get(`/homework/${homeworkOf(term, 0).id}`)).data
      expect(marks[term.student.username]).toMatchObject({ lateDays })
      const second = (await as.get(`/homework/${homeworkOf(term, 1).id}`)).data
      expect(second.marks[term.student.username]).toMatchObject({ sum: 90, lateDays: { used: 1 } })
    }
  })

  test('with the last submission counting, they are used only where the sum becomes larger', async () => {
    const term = await createTerm([{ counts: 'last', lateRule: { kind: 'none' } }])
    const early = await handedIn(term, term.student, 0, -HOUR, 90)
    const late = await handedIn(term, term.student, 0, 5 * DAY + HOUR, 40)
    await setBudget(term, { movesClosing: true })
    const [seen] = await seenBy(term, term.student)
    expect(seen).toMatchObject({ sum: 90, counted: early, lateDays: { used: 0, left: 5 } })
    await runSql`update problem_results set attempts = json_set(attempts, '$."' || ${late} || '"[2]', 95)
      where user_id = ${term.student.id}`
    const [better] = await seenBy(term, term.student)
    expect(better).toMatchObject({
      sum: 95,
      counted: late,
      lateDays: { used: 1, left: 4, gain: 5 },
    })
  })
})

describe('the closing time', () => {
  test('moves for who has days left, and the homework stays in the list of running ones', async () => {
    const term = await createTerm([{}, {}])
    const { student, ta, now } = term
    const [first, second] = [homeworkOf(term, 0), homeworkOf(term, 1)]
    const closed = now - DAY - HOUR
    await runSql`update homeworks set end_at = ${closed - HOUR}, close_at = ${closed} where id = ${second.id}`
    const own = async (as: Person) => {
      const { data } = await as.get(`/homework/${second.id}`)
      const running = (await as.get('/homework')).data.map(({ id }: { id: string }) => id)
      return { closes: data.own.closes, status: data.status, running }
    }
    await setBudget(term, { size: 2, movesClosing: true })
    const open = { closes: closed + 2 * DAY, status: 'running', running: [second.id] }
    expect(await own(student)).toEqual(open)
    expect(await own(ta)).toMatchObject({ closes: closed, status: 'over' })
    await handedIn(term, student, 0, DAY, 100)
    const over = { closes: closed + DAY, status: 'over', running: [] }
    expect(await own(student)).toEqual(over)
    // The first homework still uses its day if the second one, too, is handed in late.
    await handedIn(
      { ...term, homeworks: [first, { ...second, due: closed }] },
      student,
      1,
      HOUR,
      100,
    )
    expect(await own(student)).toEqual({ ...over, closes: closed + DAY })
    expect(await seenBy(term, student)).toMatchObject([{ sum: 100 }, { sum: 100 }])
    await setBudget(term, { size: 2, movesClosing: false })
    expect(await own(student)).toMatchObject({ closes: closed - HOUR + DAY, status: 'over' })
    expect(await seenBy(term, student)).toMatchObject([
      { sum: 100, lateDays: { used: 1 } },
      { sum: 100, lateDays: { used: 1 } },
    ])
  })
})

describe('days that students ask for', () => {
  /** Two homeworks that were due an hour ago and close in a day, without late rules. */
  async function createAsking(rule: object = {}) {
    const term = await createTerm([{}, {}])
    await runSql`update homeworks set end_at = ${term.now - HOUR}, close_at = ${term.now + DAY}
      where id in (${homeworkOf(term, 0).id}, ${homeworkOf(term, 1).id})`
    const homeworks = term.homeworks.map((each) => ({ ...each, due: term.now - HOUR }))
    const moved = { ...term, homeworks }
    await setBudget(moved, { size: 1, mostEach: 1, spending: 'asked', ...rule })
    await handedIn(moved, term.student, 0, HOUR / 2, 100)
    return { ...moved, first: homeworkOf(moved, 0), second: homeworkOf(moved, 1) }
  }

  test('are used only then; the same call again changes nothing; they can be taken back', async () => {
    const term = await createAsking()
    expect(await sumsOf(term)).toEqual([90, 0])
    const after = { used: 1, left: 0, asked: 1, gain: 10 }
    expect(await ask(term, term.first.id, 1)).toMatchObject({ status: 200, data: after })
    const before = await firstValue`select asked_at from asked_late_days`
    await runSql`update asked_late_days set asked_at = 5`
    expect(await ask(term, term.first.id, 1)).toMatchObject({ status: 200, data: after })
    expect(await firstValue`select asked_at from asked_late_days`).toBe(5)
    expect(before).not.toBe(5)
    expect(await seenBy(term, term.student)).toMatchObject([
      { sum: 100, lateDays: after },
      { sum: 0, lateDays: { used: 0, left: 0, asked: 0, gain: 0 } },
    ])
    const none = { used: 0, left: 1, asked: 0, gain: 0 }
    expect((await ask(term, term.first.id, 0)).data).toEqual(none)
    expect(await sumsOf(term)).toEqual([90, 0])
  })

  test('of two calls at once for the last day one is refused, and two tabs spend one day', async () => {
    const term = await createAsking()
    const both = await Promise.all([ask(term, term.first.id, 1), ask(term, term.second.id, 1)])
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409])
    expect(both.find(({ status }) => status === 409)?.code).toBe('no_late_days')
    expect(await askedBy(term.student)).toBe(1)
    await runSql`delete from asked_late_days where user_id = ${term.student.id}`
    const tabs = await Promise.all([ask(term, term.first.id, 1), ask(term, term.first.id, 1)])
    expect(tabs.map(({ status, data }) => [status, data.used])).toEqual([
      [200, 1],
      [200, 1],
    ])
    expect(await askedBy(term.student)).toBe(1)
  })

  test('an extension that comes meanwhile changes both sides alike, and one day is spent', async () => {
    const term = await createAsking({ size: 2, mostEach: 2 })
    const { student, teacher, first, now } = term
    const [answer] = await Promise.all([
      ask(term, first.id, 1),
      insertOverride(first.id, student, teacher, { due: now + HOUR }),
    ])
    expect(answer.status).toBe(200)
    expect(await askedBy(student)).toBe(1)
    const [seen] = await seenBy(term, student)
    expect(seen).toEqual({
      ...seen,
      sum: 100,
      lateDays: { used: 0, left: 2, asked: 1, gain: 0 },
    })
  })

  test('are reserved while a homework is open; one that has closed holds only what it uses', async () => {
    const term = await createAsking()
    await ask(term, term.second.id, 1)
    expect(await ask(term, term.first.id, 1)).toMatchObject({ status: 409, code: 'no_late_days' })
    await runSql`update homeworks set end_at = ${term.now - 3 * DAY}, close_at = null where id = ${term.second.id}`
    expect((await ask(term, term.first.id, 1)).data).toMatchObject({ used: 1, left: 0 })
    expect(await ask(term, term.second.id, 0)).toMatchObject({ status: 409, code: 'no_late_days' })
  })

  test('are refused beyond the most for a homework, after closing, where nobody asks, and to staff', async () => {
    const term = await createAsking({ size: 5, mostEach: 2 })
    const refused = { status: 409, code: 'no_late_days' }
    expect(await ask(term, term.first.id, 3)).toMatchObject(refused)
    expect(await ask(term, term.first.id, 31)).toMatchObject({ status: 400 })
    for (const as of [term.ta, term.teacher])
      expect(await ask(term, term.first.id, 1, as)).toMatchObject({ status: 403 })
    await setBudget(term, { spending: 'auto' })
    expect(await ask(term, term.first.id, 1)).toMatchObject(refused)
    await term.teacher.put(`/course/${term.course}/late-days`, { budgets: [] })
    expect(await ask(term, term.first.id, 1)).toMatchObject(refused)
    expect(await askedBy(term.student)).toBe(0)
  })

  test('a day that was asked for keeps the homework open, and less can be asked of a budget that shrank', async () => {
    const term = await createAsking({ size: 3, mostEach: 2, movesClosing: true })
    const { first, now } = term
    await ask(term, first.id, 2)
    await runSql`update homeworks set end_at = ${now - DAY - HOUR}, close_at = ${now - DAY - HOUR} where id = ${first.id}`
    const { data } = await term.student.get(`/homework/${first.id}`)
    expect(data).toMatchObject({ status: 'running', own: { closes: now + DAY - HOUR } })
    expect((await term.student.get('/homework')).data).toHaveLength(2)
    await runSql`update late_day_budgets set size = 1`
    expect(await ask(term, first.id, 1)).toMatchObject({ status: 409 })
    await runSql`update homeworks set close_at = ${now + HOUR} where id = ${first.id}`
    expect((await ask(term, first.id, 1)).data).toMatchObject({ asked: 1 })
  })
})

describe('worked examples of courses', () => {
  const BY_15 = { ...TENTHS, percent: 15 }
  const closingAfter = (days: number) => (term: Term) =>
    runSql`update homeworks set close_at = end_at + ${days * DAY} where id = ${homeworkOf(term, 0).id}`
  const examples = [
    ['UC Berkeley CS 61BL, 23 hours late with a slip day', { close: null }, 1, 23, 88, 88],
    ['UC Berkeley CS 61BL, 25 hours late with a slip day', { close: null }, 1, 25, 88, 0],
    ['UC Berkeley CS 61BL, 23 hours late without one', { close: null }, 0, 23, 88, 0],
  ] as const
  test.each(examples)('%s', async (_name, form, days, hours, score, mark) => {
    const term = await createTerm([form])
    const { id, due } = homeworkOf(term, 0)
    await setBudget(term, { size: 8, mostEach: 1, spending: 'asked', movesClosing: true })
    await runSql`insert into asked_late_days values (${id}, ${term.student.id}, ${days}, ${due})`
    await handedIn(term, term.student, 0, hours * HOUR, score)
    expect(await sumsOf(term)).toEqual([mark])
  })

  test.each([
    ['CMU 15-213, 5 left', { lateRule: BY_15, counts: 'last' }, 5, 58, 100, 85],
    ['CMU 15-213, 1 left, multiplied', { lateRule: BY_15, counts: 'last' }, 1, 58, 80, 56],
    ['CMU 15-213, 1 left, subtracted', { lateRule: { ...BY_15, how: 'subtract' } }, 1, 58, 80, 50],
    ['CMU 15-213, after three days', { lateRule: BY_15 }, 5, 73, 100, 0],
    ['UMBC CMSC 341, one grace day', {}, 1, 48, 90, 81],
    ['Stanford CS 242, capped, one left', { lateRule: { ...TENTHS, how: 'cap' } }, 1, 48, 95, 90],
    ['Stanford CS 242, below the cap', { lateRule: { ...TENTHS, how: 'cap' } }, 1, 48, 70, 70],
  ])('%s', async (_name, form, size, hours, score, mark) => {
    const term = await createTerm([form])
    await closingAfter(3)(term)
    await setBudget(term, { size, mostEach: 2 })
    await handedIn(term, term.student, 0, hours * HOUR, score)
    expect(await sumsOf(term)).toEqual([mark])
  })

  test('Stanford CS 143: two budgets, and nothing is accepted after them', async () => {
    const term = await createTerm(Array.from({ length: 4 }, () => ({ close: null })))
    const ids = term.homeworks.map(({ id }) => id)
    const rule = { id: null, spending: 'auto', movesClosing: true }
    const budgets = [
      { ...rule, name: 'Programming', size: 3, mostEach: 3, homeworkIds: ids.slice(0, 2) },
      { ...rule, name: 'Written', size: 2, mostEach: 2, homeworkIds: ids.slice(2) },
    ]
    await term.teacher.put(`/course/${term.course}/late-days`, { budgets })
    for (const [index, hours] of [47, 23, 47, 1].entries())
      await handedIn(term, term.student, index, hours * HOUR, 90)
    expect(await seenBy(term, term.student)).toMatchObject([
      { sum: 90, lateDays: { used: 2, left: 0, gain: 90 } },
      { sum: 90, lateDays: { used: 1, left: 0 } },
      { sum: 0, counted: null, lateDays: { used: 0, left: 1 } },
      { sum: 90, lateDays: { used: 1, left: 1 } },
    ])
  })
})

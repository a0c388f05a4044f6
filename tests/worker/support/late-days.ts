/** A term with late days: homeworks of one problem each, and work that was handed in at any time. */
import { expect } from 'vitest'
import type { LateDays } from '#contract/late-days'
import { nowSeconds } from '../../../worker/lib/clock.ts'
import { UNLIMITED } from './rates.ts'
import { recordCall } from './round-trips-recorder.ts'
import { firstValue, runSql } from './sql.ts'
import { createCourse, problemForm, uniqueName, type Person } from './world.ts'

export const HOUR = 3_600
export const DAY = 24 * HOUR

/** Each day begun takes 10 % of late work. */
export const TENTHS = { kind: 'units', unitMinutes: 1_440, percent: 10, how: 'multiply', floor: 0 }

const RULE = { size: 5, mostEach: 2, spending: 'auto', movesClosing: false }

/**
 * A course whose homeworks were due twenty days ago, a day apart, and take late work for five days more.
 * @param forms what differs in each homework
 */
export async function createTerm(forms: readonly object[]) {
  const world = await createCourse()
  const { course, teacher } = world
  const now = nowSeconds()
  const homeworks: { id: string; problemId: number; due: number }[] = []
  for (const [index, form] of forms.entries()) {
    const problem = { course, ...problemForm({ problemName: uniqueName('Problem ') }) }
    const { problemId } = (await teacher.post('/problem/manage', problem)).data
    const end = now - (20 - index) * DAY
    const sent = {
      courseName: course,
      name: `H${index}`,
      start: now - 40 * DAY,
      end,
      close: end + 5 * DAY,
      lateRule: TENTHS,
      problemIds: [problemId],
      scoreboardStatus: 0,
      scoreboardNames: true,
      ...form,
    }
    const { data, message } = await teacher.post('/homework', sent)
    if (!data) throw new Error(message)
    homeworks.push({ id: data.id, problemId, due: sent.end })
  }
  return { ...world, homeworks, now }
}
export type Term = Awaited<ReturnType<typeof createTerm>>

/** A homework of the term. */
export function homeworkOf({ homeworks }: Term, index: number) {
  const found = homeworks[index]
  if (!found) throw new Error(`no homework ${index}`)
  return found
}

/** Gives homeworks a budget, by default all of the term. */
export async function setBudget(term: Term, rule: object = {}) {
  const homeworkIds = term.homeworks.map(({ id }) => id)
  const budget = { id: null, name: 'Days', ...RULE, homeworkIds, ...rule }
  const answer = await term.teacher.put(`/course/${term.course}/late-days`, { budgets: [budget] })
  expect(answer).toMatchObject({ status: 200 })
}

let submissions = 0

/** Work of a student that was judged with a score, so many seconds after the homework was due. */
export async function handedIn(
  term: Term,
  { id: userId }: Person,
  index: number,
  late: number,
  score: number,
): Promise<string> {
  const { problemId, due } = homeworkOf(term, index)
  const at = due + late
  submissions += 1
  const id = `${(at * 1000).toString(16).padStart(12, '0')}${submissions.toString(16).padStart(12, '0')}`
  const attempt = JSON.stringify({ [id]: [at, 1, score] })
  await runSql`insert into problem_results (problem_id, user_id, tries, scored, score_sum, best_score, worst_score,
      status_counts, quota_since, quota_uses, attempts)
    values (${problemId}, ${userId}, 1, 1, ${score}, ${score}, ${score}, '[0,1,0,0,0,0,0,0]', 0, 0, ${attempt})
    on conflict do update set tries = tries + 1, attempts = json_patch(attempts, excluded.attempts)`
  return id
}

/** What a student has in a homework. */
interface Seen {
  sum: number | null
  counted: string | null
  lateDays: LateDays | null
}

/** What a page shows of a student's homework. */
function seenOf(
  // oxlint-disable-next-line typescript/no-explicit-any -- answers have no types here
  { studentStatus, marks }: { studentStatus: any; marks: any },
  { username }: Person,
  problemId: number,
): Seen {
  const { sum, lateDays } = marks[username]
  return { sum, lateDays, counted: studentStatus[username]?.[problemId]?.counted ?? null }
}

/** The scoreboard of a homework, for any number of calls. */
async function boardOf(id: string, as: Person) {
  const { text } = await recordCall('GET', `/homework/${id}/scoreboard`, { as }, UNLIMITED)
  return JSON.parse(text).data
}

/** What a student has in each homework: the same in every answer, for the student and for staff. */
export async function seenBy(term: Term, student: Person): Promise<Seen[]> {
  const { course, homeworks, ta } = term
  const found: Seen[] = []
  const lists = [
    await student.get(`/course/${course}/homework`),
    await ta.get(`/course/${course}/homework`),
  ]
  const running = (await student.get('/homework')).data
  for (const { id, problemId } of homeworks) {
    const own = seenOf((await student.get(`/homework/${id}`)).data, student, problemId)
    const listed = lists.map(({ data }) => data.find((each: { id: string }) => each.id === id))
    const others = [
      (await ta.get(`/homework/${id}`)).data,
      ...listed,
      ...running.filter((each: { id: string }) => each.id === id),
    ]
    for (const each of others) expect(seenOf(each, student, problemId)).toEqual(own)
    for (const as of [student, ta]) {
      const board = await boardOf(id, as)
      const row = [board.own, ...board.others].find(
        (each) => each?.user?.username === student.username,
      )
      expect(row.sum).toBe(own.sum ?? 0)
    }
    found.push(own)
  }
  const tables = [
    await student.get(`/course/${course}/late-days`),
    await ta.get(`/course/${course}/late-days`),
  ]
  const [own, all] = tables.map(({ data }) =>
    data.people.find(
      (each: { user: { username: string } }) => each.user.username === student.username,
    ),
  )
  expect(all).toEqual(own)
  const uses = own.budgets.flatMap((each: { uses: object[] }) => each.uses)
  const used = homeworks.flatMap(({ id }, index) => {
    const { used: days = 0, gain } = found[index]?.lateDays ?? {}
    return days > 0 ? [{ homeworkId: id, name: `H${index}`, days, gain }] : []
  })
  expect(new Set(uses)).toEqual(new Set(used))
  return found
}

/** The days that a student has asked for in all homeworks. */
export const askedBy = ({ id }: Person) =>
  firstValue<number>`select coalesce(sum(days), 0) from asked_late_days where user_id = ${id}`

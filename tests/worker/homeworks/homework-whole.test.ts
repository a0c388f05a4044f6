/** Homeworks from the form to every answer, in order, beside other homeworks; and the scoreboard's order. */
import { beforeEach, describe, expect, test } from 'vitest'
import { toBoard } from '../../../worker/features/homeworks/board.ts'
import { nowSeconds } from '../../../worker/lib/clock.ts'
import { secondsOfId } from '../../../worker/lib/ids.ts'
import { plainRules } from '../support/dates.ts'
import { emptyQueue, judgeAll } from '../support/judge.ts'
import { allRows, runSql } from '../support/sql.ts'
import {
  addMember,
  createCourse,
  createPerson,
  createProblem,
  problemForm,
  registerRunner,
  submit,
  type Person,
} from '../support/world.ts'

beforeEach(emptyQueue)

/** A course with two problems. */
async function createTwo() {
  const world = await createProblem()
  const { course, teacher } = world
  const form = problemForm({ problemName: 'Second' })
  const { problemId: second } = (await teacher.post('/problem/manage', { course, ...form })).data
  return { ...world, second }
}

describe('a homework', () => {
  test('has every field of its form, its problems in the order of the form, before and after an edit', async () => {
    const { course, ta, student, problemId, second } = await createTwo()
    const start = nowSeconds() - 50
    const form = {
      name: 'First',
      markdown: '# Text',
      start,
      end: start + 500,
      problemIds: [second, problemId],
      scoreboardStatus: 0,
      scoreboardNames: true,
    }
    const { id } = (await ta.post('/homework', { ...form, courseName: course })).data
    const beside = (await ta.post('/homework', { ...form, name: 'Beside', courseName: course }))
      .data.id
    const problems = [
      { problemId: second, problemName: 'Second' },
      { problemId, problemName: 'A plus B' },
    ]
    const common = { course, status: 'running', studentStatus: {}, points: [100, 100] }
    const sums = { [student.username]: 0 }
    const whole = { ...form, ...common, ...plainRules(form, sums), id, problems }
    const read = async (as: Person, which = id) => (await as.get(`/homework/${which}`)).data
    for (const as of [ta, student]) expect(await read(as)).toEqual(whole)
    const edited = {
      name: 'Edited',
      markdown: '',
      start: start - 100,
      end: start - 50,
      problemIds: [problemId, second],
      scoreboardStatus: 1,
      scoreboardNames: false,
    }
    const headers = { 'CF-Connecting-IP': '203.0.113.80' }
    expect((await ta.put(`/homework/${id}`, edited, headers)).status).toBe(200)
    const after = {
      ...edited,
      ...common,
      ...plainRules(edited, sums),
      id,
      problems: problems.toReversed(),
      status: 'over',
    }
    for (const as of [ta, student]) expect(await read(as)).toEqual(after)
    const untouched = { ...whole, id: beside, name: 'Beside' }
    expect(await read(ta, beside)).toEqual(untouched)
    await ta.delete(`/homework/${id}`)
    expect(await read(ta, beside)).toEqual(untouched)
    expect((await ta.get(`/course/${course}/homework`)).data).toEqual([untouched])
    const { markdown: _, scoreboardStatus: _2, scoreboardNames: _3, ...due } = untouched
    expect((await student.get('/homework')).data).toEqual([due])
    const noted = await allRows`select actor_id as actor, action, detail, ip from audit_entries
      where subject = ${id} order by id`
    const entry = { actor: ta.id, detail: JSON.stringify({ course }), ip: '127.0.0.1' }
    expect(noted).toEqual([
      { ...entry, action: 'homework.create' },
      { ...entry, action: 'homework.edit', ip: '203.0.113.80' },
      { ...entry, action: 'homework.delete' },
    ])
  })

  test('may have the name of one in another course, not of one in its own, and no problem that is deleted', async () => {
    const { course, teacher, problemId, second } = await createTwo()
    const beside = await createCourse()
    const form = { name: 'Same', start: 1, end: 2, problemIds: [problemId] }
    const make = (as: Person, courseName: string, changes: object = {}) =>
      as.post('/homework', { ...form, courseName, ...changes })
    const { id } = (await make(teacher, course)).data
    expect(await make(teacher, course)).toMatchObject({ status: 409, code: 'homework_exists' })
    expect((await make(beside.teacher, beside.course, { problemIds: [] })).status).toBe(200)
    expect((await teacher.put(`/homework/${id}`, form)).status).toBe(200)
    await teacher.delete(`/problem/manage/${second}`)
    const gone = { status: 404, code: 'problem_not_found', data: { unknown: [second] } }
    const both = { problemIds: [problemId, second] }
    expect(await make(teacher, course, { name: 'Other', ...both })).toMatchObject(gone)
    expect(await teacher.put(`/homework/${id}`, { ...form, ...both })).toMatchObject(gone)
  })

  test('is listed newest start first, of equal ones the newest first; due ones by their end', async () => {
    const { course, teacher, student } = await createCourse()
    const now = nowSeconds()
    for (const [name, start, end] of [
      ['early', now - 90, now + 300],
      ['late', now - 10, now + 200],
      ['equal', now - 90, now + 100],
      ['future', now + 900, now + 950],
    ] as const)
      await teacher.post('/homework', { name, courseName: course, start, end })
    const names = async (path: string) =>
      (await student.get(path)).data.map(({ name }: { name: string }) => name)
    expect(await names(`/course/${course}/homework`)).toEqual(['future', 'late', 'equal', 'early'])
    expect(await names('/homework')).toEqual(['equal', 'late', 'early'])
  })

  test('shows staff their own progress alone where they ask for it, and students no other', async () => {
    const { course, teacher, ta, student, problemId } = await createProblem()
    const start = nowSeconds() - 50
    const form = { name: 'H', courseName: course, start, end: start + 900, problemIds: [problemId] }
    const { id } = (await ta.post('/homework', form)).data
    for (const person of [ta, student]) await submit(person, problemId)
    await judgeAll(await registerRunner())
    const path = `/course/${course}/homework`
    const shown = async (as: Person, query: string) =>
      Object.keys((await as.get(path + query)).data[0].studentStatus)
    const both = [student.username, ta.username].toSorted()
    for (const query of ['', '?progress=all']) {
      expect((await shown(ta, query)).toSorted()).toEqual(both)
      expect(await shown(student, query)).toEqual([student.username])
    }
    expect(await shown(ta, '?progress=own')).toEqual([ta.username])
    expect((await ta.get(`${path}?progress=some`)).code).toBe('bad_query')
    // The name of somebody who has left stays beside their results.
    await teacher.patch(`/course/${course}/members`, { remove: [student.username] })
    expect((await shown(ta, '')).toSorted()).toEqual(both)
    expect(Object.keys((await ta.get(`/homework/${id}`)).data.studentStatus).toSorted()).toEqual(
      both,
    )
  })

  test('counts a two-step hand-in of somebody with many by when its code came, though its id is ten minutes older', async () => {
    const { course, teacher, student, problemId } = await createProblem()
    const form = { name: 'H', courseName: course, start: 1, end: 2, problemIds: [problemId] }
    const { id } = (await teacher.post('/homework', { ...form, scoreboardStatus: 0 })).data
    const submissionId = await submit(student, problemId)
    await runSql`update submissions set score = 70 where id = ${submissionId}`
    await runSql`update problem_results set tries = 999, attempts = '{}' where problem_id = ${problemId}`
    for (const [secondsOlder, found] of [
      [600, submissionId],
      [601, undefined],
    ] as const) {
      const start = secondsOfId(submissionId) + secondsOlder
      await runSql`update submissions set accepted_at = ${start} where id = ${submissionId}`
      await runSql`update homeworks set start_at = ${start}, end_at = ${start} where id = ${id}`
      const { studentStatus } = (await teacher.get(`/homework/${id}`)).data
      expect(studentStatus[student.username]?.[problemId]?.bestId).toBe(found)
    }
  })
})

describe('the scoreboard that students see', () => {
  const person = (username: string, ...scores: (number | null | undefined)[]) => ({
    username,
    displayedName: `The ${username}`,
    role: 2 as const,
    scores: new Map(
      scores.flatMap((score, index) =>
        score === undefined ? [] : [[[7, 8][index] ?? 0, score] as const],
      ),
    ),
  })
  const row = (scores: (number | null)[], sum: number, username?: string) => ({
    user: username === undefined ? null : { username, displayedName: `The ${username}`, role: 2 },
    scores,
    sum,
  })
  const students = [
    person('none'),
    person('Zoe', 50, 20),
    person('me', 10, null),
    person('zero', 0, 0),
    person('ann', 50, 20),
    person('low', 20, 50),
    person('top', undefined, 90),
    person('half', 70),
    { ...person('new'), scores: undefined },
  ]

  test('has the best sum first, of equal ones the best at the first problem, then by name; nothing handed in last', () => {
    const options = { problemIds: [7, 8], hasNames: true }
    expect(toBoard(options, students, 'me')).toEqual({
      problemIds: [7, 8],
      own: row([10, null], 10, 'me'),
      others: [
        row([null, 90], 90, 'top'),
        row([70, null], 70, 'half'),
        row([50, 20], 70, 'ann'),
        row([50, 20], 70, 'Zoe'),
        row([20, 50], 70, 'low'),
        row([0, 0], 0, 'zero'),
        row([null, null], 0, 'new'),
        row([null, null], 0, 'none'),
      ],
    })
    const reversed = toBoard({ problemIds: [8, 7], hasNames: false }, students, 'stranger')
    expect(reversed.own).toBeNull()
    expect(reversed.others.map(({ scores, user }) => [user, ...scores])).toEqual([
      [null, 90, null],
      [null, 50, 20],
      [null, 20, 50],
      [null, 20, 50],
      [null, null, 70],
      [null, null, 10],
      [null, 0, 0],
      [null, null, null],
      [null, null, null],
    ])
  })

  test('has its students and no staff, by their names; before the start no problems, for staff neither', async () => {
    const { course, teacher, ta, student, problemId, second } = await createTwo()
    const other = await createPerson(2)
    await addMember({ course, teacher }, other)
    const now = nowSeconds()
    const form = {
      name: 'H',
      start: now - 50,
      end: now + 500,
      problemIds: [second, problemId],
      scoreboardStatus: 0,
    }
    const { id } = (await ta.post('/homework', { ...form, courseName: course })).data
    const beside = { ...form, name: 'Beside', courseName: course, problemIds: [problemId] }
    await ta.post('/homework', beside)
    for (const as of [ta, student]) await submit(as, problemId)
    await judgeAll(await registerRunner())
    const path = `/homework/${id}/scoreboard`
    const info = ({ username }: Person) => ({ username, displayedName: `The ${username}`, role: 2 })
    const solved = { user: null, scores: [null, 100], sum: 100 }
    const nothing = { user: null, scores: [null, null], sum: 0 }
    const problemIds = [second, problemId]
    expect((await student.get(path)).data).toEqual({
      problemIds,
      own: { ...solved, user: info(student) },
      others: [nothing],
    })
    expect((await other.get(path)).data).toEqual({
      problemIds,
      own: { ...nothing, user: info(other) },
      others: [solved],
    })
    expect((await ta.get(path)).data).toEqual({ problemIds, own: null, others: [solved, nothing] })
    await ta.put(`/homework/${id}`, { ...form, start: now + 400 })
    const empty = { user: null, scores: [], sum: 0 }
    expect((await ta.get(path)).data).toEqual({ problemIds: [], own: null, others: [empty, empty] })
  })
})

/** The scoreboard of a course and its summary, in every field and every tie. */
import { expect, test } from 'vitest'
import { STATUS } from '#contract/verdicts'
import { toScoreboard } from '../../../worker/features/courses/scoreboard.ts'
import { runSql } from '../support/sql.ts'
import { createPerson, createProblem, problemForm, submit, uniqueName } from '../support/world.ts'

const NOTHING = { count: 0, max: 0, min: 0, avg: 0 }

test('rows come by sum, of equal ones by name; cells have the problems asked for, in zeros where there is nothing', () => {
  const person = (id: number, username: string) => ({
    id,
    username,
    displayedName: `The ${username}`,
    role: 2 as const,
  })
  const entry = (userId: number, problemId: number, max: number) => ({
    userId,
    problemId,
    count: 2,
    max,
    min: 10,
    sum: max + 10,
  })
  const students = [person(1, 'ann'), person(2, 'Bob'), person(3, 'ada'), person(4, 'dan')]
  const entries = [
    entry(1, 8, 40),
    entry(1, 7, 30),
    entry(2, 7, 70),
    { ...entry(4, 7, 90), bestId: 'best' },
    entry(3, 9, 100),
  ]
  const cell = (max: number) => ({ count: 2, max, min: 10, avg: (max + 10) / 2 })
  const row = (username: string, seven: object, eight: object, sum: number) => ({
    user: { username, displayedName: `The ${username}`, role: 2 },
    sum,
    avg: sum / 2,
    problems: { 7: seven, 8: eight },
  })
  expect(toScoreboard(students, [7, 8], entries)).toEqual([
    row('dan', { ...cell(90), bestId: 'best' }, NOTHING, 90),
    row('ann', cell(30), cell(40), 70),
    row('Bob', cell(70), NOTHING, 70),
    row('ada', NOTHING, NOTHING, 0),
  ])
  expect(toScoreboard(students.slice(0, 1), [], entries)).toMatchObject([
    { sum: 0, avg: 0, problems: {} },
  ])
})

test('within a time it leaves out what is pending or has no score, and a problem that is deleted', async () => {
  const { course, teacher, student, problemId } = await createProblem()
  const gone = await teacher.post('/problem/manage', { course, ...problemForm() })
  await teacher.delete(`/problem/manage/${gone.data.problemId}`)
  await submit(student, problemId)
  const id = (letter: string) => letter.repeat(24)
  const attempts = {
    [id('1')]: [100, STATUS.JE, 0],
    [id('2')]: [100, STATUS.PENDING, 0],
    [id('3')]: [99, STATUS.AC, 100],
    [id('5')]: [100, STATUS.WA, 40],
    [id('4')]: [110, STATUS.WA, 40],
    [id('6')]: [110, STATUS.CE, 20],
    [id('7')]: [111, STATUS.AC, 100],
  }
  await runSql`update problem_results set attempts = ${JSON.stringify(attempts)}, scored = 5
    where problem_id = ${problemId} and user_id = ${student.id}`
  // The ids of these attempts have no real time.
  const path = `/course/${course}/scoreboard`
  const { data } = await teacher.get(`${path}?start=100`)
  expect(Object.keys(data[0].problems)).toEqual([String(problemId)])
  expect(data[0].problems[problemId]).toEqual({
    count: 4,
    max: 100,
    min: 20,
    avg: 50,
    bestId: id('7'),
  })
  const refused = await teacher.get(`${path}?pids=${problemId},${gone.data.problemId}`)
  expect(refused).toMatchObject({
    code: 'problem_not_found',
    data: { unknown: [gone.data.problemId] },
  })
})

test('the summary has every live course by name, each with its own numbers', async () => {
  const admin = await createPerson(0)
  const [one, other] = [await createProblem(), await createProblem()]
  const extra = await one.teacher.post('/problem/manage', { course: one.course, ...problemForm() })
  await one.teacher.delete(`/problem/manage/${extra.data.problemId}`)
  for (const name of ['H', 'I'])
    await one.teacher.post('/homework', { courseName: one.course, name, start: 1, end: 2 })
  for (const person of [one.student, one.ta]) await submit(person, one.problemId)
  await submit(one.student, one.problemId)
  const [first, last] = [uniqueName('AA '), uniqueName('zz ')]
  for (const course of [last, first])
    await admin.post('/course', { course, teacher: one.teacher.username })
  const { courseCount, breakdown } = (await admin.get('/course/summary')).data
  const rowOf = (name: string) => breakdown.find((row: { course: string }) => row.course === name)
  const none = { homeworkCount: 0, problemCount: 0, submissionCount: 0 }
  const counts = { userCount: 3, homeworkCount: 2, problemCount: 1, submissionCount: 3 }
  expect(rowOf(one.course)).toEqual({ course: one.course, ...counts })
  expect(rowOf(other.course)).toEqual({
    ...none,
    course: other.course,
    userCount: 3,
    problemCount: 1,
  })
  expect(rowOf(first)).toEqual({ ...none, course: first, userCount: 1 })
  const names = breakdown.map((row: { course: string }) => row.course)
  expect(names).toEqual(names.toSorted())
  expect(courseCount).toBe(names.length)
})

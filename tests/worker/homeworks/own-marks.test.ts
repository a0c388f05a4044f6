/** Marks on pages: what counts late, kept marks, points that staff gave, excused students. */
import { beforeEach, expect, test } from 'vitest'
import { STATUS, type Verdict } from '#contract/verdicts'
import { nowSeconds } from '../../../worker/lib/clock.ts'
import { insertOverride } from '../support/dates.ts'
import { emptyQueue, judgeAll } from '../support/judge.ts'
import { runSql } from '../support/sql.ts'
import {
  addStudents,
  createProblem,
  problemForm,
  registerRunner,
  submit,
  type Person,
} from '../support/world.ts'

beforeEach(emptyQueue)

const BY_TENTHS = { kind: 'units', unitMinutes: 60, percent: 10, how: 'multiply', floor: 0 }

/** A homework that was due an hour and a half ago and still takes late work; its two problems are worth 40 and 60 points. */
async function createLate(changes: object = {}) {
  const world = await createProblem()
  const { course, teacher, problemId } = world
  const [classmate] = await addStudents(world, 1)
  if (!classmate) throw new Error('no classmate')
  const other = { course, ...problemForm({ problemName: 'Second' }) }
  const { problemId: second } = (await teacher.post('/problem/manage', other)).data
  const now = nowSeconds()
  const form = {
    name: 'Late',
    start: now - 9_000,
    end: now - 5_400,
    close: now + 5_400,
    lateRule: BY_TENTHS,
    problemIds: [problemId, second],
    scoreboardStatus: 0,
  }
  const { id } = (await teacher.post('/homework', { ...form, courseName: course })).data
  await runSql`update homework_problems set points = iif(problem_id = ${problemId}, 40, 60)
    where homework_id = ${id}`
  await teacher.put('/course', { course, ...changes })
  return { ...world, classmate, second, id, now }
}
type Late = Awaited<ReturnType<typeof createLate>>

/** A student's progress on the first problem and mark, alike for the student and for staff. */
async function marksOf({ id, ta, problemId }: Late, student: Person) {
  const read = async (as: Person) => {
    const { studentStatus, marks } = (await as.get(`/homework/${id}`)).data
    const { counted, mark, kept, given } = studentStatus[student.username]?.[problemId] ?? {}
    return { counted, mark, kept, given, total: marks[student.username] }
  }
  const own = await read(student)
  expect(await read(ta)).toEqual(own)
  return own
}

/** Hands in code, has it judged, and moves it some seconds back. */
async function judged(
  { problemId }: Late,
  student: Person,
  ago: number,
  status: Verdict = STATUS.AC,
) {
  const submissionId = await submit(student, problemId)
  await judgeAll(await registerRunner(), status)
  await runSql`update submissions set accepted_at = accepted_at - ${ago} where id = ${submissionId}`
  await runSql`update problem_results set attempts = json_set(attempts, '$."' || ${submissionId} || '"[0]',
      (select accepted_at from submissions where id = ${submissionId}))
    where problem_id = ${problemId} and user_id = ${student.id}`
  return submissionId
}

test('late work counts by the rule; a due time of one’s own makes it count in full', async () => {
  const world = await createLate()
  const { teacher, student, classmate, problemId, second, id, now } = world
  const late = await judged(world, student, 0)
  await judged(world, classmate, 0, STATUS.JE)
  const total = { sum: 32, excused: false, given: null, lateDays: null }
  expect(await marksOf(world, student)).toEqual({
    counted: late,
    mark: 32,
    kept: false,
    given: null,
    total,
  })
  expect(await marksOf(world, classmate)).toMatchObject({ counted: null, mark: null })
  const board = async (as: Person) => (await as.get(`/homework/${id}/scoreboard`)).data
  expect(await board(classmate)).toMatchObject({
    problemIds: [problemId, second],
    own: { scores: [null, null], sum: 0 },
    others: [{ scores: [32, null], sum: 32 }],
  })
  await insertOverride(id, student, teacher, { due: now + 60 })
  expect(await marksOf(world, student)).toMatchObject({ mark: 40, total: { sum: 40 } })
  expect((await board(classmate)).others).toEqual([{ user: null, scores: [40, null], sum: 40 }])
})

test('what came before opening or after closing counts nothing, and the last one counts where the course says so', async () => {
  const world = await createLate()
  const { course, teacher, student, id, now } = world
  await judged(world, student, 9_500)
  const best = await judged(world, student, 8_000)
  const last = await judged(world, student, 7_000, STATUS.WA)
  expect(await marksOf(world, student)).toMatchObject({ counted: best, mark: 40 })
  await teacher.put('/course', { course, counts: 'last' })
  expect(await marksOf(world, student)).toMatchObject({ counted: last, mark: 0 })
  await runSql`update homeworks set counts = 'best', end_at = ${now - 8_500}, close_at = null where id = ${id}`
  expect(await marksOf(world, student)).toMatchObject({ counted: null, mark: null })
  const { studentStatus } = (await student.get(`/homework/${id}`)).data
  const [progress] = Object.values<object>(studentStatus[student.username])
  expect(progress).toMatchObject({ submissionIds: [], late: { submissionIds: [best, last] } })
})

test('a kept mark stands while it is higher, and points of staff stand before it', async () => {
  const world = await createLate()
  const { ta, student, classmate, problemId, second, id, now } = world
  const late = await judged(world, student, 0)
  const keep = (value: number) => runSql`insert or replace into kept_marks values
    (${id}, ${student.id}, ${problemId}, ${value})`
  await keep(8_000)
  expect(await marksOf(world, student)).toMatchObject({ counted: late, mark: 32, kept: false })
  await keep(9_050)
  expect(await marksOf(world, student)).toMatchObject({ counted: null, mark: 36.2, kept: true })
  const give = (person: Person, problem: number | null, hundredths: number) => runSql`
    insert into staff_points (homework_id, user_id, problem_id, hundredths, comment, giver_id, given_at)
    values (${id}, ${person.id}, ${problem}, ${hundredths}, 'So', ${ta.id}, ${now})`
  await give(student, problemId, 1_025)
  await give(student, null, 250)
  await give(classmate, second, 6_000)
  const given = (points: number) => ({ points, comment: 'So', by: ta.username, at: now })
  expect(await marksOf(world, student)).toEqual({
    counted: late,
    mark: 10.25,
    kept: false,
    given: given(10.25),
    total: { sum: 12.75, excused: false, given: given(2.5), lateDays: null },
  })
  // Points without a submission are a mark, too.
  expect((await classmate.get(`/homework/${id}`)).data.studentStatus).toEqual({
    [classmate.username]: {
      [second]: {
        score: 0,
        problemStatus: null,
        submissionIds: [],
        bestId: null,
        late: null,
        counted: null,
        mark: 60,
        kept: false,
        given: given(60),
      },
    },
  })
  expect((await student.get(`/homework/${id}/scoreboard`)).data).toMatchObject({
    own: { scores: [10.25, null], sum: 12.75 },
    others: [{ scores: [null, 60], sum: 60 }],
  })
  await runSql`update users set username = '*' || id, username_key = '*' || id where id = ${ta.id}`
  expect((await student.get(`/homework/${id}`)).data.marks[student.username].given.by).toBeNull()
})

test('an excused student has no marks and no sum', async () => {
  const world = await createLate()
  const { teacher, student, classmate, id } = world
  await judged(world, student, 0)
  await insertOverride(id, student, teacher, { excused: true, reason: 'Ill' })
  expect(await marksOf(world, student)).toMatchObject({
    counted: null,
    mark: null,
    total: { sum: null, excused: true },
  })
  expect((await student.get(`/homework/${id}`)).data.own).toMatchObject({ excused: true })
  const { others } = (await classmate.get(`/homework/${id}/scoreboard`)).data
  expect(others).toEqual([{ user: null, scores: [null, null], sum: 0 }])
})

test('a submission’s page has the points for its problem, for staff and its submitter, from the opening on', async () => {
  const world = await createLate()
  const { ta, teacher, student, problemId, id, now } = world
  const submissionId = await judged(world, student, 0)
  await runSql`insert into staff_points (homework_id, user_id, problem_id, hundredths, comment, giver_id, given_at)
    values (${id}, ${student.id}, ${problemId}, 3950, 'Good', ${ta.id}, ${now}),
      (${id}, ${student.id}, null, 100, 'Whole', ${ta.id}, ${now}),
      (${id}, ${world.classmate.id}, ${problemId}, 0, 'Other', ${ta.id}, ${now})`
  const given = { points: 39.5, comment: 'Good', by: ta.username, at: now }
  const shown = [{ ...given, homeworkId: id, homework: 'Late', most: 40 }]
  const givenTo = async (as: Person) => (await as.get(`/submission/${submissionId}`)).data.given
  for (const as of [student, ta, teacher]) expect(await givenTo(as)).toEqual(shown)
  await insertOverride(id, student, teacher, { opens: now + 500 })
  expect([await givenTo(student), await givenTo(ta)]).toEqual([[], shown])
})

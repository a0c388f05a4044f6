/** The work that waits for staff: in which courses, how it is counted, and what the count costs. */
import { beforeEach, expect, test } from 'vitest'
import { STATUS } from '#contract/verdicts'
import { nowSeconds } from '../../../worker/lib/clock.ts'
import { insertOverride } from '../support/dates.ts'
import { emptyQueue, judgeAll } from '../support/judge.ts'
import { recordCall } from '../support/round-trips-recorder.ts'
import { runSql } from '../support/sql.ts'
import {
  addMember,
  addStudents,
  createPerson,
  createProblem,
  registerRunner,
  submit,
  uniqueName,
  type Person,
} from '../support/world.ts'

beforeEach(emptyQueue)

const NOTHING = { courses: [], homeworks: [], submissions: [] }

async function overviewFor(as: Person) {
  const { status, data } = await as.get('/overview')
  expect(status).toBe(200)
  return data
}

/** A homework that began some seconds ago and ends in some. */
async function addHomework(
  { course, teacher, problemId }: { course: string; teacher: Person; problemId: number },
  endsIn: number,
  begunAgo = 100,
) {
  const now = nowSeconds()
  const name = uniqueName('Homework ')
  const times = { start: now - begunAgo, end: now + endsIn }
  const form = { name, courseName: course, ...times, problemIds: [problemId] }
  return { name, id: (await teacher.post('/homework', form)).data.id }
}

test('staff are told of open questions and Judge Errors by course, students and an admin elsewhere of nothing', async () => {
  const world = await createProblem()
  const { course, teacher, ta, student, problemId } = world
  const empty = { course, openQuestions: 0, judgeErrors: 0 }
  for (const as of [teacher, ta])
    expect(await overviewFor(as)).toEqual({ ...NOTHING, courses: [empty] })
  await submit(student, problemId)
  await judgeAll(await registerRunner(), STATUS.JE)
  const question = `/problem/${problemId}/questions`
  const { questionId } = (await student.post(question, { markdown: 'Why?' })).data
  await student.post(question, { markdown: 'How?' })
  await ta.post(`/question/${questionId}/messages`, { markdown: 'So.' })
  for (const as of [teacher, ta])
    expect((await overviewFor(as)).courses).toEqual([{ course, openQuestions: 1, judgeErrors: 1 }])
  for (const as of [student, await createPerson(0), await createPerson(1)])
    expect(await overviewFor(as)).toEqual(NOTHING)
  await teacher.delete('/course', { course })
  expect(await overviewFor(ta)).toEqual(NOTHING)
})

test('a submission that somebody cancelled is no Judge Error that waits', async () => {
  const { ta, student, problemId } = await createProblem()
  const id = await submit(student, problemId)
  await student.post(`/submission/${id}/cancel`)
  const { courses, submissions } = await overviewFor(ta)
  expect(courses).toMatchObject([{ judgeErrors: 0 }])
  expect(submissions).toMatchObject([{ submissionId: id, status: STATUS.JE }])
})

test('of running homeworks the five that end first come, with how many students have handed in since the start', async () => {
  const world = await createProblem()
  const { course, ta, student, problemId } = world
  const [second] = await addStudents(world, 2)
  if (!second) throw new Error('no student')
  // Staff and people who left the course do not count as students.
  const gone = await createPerson(2)
  await addMember(world, gone)
  for (const as of [student, student, second, ta, gone]) await submit(as, problemId)
  await world.teacher.patch(`/course/${course}/members`, { remove: [gone.username] })
  await runSql`update submissions set accepted_at = accepted_at - 90 where user_id = ${second.id}`
  const late = await addHomework(world, 900)
  const fresh = await addHomework(world, 800, 50)
  await addHomework(world, -10)
  await addHomework(world, 700, -60)
  const { homeworks } = await overviewFor(ta)
  expect(homeworks).toMatchObject([
    { ...fresh, course, handedIn: 1, students: 3 },
    { ...late, course, handedIn: 2, students: 3 },
  ])
  for (const endsIn of [100, 200, 300, 400]) await addHomework(world, endsIn)
  const ends = (await overviewFor(ta)).homeworks.map(({ end }: { end: number }) => end)
  expect(ends).toHaveLength(5)
  expect(ends.at(-1)).toBe(homeworks[0].end)
})

test('homeworks run, are sorted and are counted by the dates for all; dates of one student change nothing', async () => {
  const world = await createProblem()
  const { ta, student, problemId } = world
  const over = await addHomework(world, -10, 50)
  const first = await addHomework(world, 300, 50)
  await submit(student, problemId)
  await runSql`update submissions set accepted_at = accepted_at - 90 where user_id = ${student.id}`
  const now = nowSeconds()
  const listed = async () => (await overviewFor(ta)).homeworks
  const { start, end } = (await ta.get(`/homework/${first.id}`)).data
  expect(await listed()).toMatchObject([{ ...first, end, due: end, close: end, handedIn: 0 }])
  await insertOverride(over.id, student, ta, { due: now + 900 })
  await insertOverride(first.id, student, ta, { opens: start - 60, due: now + 900 })
  expect(await listed()).toMatchObject([{ ...first, end, due: end, close: end, handedIn: 0 }])
  const forAll = { opens: start - 60, due: now + 200, closes: now + 250 }
  await insertOverride(over.id, null, ta, forAll)
  expect(await listed()).toMatchObject([
    { ...over, due: now + 200, close: now + 250, handedIn: 1 },
    { ...first, end, due: end, close: end },
  ])
})

test('the newest submissions of all courses where one is staff come in order, in whatever language', async () => {
  const [one, two, foreign] = [await createProblem(), await createProblem(), await createProblem()]
  await addMember(two, one.ta, 'ta')
  await addMember(foreign, one.ta)
  const ids: string[] = []
  for (let round = 0; round < 3; round += 1) {
    ids.unshift(await submit(one.student, one.problemId, 'x', round))
    ids.unshift(await submit(two.student, two.problemId))
    await submit(foreign.student, foreign.problemId)
  }
  const claimed = { problemId: one.problemId, languageType: 0 }
  await one.student.post('/submission', claimed)
  const { submissions } = await overviewFor(one.ta)
  expect(submissions.map(({ submissionId }: { submissionId: string }) => submissionId)).toEqual(
    ids.slice(0, 5),
  )
  expect(submissions[0]).toMatchObject({
    course: two.course,
    user: { username: two.student.username },
  })
  expect(submissions[0]).not.toHaveProperty('ipAddr')
})

test('it takes one round trip beside the look-up of the session', async () => {
  const { teacher } = await createProblem()
  const { status, trips } = await recordCall('GET', '/overview', { as: teacher })
  expect([status, trips.length]).toEqual([200, 2])
})

/** Two copy searches at once, of two problems: each is started, stopped, stored and shown separately. */
import { beforeEach, expect, test } from 'vitest'
import { SEARCH_LIMIT } from '../../../worker/features/copycat/start-queries.ts'
import { useUp } from '../support/buckets.ts'
import { PRIMES, WORDS } from '../support/copycat-programs.ts'
import { emptyQueue } from '../support/judge.ts'
import { allRows, firstRow, runSql } from '../support/sql.ts'
import { deliver, finishOperations } from '../support/step-queue.ts'
import {
  addMember,
  addStudents,
  createPerson,
  createProblem,
  FITTING_ENTRIES,
  problemForm,
  submit,
  uploadZip,
  type Person,
} from '../support/world.ts'

beforeEach(emptyQueue)

/** Two problems of a course: to the first problem two students handed in the same program, to the second different ones. */
async function createTwo() {
  const world = await createProblem()
  const { course, teacher, student } = world
  const [copier] = await addStudents(world, 1)
  if (!copier) throw new Error('there is no copier')
  const made = await teacher.post('/problem/manage', { course, ...problemForm() })
  await uploadZip(teacher, made.data.problemId, FITTING_ENTRIES)
  const problems: [number, number] = [world.problemId, made.data.problemId]
  const ids = [
    await submit(student, problems[0], PRIMES),
    await submit(copier, problems[0], PRIMES, 1),
    await submit(student, problems[1], WORDS),
  ]
  const refOf = (at: 0 | 1) => ({ course, problemId: problems[at] })
  return {
    ...world,
    copier,
    problems,
    ids,
    start: (at: 0 | 1, json: object = {}) => teacher.post('/copycat', { ...refOf(at), ...json }),
    stop: (at: 0 | 1) => teacher.delete('/copycat', refOf(at)),
    look: (at: 0 | 1) => teacher.get(`/copycat?course=${course}&problemId=${problems[at]}`),
  }
}

const userOf = ({ username }: Person) => ({ username, displayedName: `The ${username}`, role: 2 })

test('each search counts, ends and shows its own programs', async () => {
  const { student, copier, ids, problems, start, look } = await createTwo()
  const [first, second] = [await start(0), await start(1)]
  expect([first.data.count, second.data.count]).toEqual([4, 2])
  expect(first.data.jobId).not.toBe(second.data.jobId)
  await finishOperations(second.data.jobId)
  expect((await look(0)).data).toEqual({ state: 'running', done: 0, total: 4, previous: null })
  const histogram = Array.from({ length: 10 }, () => 0)
  const createTime = expect.any(Number)
  expect((await look(1)).data).toEqual({
    state: 'done',
    createTime,
    submissionCount: 1,
    comparedCount: 0,
    pairCount: 0,
    histogram,
    pairs: [],
  })
  await finishOperations(first.data.jobId)
  await runSql`update submissions set created_at = created_at - 9 where problem_id = ${problems[0]}`
  const rows = await allRows<{
    id: string
    at: number
  }>`select id, created_at as at from submissions
    where id in (${ids[0]}, ${ids[1]}) order by id`
  const sides = rows.map(({ at: timestamp }, index) => ({
    submissionId: ids[index],
    user: userOf(index === 0 ? student : copier),
    timestamp,
    languageType: index,
  }))
  expect((await look(0)).data).toEqual({
    state: 'done',
    createTime,
    submissionCount: 2,
    comparedCount: 1,
    pairCount: 1,
    histogram: histogram.with(9, 1),
    pairs: [
      {
        left: sides[0],
        right: sides[1],
        similarity: 1,
        longest: expect.any(Number),
        overlap: expect.any(Number),
      },
    ],
  })
  expect((await look(1)).data.submissionCount).toBe(1)
})

test('one is stopped and the other goes on; the log says who did what', async () => {
  const { teacher, student, copier, problems, start, stop, look } = await createTwo()
  const usernames = [student.username, copier.username]
  const [first, second] = [await start(0, { usernames }), await start(1)]
  expect((await stop(0)).status).toBe(200)
  expect((await look(0)).code).toBe('report_not_found')
  expect((await look(1)).data).toMatchObject({ state: 'running', done: 0, total: 2 })
  const rows =
    await allRows`select id, state, error, finished_at is not null as over from operations
    where id in (${first.data.jobId}, ${second.data.jobId}) order by id`
  expect(rows).toEqual([
    { id: first.data.jobId, state: 'failed', error: 'It was stopped.', over: 1 },
    { id: second.data.jobId, state: 'running', error: null, over: 0 },
  ])
  await deliver({ v: 1, jobId: first.data.jobId })
  await finishOperations(second.data.jobId)
  expect((await stop(1)).code).toBe('no_report_running')
  expect((await look(1)).data.state).toBe('done')
  const entries = await allRows<{ action: string; subject: string; detail: string }>`
    select action, subject, detail from audit_entries
    where actor_id = ${teacher.id} and action like 'copycat.%' order by id`
  expect(entries.map(({ detail, ...entry }) => ({ ...entry, detail: JSON.parse(detail) }))).toEqual(
    [
      {
        action: 'copycat.start',
        subject: `problem ${problems[0]}`,
        detail: { jobId: first.data.jobId, usernames: 2 },
      },
      {
        action: 'copycat.start',
        subject: `problem ${problems[1]}`,
        detail: { jobId: second.data.jobId },
      },
      { action: 'copycat.stop', subject: `problem ${problems[0]}`, detail: {} },
    ],
  )
})

test('each person has a limit of their own', async () => {
  const { teacher, ta, course, problems, start } = await createTwo()
  await useUp(`copycat:user:${teacher.id}`, SEARCH_LIMIT)
  expect((await start(0)).code).toBe('too_many_requests')
  expect((await ta.post('/copycat', { course, problemId: problems[0] })).status).toBe(202)
})

test('a problem is searched by its own course alone, and by nobody who only learns there', async () => {
  const { course, teacher, student, problems, start, look } = await createTwo()
  const other = await createProblem()
  await addMember(other, teacher)
  const { data } = await start(0)
  await finishOperations(data.jobId)
  const asked = { course: other.course, problemId: other.problemId }
  expect((await teacher.post('/copycat', asked)).code).toBe('forbidden')
  expect((await student.post('/copycat', { course, problemId: problems[0] })).code).toBe(
    'forbidden',
  )
  const admin = await createPerson(0)
  const wrong = { course: other.course, problemId: problems[0] }
  expect((await admin.post('/copycat', wrong)).code).toBe('problem_not_found')
  expect((await admin.delete('/copycat', wrong)).code).toBe('problem_not_found')
  const path = `/copycat?course=${other.course}&problemId=${problems[0]}`
  expect((await admin.get(path)).code).toBe('problem_not_found')
  expect((await look(0)).data.state).toBe('done')
  expect(
    await firstRow`select 1 from copycat_reports where problem_id = ${other.problemId}`,
  ).toBeNull()
})

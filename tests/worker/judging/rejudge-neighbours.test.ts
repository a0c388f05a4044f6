/** Rejudges and their ends beside others: of another problem, homework, course, language or person. */
import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, test } from 'vitest'
import { STATUS, type Verdict } from '#contract/verdicts'
import { openDb } from '../../../worker/db/client.ts'
import { APPLY_SECONDS } from '../../../worker/features/judging/rejudge/operation-queries.ts'
import { storeResult } from '../../../worker/features/judging/result/result-queries.ts'
import { nowSeconds } from '../../../worker/lib/clock.ts'
import { secondsOfId } from '../../../worker/lib/ids.ts'
import { claim, emptyQueue, judgeAll, reportOf } from '../support/judge.ts'
import { allRows, firstRow, firstValue, runSql } from '../support/sql.ts'
import { finishOperations } from '../support/step-queue.ts'
import {
  addMember,
  addStudents,
  createPerson,
  createProblem,
  FITTING_ENTRIES,
  problemForm,
  registerRunner,
  submit,
  uploadZip,
  type Person,
} from '../support/world.ts'

beforeEach(emptyQueue)

const db = openDb(env.DB)

interface Ending {
  status?: Verdict
  score?: number
  runTime?: number
  memoryUsage?: number
}

/** Judges the next job with this ending; answers its submission. */
async function judgeNext(token: string, ending: Ending): Promise<string> {
  const { judgementId, submissionId, lease } = (await claim(token)).data
  const result = { ...reportOf(lease), ...ending, outputs: [] }
  if (!(await storeResult(db, judgementId, result, {}, nowSeconds()))) throw new Error('no result')
  return submissionId
}

/** Adds a problem with test data to a course. */
async function addProblem({
  course,
  teacher,
}: {
  course: string
  teacher: Person
}): Promise<number> {
  const made = await teacher.post('/problem/manage', { course, ...problemForm() })
  await uploadZip(teacher, made.data.problemId, FITTING_ENTRIES)
  return made.data.problemId
}

/** Two problems of a course, each with a wrong submission and corrected test data. */
async function createTwoMended() {
  const world = await createProblem()
  const { student, teacher, ta } = world
  const problems = [world.problemId, await addProblem(world)]
  const token = await registerRunner()
  const ids: string[] = []
  for (const id of problems) {
    ids.push(await submit(student, id))
    await judgeNext(token, { status: STATUS.WA, score: 0, runTime: 70, memoryUsage: 800 })
  }
  await runSql`update judgements set claimed_at = claimed_at - 2`
  for (const id of problems)
    await uploadZip(teacher, id, { ...FITTING_ENTRIES, '0101.out': '11\n' })
  const pathOf = (at: number) => `/problem/${problems[at]}/rejudge`
  return {
    ...world,
    problems,
    ids,
    token,
    pathOf,
    read: async (at: number) => (await ta.get(pathOf(at))).data,
    progress: async (jobId: string) => (await ta.get(`/jobs/${jobId}`)).data,
    changes: async (jobId: string) => (await ta.get(`/jobs/${jobId}/changes`)).data.items,
    start: async (at: number): Promise<string> => {
      const { jobId } = (await ta.post(pathOf(at), { earlierOnly: true, apply: false })).data
      await finishOperations(jobId)
      return jobId
    },
    /** The verdict, as the submission's page shows it. */
    shown: async (at: number) => {
      const { data } = await student.get(`/submission/${ids[at]}`)
      return [data.status, data.score, data.runTime, data.memoryUsage]
    },
  }
}

const WRONG = [STATUS.WA, 0, 70, 800]

describe('the rejudges of two problems', () => {
  test('show each its own changes, and are cancelled and applied each by itself', async () => {
    const world = await createTwoMended()
    const { ta, student, ids, problems, token, read, changes, start, progress, shown } = world
    expect([await read(0), await read(1)]).toEqual(
      [0, 1].map(() => ({ earlierCount: 1, jobId: null })),
    )
    const first = await start(0)
    expect(await read(1)).toEqual({ earlierCount: 1, jobId: null })
    const second = await start(1)
    // A new score with the same verdict counts as a change, too.
    expect(
      await judgeNext(token, { status: STATUS.WA, score: 40, runTime: 5, memoryUsage: 6 }),
    ).toBe(ids[0])
    await finishOperations(first)
    const expiresAt = secondsOfId(first) + APPLY_SECONDS
    const rejudge = { phase: 'ready', expiresAt, changedCount: 1, keptCount: 0, lostCount: 0 }
    expect(await progress(first)).toEqual({ state: 'running', done: 1, total: 1, rejudge })
    expect(await progress(second)).toMatchObject({ done: 0, rejudge: { phase: 'judging' } })
    await judgeNext(token, {})
    await finishOperations(second)
    const { username } = student
    const user = { username, displayedName: `The ${username}`, role: 2 }
    const changeOf = (at: number, status: number, score: number) => [
      {
        submissionId: ids[at],
        problemId: problems[at],
        user,
        from: { status: STATUS.WA, score: 0 },
        to: { status, score },
      },
    ]
    expect(await changes(first)).toEqual(changeOf(0, STATUS.WA, 40))
    expect(await changes(second)).toEqual(changeOf(1, STATUS.AC, 100))
    const rowOf = (id: string) => firstRow`select * from judgements where rejudge_id = ${id}`
    const other = await rowOf(second)
    await ta.post(`/jobs/${first}/apply`)
    await finishOperations(first)
    expect(await read(0)).toEqual({ earlierCount: 0, jobId: null })
    expect(await shown(0)).toEqual([STATUS.WA, 40, 5, 6])
    expect(await shown(1)).toEqual(WRONG)
    expect(await rowOf(second)).toEqual(other)
    expect(await changes(second)).toEqual(changeOf(1, STATUS.AC, 100))
    await ta.post(`/jobs/${second}/cancel`)
    expect([await shown(0), await shown(1)]).toEqual([[STATUS.WA, 40, 5, 6], WRONG])
    expect(await read(1)).toEqual({ earlierCount: 1, jobId: null })
    const counts = await allRows`select submission_id as id, count(*) as count from judgements
      where submission_id in (${ids[0]}, ${ids[1]}) group by submission_id order by submission_id`
    expect(counts).toEqual([
      { id: ids[0], count: 2 },
      { id: ids[1], count: 1 },
    ])
  })

  test('are begun anew each by itself; one that applies itself goes on beside the next', async () => {
    const { ta, token, progress, start, read, problems } = await createTwoMended()
    const [first, second] = [await start(0), await start(1)]
    await judgeAll(token)
    await finishOperations(first)
    const before = await progress(first)
    const third = await start(1)
    expect(await progress(first)).toEqual(before)
    expect((await progress(second)).result).toEqual({ cancelled: true })
    expect((await read(1)).jobId).toBe(third)
    const path = `/problem/${problems[1]}/rejudge`
    const [fourth, fifth] = [await ta.post(path, {}), await ta.post(path, {})]
    expect((await progress(third)).result).toEqual({ cancelled: true })
    for (const { data } of [fourth, fifth])
      expect((await progress(data.jobId)).state).toBe('running')
    expect((await read(1)).jobId).toBe(fifth.data.jobId)
  })
})

describe('a bulk rejudge', () => {
  test('is of each language and verdict, of its problem alone', async () => {
    const world = await createProblem({ allowedLanguage: 7 })
    const { ta, student, problemId } = world
    const neighbour = await addProblem(world)
    const token = await registerRunner()
    const made = [
      await submit(student, problemId, 'a', 0),
      await submit(student, problemId, 'b', 1),
    ]
    made.push(await submit(student, problemId, 'c', 2), await submit(student, problemId, 'd', 2))
    const beside = await submit(student, neighbour)
    const statuses = [STATUS.OLE, STATUS.CE, STATUS.TLE, STATUS.AC, STATUS.OLE] as const
    for (const status of statuses) await judgeNext(token, { status, score: 0 })
    const begin = async (json: object) => {
      const { data } = await ta.post(`/problem/${problemId}/rejudge`, json)
      await finishOperations(data.jobId)
      const judged = (await judgeAll(token)).toSorted()
      await finishOperations(data.jobId)
      return [data.count, judged]
    }
    const [first, second, third] = made
    expect(await begin({ status: [STATUS.CE, STATUS.TLE] })).toEqual([2, [second, third]])
    expect(await begin({ status: [STATUS.OLE] })).toEqual([1, [first]])
    expect(await begin({})).toEqual([4, made])
    expect(await firstValue`select count(*) from judgements where submission_id = ${beside}`).toBe(
      1,
    )
  })

  test('of a homework is of its own problems, and of none in a deleted course', async () => {
    const world = await createProblem()
    const { course, teacher, student, problemId } = world
    const second = await addProblem(world)
    const now = nowSeconds()
    const add = async (name: string, ids: number[]) => {
      const form = { courseName: course, name, start: now - 10, end: now + 100, problemIds: ids }
      return (await teacher.post('/homework', form)).data.id
    }
    const homeworks = [await add('One', [problemId]), await add('Other', [second])]
    const token = await registerRunner()
    const ids = [await submit(student, problemId), await submit(student, second)]
    await judgeAll(token)
    for (const [at, id] of ids.entries()) {
      const { data } = await teacher.post(`/homework/${homeworks[at]}/rejudge`, {})
      expect(data.count).toBe(1)
      await finishOperations(data.jobId)
      expect(await judgeAll(token)).toEqual([id])
    }
    await teacher.delete('/course', { course })
    expect((await teacher.post(`/homework/${homeworks[0]}/rejudge`, {})).code).toBe(
      'homework_not_found',
    )
  })

  test('of Judge Errors reaches no deleted course or problem, and no course where one only learns', async () => {
    const worlds = [await createProblem(), await createProblem(), await createProblem()]
    const [own, learnt, gone] = worlds
    if (!own || !learnt || !gone) throw new Error('there are no courses')
    const { ta } = own
    await addMember(learnt, ta)
    await addMember(gone, ta, 'ta')
    const deleted = await addProblem(own)
    const token = await registerRunner()
    for (const { student, problemId } of worlds) await submit(student, problemId)
    await judgeAll(token, STATUS.JE)
    await gone.teacher.delete('/course', { course: gone.course })
    await own.teacher.delete(`/problem/manage/${deleted}`)
    const requeue = (json: object) => ta.post('/runners/requeue', { status: STATUS.JE, ...json })
    expect((await requeue({})).data.count).toBe(1)
    for (const problemId of [learnt.problemId, gone.problemId, deleted])
      expect((await requeue({ problemId })).code).toBe('problem_not_found')
  })

  test('of Judge Errors of several courses is decided about by who began it, as long as they are staff of each', async () => {
    const [own, other] = [await createProblem(), await createProblem()]
    const { ta } = own
    await addMember(other, ta, 'ta')
    const token = await registerRunner()
    for (const { student, problemId } of [own, other]) await submit(student, problemId)
    await judgeAll(token, STATUS.JE)
    const { count, jobId } = (await ta.post('/runners/requeue', { status: STATUS.JE })).data
    expect(count).toBe(2)
    expect((await ta.get(`/jobs/${jobId}/changes`)).status).toBe(200)
    await runSql`delete from memberships where user_id = ${ta.id} and course_id <> (select id from courses where name = ${own.course})`
    expect((await ta.get(`/jobs/${jobId}/changes`)).code).toBe('job_not_found')
    expect((await ta.post(`/jobs/${jobId}/cancel`)).code).toBe('job_not_found')
    expect((await ta.get(`/jobs/${jobId}`)).data.state).toBe('running')
  })

  test('alone is cancelled, applied and looked at by these calls, no other operation', async () => {
    const { ta, course, problems } = await createTwoMended()
    const { jobId } = (await ta.post('/copycat', { course, problemId: problems[1] })).data
    for (const answer of [
      await ta.post(`/jobs/${jobId}/cancel`),
      await ta.post(`/jobs/${jobId}/apply`),
      await ta.get(`/jobs/${jobId}/changes`),
    ])
      expect(answer.code).toBe('job_not_found')
    expect((await ta.get(`/jobs/${jobId}`)).data).toEqual({ state: 'running', done: 0, total: 2 })
  })
})

test('the log says of each rejudge what was judged again, and by which operation', async () => {
  const { ta, course, problems, ids, token, pathOf } = await createTwoMended()
  const [problem] = problems
  const now = nowSeconds()
  const form = {
    courseName: course,
    name: 'H',
    start: now - 10,
    end: now + 100,
    problemIds: problems,
  }
  const homework = (await ta.post('/homework', form)).data.id
  const jobs: string[] = []
  const begin = async (path: string, json?: object) => {
    const { jobId } = (await ta.post(path, json)).data
    jobs.push(jobId)
    await finishOperations(jobId)
    return jobId
  }
  await begin(pathOf(0), { earlierOnly: true, apply: false })
  await judgeAll(token)
  await finishOperations(jobs[0] ?? '')
  await ta.post(`/jobs/${jobs[0]}/apply`)
  await ta.post(`/jobs/${jobs[0]}/apply`)
  await finishOperations(jobs[0] ?? '')
  await begin(pathOf(0), { status: [STATUS.AC, STATUS.WA] })
  await ta.post(`/jobs/${jobs.at(-1)}/cancel`)
  await ta.post(`/jobs/${jobs.at(-1)}/cancel`)
  await begin(`/homework/${homework}/rejudge`, {})
  await begin('/runners/requeue', { status: STATUS.JE })
  await begin('/runners/requeue', { status: STATUS.JE, problemId: problem })
  await ta.post(`/submission/${ids[0]}/rejudge`)
  const entries = await allRows<{ action: string; subject: string; detail: string }>`
    select action, subject, detail from audit_entries where actor_id = ${ta.id} and action <> 'homework.create' order by id`
  const [applied, bulk, ofHomework, ofAll, ofProblem] = jobs
  expect(entries.map(({ detail, ...entry }) => ({ ...entry, detail: JSON.parse(detail) }))).toEqual(
    [
      {
        action: 'submission.bulk_rejudge',
        subject: `problem ${problem}`,
        detail: { jobId: applied, earlierOnly: true, apply: false },
      },
      { action: 'submission.apply_rejudge', subject: applied, detail: {} },
      {
        action: 'submission.bulk_rejudge',
        subject: `problem ${problem}`,
        detail: { jobId: bulk, statuses: [STATUS.AC, STATUS.WA] },
      },
      { action: 'submission.cancel_rejudge', subject: bulk, detail: {} },
      {
        action: 'submission.bulk_rejudge',
        subject: `homework ${homework}`,
        detail: { jobId: ofHomework },
      },
      {
        action: 'submission.bulk_rejudge',
        subject: 'judge errors',
        detail: { jobId: ofAll, statuses: [STATUS.JE] },
      },
      {
        action: 'submission.bulk_rejudge',
        subject: `problem ${problem}`,
        detail: { jobId: ofProblem, statuses: [STATUS.JE] },
      },
      { action: 'submission.rejudge', subject: ids[0], detail: {} },
    ],
  )
})

test('a single rejudge ends what is under way of its submission alone', async () => {
  const world = await createProblem()
  const { ta, student, problemId } = world
  const [classmate] = await addStudents(world, 1)
  const admin = await createPerson(0)
  if (!classmate) throw new Error('there is no classmate')
  const token = await registerRunner()
  const ids = [await submit(student, problemId), await submit(classmate, problemId)]
  await claim(token)
  await claim(token)
  const other = () => firstRow`select * from judgements where submission_id = ${ids[1]}`
  const before = await other()
  await ta.post(`/submission/${ids[0]}/rejudge`)
  await admin.post(`/submission/${ids[0]}/rejudge`)
  expect(await other()).toEqual(before)
  const rows =
    await allRows`select state, priority, rank, lease_until as until, rejudge_id as rejudge,
      cases_total as total, user_id as person from judgements
    where submission_id = ${ids[0]} order by id`
  const row = {
    priority: 0,
    rank: 0,
    until: null,
    rejudge: null,
    total: 3,
    person: student.id,
  }
  expect(rows).toEqual([
    { ...row, state: 'superseded' },
    { ...row, state: 'superseded' },
    { ...row, state: 'queued' },
  ])
})

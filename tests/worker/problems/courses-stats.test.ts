import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, test } from 'vitest'
import { ATTEMPTS } from '../../../worker/db/problem-results.ts'
import { STATUS, type Verdict } from '#contract/verdicts'
import { openDb } from '../../../worker/db/client.ts'
import { historyStatements } from '../support/long-history.ts'
import { storeResult } from '../../../worker/features/judging/result/result-queries.ts'
import {
  meanAndDeviation,
  RANKED,
  toProblemStats,
} from '../../../worker/features/problems/stats.ts'
import { nowSeconds } from '../../../worker/lib/clock.ts'
import { claim, emptyQueue, reportOf } from '../support/judge.ts'
import { firstRow, firstValue, runSql } from '../support/sql.ts'
import {
  addMember,
  addStudents,
  call,
  createCourse,
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

/** The result of a judging. */
interface Ending {
  status?: Verdict
  score?: number
  runTime?: number | null
  memoryUsage?: number | null
}

/** Judges the next job with this ending, even with a score that this problem cannot give. */
async function judgeNext(token: string, ending: Ending): Promise<void> {
  const job = (await claim(token)).data
  const result = { ...reportOf(job.lease), ...ending, outputs: [] }
  if (!(await storeResult(openDb(env.DB), job.judgementId, result, {}, nowSeconds())))
    throw new Error('no result')
}

/** Submits and judges a program; answers the submission. */
async function reach(
  token: string,
  as: Person,
  problemId: number,
  ending: Ending,
): Promise<string> {
  const id = await submit(as, problemId)
  await judgeNext(token, ending)
  return id
}

const WRONG: Ending = { status: STATUS.WA, score: 0 }

describe('statistics of a problem', () => {
  test('one row per student: their best run and their leanest, whoever was first of equals', async () => {
    const { course, teacher, student, problemId } = await createProblem()
    const [second, third] = await addStudents({ course, teacher }, 3)
    if (!second || !third) throw new Error('no students')
    const token = await registerRunner()
    await reach(token, student, problemId, WRONG)
    const lean = await reach(token, student, problemId, { runTime: 40, memoryUsage: 100 })
    const fast = await reach(token, student, problemId, { runTime: 10, memoryUsage: 500 })
    const only = await reach(token, second, problemId, { runTime: 10, memoryUsage: 300 })
    await reach(token, third, problemId, { status: STATUS.WA, score: 40 })
    await reach(token, third, problemId, { status: STATUS.JE, score: 0 })
    await reach(token, teacher, problemId, { runTime: 1, memoryUsage: 1 })

    const { data } = await student.get(`/problem/${problemId}/stats`)
    expect(data).toMatchObject({
      acUserRatio: [2, 4],
      triedUserCount: 3,
      average: 80,
      scoreDistribution: [40, 100, 100],
      statusCount: { '0': 3, '1': 2, '2': 0, '3': 0, '4': 0, '5': 0, '6': 1, '7': 0 },
    })
    expect(data.std).toBeCloseTo(28.284, 3)
    const ranked = (rows: { submissionId: string; runTime: number; memoryUsage: number }[]) =>
      rows.map((row) => [row.submissionId, row.runTime, row.memoryUsage])
    expect(ranked(data.top10RunTime)).toEqual([
      [fast, 10, 500],
      [only, 10, 300],
    ])
    expect(ranked(data.top10MemoryUsage)).toEqual([
      [lean, 40, 100],
      [only, 10, 300],
    ])
    expect(data.top10RunTime[0].user.username).toBe(student.username)
  })

  test('are of this problem and of the students of its course alone, each with their best', async () => {
    const world = await createProblem({ allowedLanguage: 7 })
    const { course, teacher, ta, student, problemId } = world
    const elsewhere = await createProblem()
    await addMember(elsewhere, student)
    await addMember(elsewhere, ta, 'ta')
    const made = await teacher.post('/problem/manage', { course, ...problemForm() })
    await uploadZip(teacher, made.data.problemId, FITTING_ENTRIES)
    const token = await registerRunner()
    const fast = await reach(token, student, problemId, { runTime: 10, memoryUsage: 500 })
    const lean = await submit(student, problemId, 'print(1)', 2)
    await judgeNext(token, { runTime: 40, memoryUsage: 100 })
    await reach(token, ta, problemId, { runTime: 1, memoryUsage: 1 })
    await reach(token, student, made.data.problemId, { runTime: 1, memoryUsage: 1 })
    await reach(token, student, elsewhere.problemId, { runTime: 1, memoryUsage: 1 })
    await runSql`update submissions set created_at = created_at - 9 where id = ${lean}`
    const timestampOf = (id: string) =>
      firstValue<number>`select created_at from submissions where id = ${id}`
    const user = { username: student.username, displayedName: `The ${student.username}`, role: 2 }
    expect((await student.get(`/problem/${problemId}/stats`)).data).toEqual({
      acUserRatio: [1, 1],
      triedUserCount: 1,
      average: 100,
      std: 0,
      scoreDistribution: [100],
      statusCount: { '0': 2, '1': 0, '2': 0, '3': 0, '4': 0, '5': 0, '6': 0, '7': 0 },
      top10RunTime: [
        {
          submissionId: fast,
          user,
          runTime: 10,
          memoryUsage: 500,
          languageType: 0,
          timestamp: await timestampOf(fast),
        },
      ],
      top10MemoryUsage: [
        {
          submissionId: lean,
          user,
          runTime: 40,
          memoryUsage: 100,
          languageType: 2,
          timestamp: await timestampOf(lean),
        },
      ],
    })
  })

  test(`rank the best ${RANKED}, of equals the first handed in`, () => {
    const rows = Array.from({ length: RANKED + 2 }, (_, index) => {
      const id = String.fromCodePoint(97 + index)
      const measures = { runTimeMs: index < 3 ? 5 : 20 - index, memoryKb: index }
      return {
        user: { username: id, displayedName: '', role: 2 as const },
        bestScore: 100,
        statusCounts: [1],
        fastestId: id,
        fastestRunTimeMs: measures.runTimeMs,
        fastestMemoryKb: 1,
        fastestLanguage: 0 as const,
        fastestAt: 1,
        leanestId: id,
        leanestRunTimeMs: 1,
        leanestMemoryKb: measures.memoryKb,
        leanestLanguage: 0 as const,
        leanestAt: 1,
      }
    })
    const ranked = toProblemStats(12, rows.toReversed())
    const idsOf = (list: { submissionId: string }[]) => list.map(({ submissionId }) => submissionId)
    expect(idsOf(ranked.top10RunTime).join('')).toBe('abclkjihgf')
    expect(idsOf(ranked.top10MemoryUsage).join('')).toBe('abcdefghij')
  })

  test('of a problem nobody has tried are zeros', async () => {
    const { teacher, problemId } = await createProblem()
    expect((await teacher.get(`/problem/${problemId}/stats`)).data).toMatchObject({
      acUserRatio: [0, 1],
      triedUserCount: 0,
      average: 0,
      std: 0,
      scoreDistribution: [],
      top10RunTime: [],
      top10MemoryUsage: [],
    })
  })

  test('a rejudge takes the old result out of them', async () => {
    const { teacher, student, problemId } = await createProblem()
    const token = await registerRunner()
    const id = await reach(token, student, problemId, {})
    const stats = async () => (await teacher.get(`/problem/${problemId}/stats`)).data
    expect((await stats()).acUserRatio).toEqual([1, 1])
    await teacher.post(`/submission/${id}/rejudge`)
    expect(await stats()).toMatchObject({
      acUserRatio: [0, 1],
      triedUserCount: 1,
      average: 0,
      scoreDistribution: [],
    })
    await judgeNext(token, WRONG)
    expect(await stats()).toMatchObject({ acUserRatio: [0, 1], scoreDistribution: [0] })
  })

  test.each([
    [[], 0, 0],
    [[70], 70, 0],
    [[0, 100], 50, 50],
    [[1, 2, 3, 4], 2.5, Math.sqrt(1.25)],
  ])('mean and deviation of %j', (values, mean, deviation) => {
    expect(meanAndDeviation(values)).toEqual({ mean, deviation })
  })
})

describe('the summary of results', () => {
  test('is what counting the submissions anew gives, whatever became of them', async () => {
    const { teacher, student, problemId } = await createProblem()
    const token = await registerRunner()
    const endings: Ending[] = [WRONG, {}, { status: STATUS.JE, score: 0 }, { score: 60 }, WRONG]
    const ids: string[] = []
    for (const ending of endings) ids.push(await reach(token, student, problemId, ending))
    await submit(student, problemId)
    await teacher.post(`/submission/${ids[1]}/rejudge`)
    await student.post('/submission', { problemId, languageType: 0 })
    const counted =
      await firstRow`select count(*) as tries, sum(status >= 0 and status <> 6) as scored,
        max(case when status >= 0 and status <> 6 then score end) as best from submissions
        where problem_id = ${problemId} and user_id = ${student.id} and status <> -2`
    const kept = await firstRow`select tries, scored, best_score as best from problem_results
        where problem_id = ${problemId} and user_id = ${student.id}`
    expect(kept).toEqual(counted)
    expect(kept).toEqual({ tries: 6, scored: 3, best: 60 })
    const read = await student.get(`/problem/${problemId}`)
    expect(read.data).toMatchObject({ submitCount: 6, highScore: 60 })
    const list = await student.get(`/problem?course=${read.data.course}`)
    expect(list.data.items).toMatchObject([{ submitCount: 6, highScore: 60 }])
  })
})

describe('the scoreboard of a course', () => {
  test('has every student, zeros where nothing was judged, and keeps to the problems asked for', async () => {
    const { course, teacher, ta, student, problemId } = await createProblem()
    const [absent] = await addStudents({ course, teacher }, 1)
    const other = await teacher.post('/problem/manage', { course, ...problemForm() })
    const token = await registerRunner()
    await reach(token, student, problemId, { status: STATUS.WA, score: 40 })
    await reach(token, student, problemId, {})
    await reach(token, student, problemId, { status: STATUS.JE, score: 0 })
    await submit(student, problemId)
    const path = `/course/${course}/scoreboard`
    const nothing = { count: 0, max: 0, min: 0, avg: 0 }
    const cell = { count: 2, max: 100, min: 40, avg: 70 }
    const board = await ta.get(path)
    expect(board.data).toMatchObject([
      {
        user: { username: student.username },
        sum: 100,
        avg: 50,
        problems: { [problemId]: cell, [other.data.problemId]: nothing },
      },
      { user: { username: absent?.username }, sum: 0, avg: 0 },
    ])
    expect((await ta.get(`${path}?pids=`)).data).toEqual(board.data)
    const one = await teacher.get(`${path}?pids=${problemId},${problemId}`)
    expect(one.data).toMatchObject([
      { sum: 100, avg: 100, problems: { [problemId]: cell } },
      { sum: 0, avg: 0, problems: { [problemId]: nothing } },
    ])
    expect(Object.keys(one.data[0].problems)).toEqual([String(problemId)])
    expect((await student.get(path)).status).toBe(403)
    expect((await call('GET', path, { as: await createPerson(1) })).status).toBe(404)
  })

  test('of a time looks at what came within it, both ends included', async () => {
    const { course, teacher, student, problemId } = await createProblem()
    const token = await registerRunner()
    const now = nowSeconds()
    const best = await reach(token, student, problemId, { score: 60 })
    const { timestamp } = (await teacher.get(`/submission?course=${course}`)).data.submissions[0]
    const sumOf = async (query: string) =>
      (await teacher.get(`/course/${course}/scoreboard?pids=${problemId}&${query}`)).data[0].sum
    expect(await sumOf(`start=${timestamp}&end=${timestamp}`)).toBe(60)
    expect(await sumOf(`start=${timestamp + 1}`)).toBe(0)
    expect(await sumOf(`end=${timestamp - 1}`)).toBe(0)
    expect(await sumOf(`start=${now - 50}`)).toBe(60)
    expect(await sumOf('')).toBe(60)
    await reach(token, student, problemId, { score: 20 })
    const [row] = (await teacher.get(`/course/${course}/scoreboard?start=${timestamp}`)).data
    expect(row.problems[problemId]).toMatchObject({ count: 2, max: 60, min: 20, bestId: best })
    await reach(token, student, problemId, { score: 60 })
    const [equal] = (await teacher.get(`/course/${course}/scoreboard?start=${timestamp}`)).data
    expect(equal.problems[problemId]).toMatchObject({ count: 3, max: 60, bestId: best })
  })

  test('of a time has both ends of it where somebody has made many attempts, by when their code came', async () => {
    const { course, teacher, student, problemId } = await createProblem()
    const now = nowSeconds()
    const history = { userId: student.id, problemId, count: ATTEMPTS.kept, spacing: 60, now }
    await env.DB.batch(historyStatements(history).map((sql) => env.DB.prepare(sql)))
    const id = await reach(await registerRunner(), student, problemId, { score: 60 })
    const countOf = async (query: string) => {
      const path = `/course/${course}/scoreboard?pids=${problemId}&${query}`
      return (await teacher.get(path)).data[0].problems[problemId].count
    }
    const { acceptedAt } = (await firstRow<{ acceptedAt: number }>`
      select accepted_at as acceptedAt from submissions where id = ${id}`) ?? { acceptedAt: 0 }
    expect(await countOf(`start=${acceptedAt}&end=${acceptedAt}`)).toBe(1)
    expect(await countOf(`end=${acceptedAt}`)).toBe(ATTEMPTS.kept + 1)
    expect(await countOf(`end=${acceptedAt - 1}`)).toBe(ATTEMPTS.kept)
    // Makes the code come nine minutes after the first step.
    await runSql`update submissions set accepted_at = accepted_at + 540 where id = ${id}`
    expect(await countOf(`start=${acceptedAt + 540}`)).toBe(1)
  })

  test('knows no problems of other courses and refuses what is no number', async () => {
    const { course, teacher, problemId } = await createProblem()
    const foreign = await createProblem()
    const get = (query: string) => teacher.get(`/course/${course}/scoreboard?${query}`)
    expect(await get(`pids=${problemId},${foreign.problemId}`)).toMatchObject({
      status: 404,
      code: 'problem_not_found',
      data: { unknown: [foreign.problemId] },
    })
    for (const query of ['pids=x', 'pids=1;drop', 'start=-1', 'end=x', 'start=1e99'])
      expect((await get(query)).status, query).toBe(400)
  })
})

describe('the summary of all courses', () => {
  test('counts people, homeworks, problems and submissions of each, for admins', async () => {
    const admin = await createPerson(0)
    const { course, teacher, student, problemId } = await createProblem()
    const gone = await createCourse()
    await gone.teacher.delete('/course', { course: gone.course })
    await submit(student, problemId)
    await submit(student, problemId)
    const form = { name: 'H', courseName: course, start: 1, end: 2 }
    await teacher.post('/homework', form)
    expect((await teacher.get('/course/summary')).status).toBe(403)
    const { courseCount, breakdown } = (await admin.get('/course/summary')).data
    expect(courseCount).toBe(breakdown.length)
    expect(breakdown).toContainEqual({
      course,
      userCount: 3,
      homeworkCount: 1,
      problemCount: 1,
      submissionCount: 2,
    })
    const names = breakdown.map((item: { course: string }) => item.course)
    expect(names).not.toContain(gone.course)
    expect(names).not.toContain('Public')
  })
})

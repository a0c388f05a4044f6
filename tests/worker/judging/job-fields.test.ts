/** Every field of a job that a host gets, and every column of its rows at each step. */
import { beforeEach, describe, expect, test } from 'vitest'
import { JUDGING, RUNS } from '#contract/limits'
import { STATUS } from '#contract/verdicts'
import { nowSeconds } from '../../../worker/lib/clock.ts'
import { claim, emptyQueue, report, reportOf } from '../support/judge.ts'
import { allRows, firstRow, firstValue, runSql } from '../support/sql.ts'
import {
  addStudents,
  call,
  createProblem,
  FITTING_ENTRIES,
  problemForm,
  registerRunner,
  submit,
  uploadZip,
  type Person,
} from '../support/world.ts'

beforeEach(emptyQueue)

/** Two subtasks with different limits. */
const SUBTASKS = [
  {
    caseCount: 1,
    taskScore: 0,
    sample: true,
    memoryLimit: 65_536,
    timeLimit: 3_000,
    outputLimit: 100,
  },
  {
    caseCount: 2,
    taskScore: 100,
    sample: false,
    memoryLimit: 70_000,
    timeLimit: 2_000,
    outputLimit: 200,
  },
]

const release = (
  token: string,
  { judgementId, lease }: { judgementId: string; lease: string },
  why: object,
) =>
  call('POST', `/runner/jobs/${judgementId}/release`, {
    token,
    json: { lease, drained: false, fault: 'host', reason: 'the disk is full', ...why },
  })

const rowOf = (id: string) => firstRow`select * from judgements where id = ${id}`

/** A host's token and id. */
async function createHost(): Promise<{ token: string; id: string | null }> {
  const token = await registerRunner()
  return { token, id: await firstValue<string>`select id from runners order by id desc limit 1` }
}

test('a job has its code, its limits and its test data, and its row says whose it is and until when', async () => {
  const compare = { mode: 'checker', language: 'py3', source: 'print()' }
  const world = await createProblem({ testCase: SUBTASKS, compare, allowedLanguage: 7 })
  const { student, problemId } = world
  const other = await createProblem()
  const unhashed = () => firstValue`select count(*) from test_data_versions where sha256 is null`
  await expect.poll(unhashed).toBe(0)
  await runSql`update test_data_versions set sha256 = 'of ' || problem_id`
  const { token, id: host } = await createHost()
  const submissionId = await submit(student, problemId, 'print(1)', 2)
  const next = await submit(other.student, other.problemId, 'int main(){ }', 1)
  const version = await firstRow<{ id: string; size: number }>`select id, size_bytes as size
    from test_data_versions where problem_id = ${problemId}`
  const before = nowSeconds()
  const { judgementId, lease, ...job } = (await claim(token)).data
  expect(job).toEqual({
    submissionId,
    attempt: 1,
    leaseSeconds: JUDGING.leaseSeconds,
    language: 'py3',
    source: Buffer.from('print(1)').toString('base64'),
    testData: {
      version: version?.id,
      sha256: `of ${problemId}`,
      size: version?.size,
      url: `/api/runner/test-data/${version?.id}`,
    },
    tasks: SUBTASKS,
    compare,
    rank: 0,
    more: true,
  })
  const row = await rowOf(judgementId)
  const claimedAt = Number(row?.['claimed_at'])
  expect(claimedAt).toBeGreaterThanOrEqual(before)
  // 30 s a case, and four times its time limit.
  const hold = 1_800 + (30 + 12) + 2 * (30 + 8)
  expect(row).toMatchObject({
    submission_id: submissionId,
    rejudge_id: null,
    user_id: student.id,
    state: 'leased',
    priority: 0,
    attempt: 1,
    lease,
    lease_until: claimedAt + JUDGING.leaseSeconds,
    hold_until: claimedAt + hold,
    plan: JSON.stringify([
      [1, 0, 3_000, 1],
      [2, 100, 2_000, 0],
    ]),
    runner_id: host,
    phase: 'compiling',
    cases_done: 0,
    cases_total: 3,
    finished_at: null,
    test_data_version: version?.id,
    status: STATUS.PENDING,
    reason: null,
  })
  const others =
    await firstValue`select id from test_data_versions where problem_id = ${other.problemId}`
  const readOthers = () => call('GET', `/runner/test-data/${String(others)}`, { token })
  expect((await readOthers()).code).toBe('test_data_not_found')
  expect((await claim(token)).data).toMatchObject({
    submissionId: next,
    language: 'cpp',
    more: false,
  })

  await report(token, judgementId, { ...reportOf(lease, STATUS.WA), reason: 'the checker said so' })
  const done = await rowOf(judgementId)
  expect(done).toMatchObject({
    state: 'done',
    lease,
    lease_until: null,
    plan: null,
    status: STATUS.WA,
    score: 0,
    run_time_ms: 3,
    memory_kb: 900,
    compile_message: null,
    reason: 'the checker said so',
    outputs_key: null,
  })
  expect(JSON.parse(String(done?.['subtasks']))).toEqual(reportOf(lease, STATUS.WA).tasks)
  expect(Number(done?.['finished_at'])).toBeGreaterThanOrEqual(claimedAt)
})

test('a job that was handed back waits as new, with the reason for staff, which the next host takes away', async () => {
  const { ta, student, problemId } = await createProblem()
  const { token } = await createHost()
  const id = await submit(student, problemId)
  const job = (await claim(token)).data
  await runSql`update judgements set cases_done = 2, ticket_at = 0 where id = ${job.judgementId}`
  await release(token, job, {})
  const row = await rowOf(job.judgementId)
  expect(row).toMatchObject({
    state: 'queued',
    phase: 'queued',
    cases_done: 0,
    lease: null,
    lease_until: null,
    runner_id: null,
    plan: null,
    attempt: 0,
    rank: 1,
    reason: 'the disk is full',
  })
  expect(Number(row?.['ticket_at'])).toBeGreaterThan(0)
  const { data } = await ta.get(`/submission/${id}`)
  expect(data).toMatchObject({
    progress: { phase: 'queued', done: 0, total: 3 },
    judgements: [{ state: 'queued', reason: 'the disk is full' }],
  })
  const other = await registerRunner()
  const again = (await claim(other)).data
  expect(await rowOf(again.judgementId)).toMatchObject({ state: 'leased', reason: null })
  // The job rests for a while, and is still the first in the queue.
  await release(other, again, { fault: 'job' })
  const rested = (await ta.get(`/submission/${id}`)).data.progress
  expect(rested).toMatchObject({ phase: 'queued', position: 1 })
  const result = await report(token, job.judgementId, reportOf(job.lease))
  expect(result.code).toBe('stale_lease')
})

test('the result of one job leaves those of others, and other hosts, as they are', async () => {
  const world = await createProblem()
  const [classmate] = await addStudents(world, 1)
  if (!classmate) throw new Error('there is no classmate')
  const [one, other] = [await createHost(), await createHost()]
  const ids = [
    await submit(world.student, world.problemId),
    await submit(classmate, world.problemId),
  ]
  const [job, second] = [(await claim(one.token)).data, (await claim(other.token)).data]
  expect([job.submissionId, second.submissionId]).toEqual(ids)
  const otherHost = () => firstRow`select * from runners where id = ${other.id}`
  const before = [await rowOf(second.judgementId), await otherHost()]
  await runSql`update judgements set claimed_at = claimed_at - 100 where id = ${job.judgementId}`
  await report(one.token, job.judgementId, { ...reportOf(job.lease, STATUS.WA), judgedMs: 4_000 })
  expect([await rowOf(second.judgementId), await otherHost()]).toEqual(before)
  const host = () => firstRow`select job_seconds as seconds, busy_seconds as busy,
    verdict_counts as verdicts from runners where id = ${one.id}`
  expect(await host()).toEqual({ seconds: 4, busy: 4, verdicts: '[0,1,0,0,0,0,0,0]' })
  // The next job counts for a tenth of the average.
  const third = await submit(world.student, world.problemId)
  const { judgementId, lease } = (await claim(one.token)).data
  await runSql`update judgements set claimed_at = claimed_at - 100 where id = ${judgementId}`
  await report(one.token, judgementId, { ...reportOf(lease, STATUS.AC), judgedMs: 14_000 })
  expect(await host()).toEqual({ seconds: 5, busy: 18, verdicts: '[1,1,0,0,0,0,0,0]' })
  const statuses =
    await allRows`select id, status from submissions where user_id in (${world.student.id}, ${classmate.id}) order by id`
  expect(statuses).toEqual([
    { id: ids[0], status: STATUS.WA },
    { id: ids[1], status: STATUS.PENDING },
    { id: third, status: STATUS.AC },
  ])
})

test('a job without test data that fit is a Judge Error without figures, and says why to staff', async () => {
  const { student, ta, problemId } = await createProblem()
  const token = await registerRunner()
  const id = await submit(student, problemId)
  const job = (await claim(token)).data
  await report(token, job.judgementId, reportOf(job.lease))
  await runSql`update problems set test_data_version = null where id = ${problemId}`
  await runSql`update submissions set status = -1 where id = ${id}`
  await runSql`update judgements set state = 'queued', finished_at = null where id = ${job.judgementId}`
  expect((await claim(token)).status).toBe(204)
  const { data } = await ta.get(`/submission/${id}`)
  expect(data).toMatchObject({
    status: STATUS.JE,
    score: 0,
    runTime: null,
    memoryUsage: null,
    judgements: [
      { reason: 'The problem has no test data that fit its subtasks. Upload them, then rejudge.' },
    ],
  })
})

describe('a sample run', () => {
  const run = (as: Person, problemId: number, form: object = {}) =>
    as.post(`/problem/${problemId}/run`, { languageType: 0, code: 'int main(){}', ...form })
  const claimRun = async (token: string) =>
    (await call('POST', '/runner/jobs/claim', { token, json: { takesRuns: true } })).data

  test('has the largest limits of its own problem, as far as runs may have them', async () => {
    const world = await createProblem({ testCase: SUBTASKS })
    const [most] = SUBTASKS
    const huge = {
      ...most,
      taskScore: 100,
      sample: false,
      memoryLimit: 80_000,
      timeLimit: 60_000,
      outputLimit: 5_000,
    }
    const other = await createProblem({ testCase: [most, { ...huge, caseCount: 2 }] })
    const token = await registerRunner()
    const limits = { caseCount: 1, taskScore: 0, sample: true }
    const ids: string[] = []
    for (const [{ student, problemId }, own] of [
      [world, { memoryLimit: 70_000, timeLimit: 3_000, outputLimit: 200 }],
      [other, { memoryLimit: 80_000, timeLimit: RUNS.timeMs, outputLimit: RUNS.outputKb }],
    ] as const) {
      const { runId } = (await run(student, problemId, { inputs: ['5'], samples: true })).data
      const before = nowSeconds()
      const { lease, ...job } = await claimRun(token)
      ids.push(runId)
      expect(job).toEqual({
        judgementId: runId,
        submissionId: runId,
        attempt: 1,
        leaseSeconds: JUDGING.leaseSeconds,
        language: 'c',
        source: Buffer.from('int main(){}').toString('base64'),
        rank: 0,
        more: false,
        testData: {
          inputs: [
            { input: '1 2', expected: '3' },
            { input: '5', expected: null },
          ],
        },
        tasks: [0, 1].map(() => ({ ...limits, ...own })),
        compare: { mode: 'lines' },
      })
      const row = await firstRow<{ until: number; hold: number }>`
        select lease_until as until, hold_until as hold from judgements where id = ${runId}`
      const claimedAt = Number(row?.until) - JUDGING.leaseSeconds
      expect(claimedAt).toBeGreaterThanOrEqual(before)
      expect(row?.hold).toBe(claimedAt + RUNS.holdSeconds)
      expect(lease).toHaveLength(43)
    }
    expect(new Set(ids).size).toBe(2)
  })

  test('is another one for another problem, language or input, and for another person', async () => {
    const world = await createProblem()
    const { student, ta, course, teacher, problemId } = world
    const made = await teacher.post('/problem/manage', { course, ...problemForm() })
    await uploadZip(teacher, made.data.problemId, FITTING_ENTRIES)
    const token = await registerRunner()
    const first = (await run(student, problemId)).data.runId
    expect((await run(ta, problemId)).data.runId).not.toBe(first)
    let last = first
    for (const [id, form] of [
      [made.data.problemId, {}],
      [made.data.problemId, { languageType: 1 }],
      [made.data.problemId, { languageType: 1, inputs: ['7'] }],
    ] as const) {
      const { runId } = (await run(student, id, form)).data
      expect(runId).not.toBe(last)
      expect((await run(student, id, form)).data.runId).toBe(runId)
      last = runId
      const jobs = [await claimRun(token), await claimRun(token)]
      const job = jobs.find((each) => each?.judgementId === runId)
      expect(job).toMatchObject({
        attempt: 1,
        language: id === problemId || !('languageType' in form) ? 'c' : 'cpp',
      })
      expect((await student.get(`/run/${runId}`)).data).toMatchObject({
        problemId: id,
        state: 'running',
      })
    }
  })

  test('that takes the place of an ended one, or of one that was handed back, begins anew', async () => {
    const { student, problemId } = await createProblem()
    const token = await registerRunner()
    await run(student, problemId)
    const job = await claimRun(token)
    const tasks = [
      {
        status: 0,
        score: 0,
        runTime: 3,
        memoryUsage: 9,
        cases: [{ status: 0, runTime: 3, memoryUsage: 9 }],
      },
    ]
    const result = { lease: job.lease, status: 0, score: 0, runTime: 3, memoryUsage: 9, tasks }
    const whole = { ...result, compileMessage: null, reason: null, outputs: [] }
    expect((await report(token, job.judgementId, whole)).status).toBe(200)
    for (const code of ['int main(){}', 'int main(){ }', 'int main(){  }']) {
      const { runId } = (await run(student, problemId, { code })).data
      expect(runId).not.toBe(job.judgementId)
      expect((await student.get(`/run/${runId}`)).data).toEqual({
        runId,
        problemId,
        state: 'queued',
        status: null,
        compileMessage: null,
        cases: [],
      })
      const mine = await claimRun(token)
      expect(mine).toMatchObject({ judgementId: runId, attempt: 1 })
      // A run that is handed back goes to other hosts, so this host gets the next one.
      await release(token, mine, {})
    }
  })
})

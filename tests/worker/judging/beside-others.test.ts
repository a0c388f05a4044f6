/** Jobs, runs and hosts beside others, and changes that no call of theirs causes. */
import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, test } from 'vitest'
import { JUDGING, RUNS } from '#contract/limits'
import { submissionHint, type LiveHint } from '#contract/live'
import { STATUS } from '#contract/verdicts'
import { openDb } from '../../../worker/db/client.ts'
import { claimJob } from '../../../worker/features/judging/claim/claim.ts'
import { failExhausted } from '../../../worker/features/judging/lease/lost-job-queries.ts'
import { nowSeconds } from '../../../worker/lib/clock.ts'
import { newSecret } from '../../../worker/lib/ids.ts'
import {
  claim,
  createClaimedJob,
  emptyQueue,
  judgeAll,
  report,
  reportOf,
} from '../support/judge.ts'
import { noteMessages } from '../support/messages.ts'
import { allRows, firstRow, firstValue, runSql } from '../support/sql.ts'
import { finishOperations, workerEnv } from '../support/step-queue.ts'
import { takeResult } from '../support/take-result.ts'
import {
  addStudents,
  call,
  createProblem,
  FITTING_ENTRIES,
  registerRunner,
  submit,
  uploadZip,
  type Person,
} from '../support/world.ts'

const db = openDb(env.DB)

beforeEach(async () => {
  await emptyQueue()
  await runSql`update runners set heartbeat_at = 1`
})

const newestHost = () => firstValue<string>`select id from runners order by id desc limit 1`

const release = (token: string, job: { judgementId: string; lease: string }, why: object) =>
  call('POST', `/runner/jobs/${job.judgementId}/release`, {
    token,
    json: { lease: job.lease, drained: false, fault: 'job', reason: 'unreadable', ...why },
  })

describe('a claim', () => {
  test('tells whose program it is that one is judged and that another cannot be', async () => {
    const world = await createProblem()
    const [classmate] = await addStudents(world, 1)
    if (!classmate) throw new Error('there is no classmate')
    const ids = [
      await submit(world.student, world.problemId),
      await submit(classmate, world.problemId),
    ]
    await runSql`delete from submission_sources where submission_id = ${ids[0]}`
    await registerRunner()
    const told: [number, LiveHint][] = []
    const claimant = { id: (await newestHost()) ?? '', slots: 2 }
    const { job } = await claimJob(db, claimant, newSecret(), (userId, hint) =>
      told.push([userId, hint]),
    )
    expect(job?.submissionId).toBe(ids[1])
    expect(told).toEqual([
      [world.student.id, submissionHint(ids[0] ?? '', null)],
      [classmate.id, submissionHint(ids[1] ?? '', { phase: 'compiling', done: 0, total: 3 })],
    ])
  })

  test('counts the cases that there are by then', async () => {
    const { student, teacher, problemId } = await createProblem()
    const token = await registerRunner()
    const id = await submit(student, problemId)
    const { data: form } = await teacher.get(`/problem/manage/${problemId}`)
    const testCase = [form.testCase[0], { ...form.testCase[1], caseCount: 1 }]
    await teacher.put(`/problem/manage/${problemId}`, { ...form, testCase })
    const { '0101.in': _in, '0101.out': _out, ...fitting } = FITTING_ENTRIES
    await uploadZip(teacher, problemId, fitting)
    await claim(token)
    expect((await student.get(`/submission/${id}`)).data.progress).toMatchObject({ total: 2 })
  })

  test('gets no job whose lease still runs, however short', async () => {
    const { job } = await createClaimedJob()
    await runSql`update judgements set lease_until = ${nowSeconds() + 20} where id = ${job.judgementId}`
    expect((await claim(await registerRunner())).status).toBe(204)
  })

  test('says that there is more where only a sample run is left', async () => {
    const { student, problemId } = await createProblem()
    const token = await registerRunner()
    await submit(student, problemId)
    await submit(student, problemId)
    expect((await claim(token)).data.more).toBe(true)
    const run = { languageType: 0, code: 'int main(){}' }
    await student.post(`/problem/${problemId}/run`, run)
    expect((await claim(token)).data.more).toBe(true)
    await submit(student, problemId)
    await runSql`delete from judgements where submission_id is null`
    expect((await claim(token)).data.more).toBe(false)
  })
})

describe('a sample run', () => {
  const run = async (as: Person, problemId: number): Promise<string> => {
    const json = { languageType: 0, code: 'int main(){}' }
    return (await as.post(`/problem/${problemId}/run`, json)).data.runId
  }
  const claimRun = (token: string) =>
    call('POST', '/runner/jobs/claim', { token, json: { takesRuns: true } })

  test('has the first samples of the statement, each with its own output', async () => {
    const numbers = Array.from({ length: RUNS.inputs + 1 }, (_, index) => index)
    const description = {
      description: 'Add.',
      sampleInput: numbers.map((number) => `${number} 1`),
      sampleOutput: numbers.map((number) => `${number + 1}`),
    }
    const { student, problemId } = await createProblem({ description })
    await run(student, problemId)
    const { testData } = (await claimRun(await registerRunner())).data
    expect(testData.inputs).toEqual(
      numbers
        .slice(0, RUNS.inputs)
        .map((number) => ({ input: `${number} 1`, expected: `${number + 1}` })),
    )
  })

  test('is taken in its turn, and by the host that handed it back once its pause is over', async () => {
    const world = await createProblem()
    const students = await addStudents(world, 2)
    const ids: string[] = []
    for (const as of students) ids.push(await run(as, world.problemId))
    const token = await registerRunner()
    await registerRunner()
    const first = (await claimRun(token)).data
    expect(first.judgementId).toBe(ids[0])
    expect((await claimRun(token)).data.judgementId).toBe(ids[1])
    await release(token, first, {})
    expect((await claimRun(token)).status).toBe(204)
    await runSql`update hand_backs set last_at = 1 where judgement_id = ${ids[0]}`
    expect((await claimRun(token)).data).toMatchObject({ judgementId: ids[0], attempt: 1 })
  })

  test('is extended by its own host alone, which ends no run of others by its start', async () => {
    const world = await createProblem()
    const students = await addStudents(world, 2)
    for (const as of students) await run(as, world.problemId)
    const [one, other] = [await registerRunner(), await registerRunner()]
    const [own, others] = [(await claimRun(one)).data, (await claimRun(other)).data]
    const until = nowSeconds() + 5
    await runSql`update judgements set lease_until = ${until} where finished_at is null`
    const untils = async () =>
      Promise.all(
        [own, others].map(
          ({ judgementId }) =>
            firstValue<number>`select lease_until from judgements where id = ${judgementId}`,
        ),
      )
    const beat = (active: string[], started: boolean) =>
      call('POST', '/runner/heartbeat', {
        token: one,
        json: { active, started, slots: 4, free: 3, load: 0 },
      })
    await beat([own.judgementId, others.judgementId], false)
    const [extended, left] = await untils()
    expect(extended).toBeGreaterThan(until)
    expect(left).toBe(until)
    await beat([], true)
    const [ended, kept] = await untils()
    expect(ended).toBeLessThan(nowSeconds())
    expect(kept).toBe(until)
  })

  test('tells its person, and nobody else, that it has ended', async () => {
    const world = await createProblem()
    const students = await addStudents(world, 2)
    const token = await registerRunner()
    for (const as of students) {
      const runId = await run(as, world.problemId)
      const { lease } = (await claimRun(token)).data
      const result = { status: STATUS.AC, runTime: 3, memoryUsage: 9 } as const
      const done = {
        lease,
        score: 0,
        ...result,
        tasks: [{ ...result, score: 0, cases: [result] }],
        compileMessage: null,
        reason: null,
        outputs: [],
      }
      expect(await takeResult(workerEnv, db, runId, done, nowSeconds())).toEqual({
        userId: as.id,
        submissionId: null,
        hint: { kind: 'run', runId },
      })
      expect((await as.get(`/run/${runId}`)).data).toMatchObject({ state: 'done', status: 0 })
    }
  })
})

test('a result that cannot be counts against its own host alone', async () => {
  const { token, job } = await createClaimedJob()
  const own = await newestHost()
  await registerRunner()
  await report(token, job.judgementId, { ...reportOf(job.lease), score: 99 })
  const refused =
    await allRows`select id from runners where refused_results > 0 and heartbeat_at > 1`
  expect(refused).toEqual([{ id: own }])
})

test('a verdict other than Judge Error gives no quota back', async () => {
  const { student, problemId } = await createProblem({ quota: 8 })
  const token = await registerRunner()
  const used = async () => (await student.get(`/problem/${problemId}`)).data.quotaUsed
  let expected = 0
  for (const status of [0, 1, 2, 3, 4, 5, 7] as const) {
    await submit(student, problemId)
    await judgeAll(token, status)
    expected += 1
    expect([status, await used()]).toEqual([status, expected])
  }
  await submit(student, problemId)
  await judgeAll(token, STATUS.JE)
  expect(await used()).toBe(expected)
})

describe('a job whose attempts are used up', () => {
  const useUp = (judgementId: string) =>
    runSql`update judgements set attempt = ${JUDGING.maxAttempts} where id = ${judgementId}`

  test('ends with the hand-back of its host', async () => {
    const { student, token, id, job } = await createClaimedJob()
    await useUp(job.judgementId)
    await release(token, job, {})
    const status = async () => (await student.get(`/submission/${id}`)).data.status
    await expect.poll(status).toBe(STATUS.JE)
    const row = await firstRow`select state, status, lease, lease_until as until, reason
      from judgements where id = ${job.judgementId}`
    expect(row).toEqual({
      state: 'failed',
      status: STATUS.JE,
      lease: null,
      until: null,
      reason:
        'Given up after 3 attempts: no runner brought this submission to an end. Last: unreadable',
    })
  })

  test('ends with the start of its host; another job of that host goes on', async () => {
    const world = await createProblem()
    const [classmate] = await addStudents(world, 1)
    if (!classmate) throw new Error('there is no classmate')
    const token = await registerRunner()
    const id = await submit(world.student, world.problemId)
    await submit(classmate, world.problemId)
    const [used, left] = [(await claim(token)).data, (await claim(token)).data]
    await useUp(used.judgementId)
    const { call: callNoted, takeTickets } = noteMessages()
    const json = { active: [], started: true, slots: 4, free: 4, load: 0 }
    expect((await callNoted('POST', '/runner/heartbeat', { token, json })).status).toBe(200)
    expect(takeTickets()).toContain(left.judgementId)
    expect((await world.student.get(`/submission/${id}`)).data.status).toBe(STATUS.JE)
    expect((await claim(await registerRunner())).data.judgementId).toBe(left.judgementId)
  })

  test('for a bulk rejudge changes nothing of a submission that is judged again meanwhile', async () => {
    const { student, ta, problemId } = await createProblem()
    const token = await registerRunner()
    const id = await submit(student, problemId)
    await judgeAll(token, STATUS.WA)
    await finishOperations((await ta.post(`/problem/${problemId}/rejudge`, {})).data.jobId)
    await ta.post(`/submission/${id}/rejudge`)
    await runSql`update judgements set attempt = ${JUDGING.maxAttempts} where rejudge_id is not null`
    expect(await failExhausted(db, nowSeconds())).toEqual([])
    expect((await student.get(`/submission/${id}`)).data.status).toBe(STATUS.PENDING)
    expect(await judgeAll(token)).toEqual([id])
    expect((await student.get(`/submission/${id}`)).data.status).toBe(STATUS.AC)
  })
})

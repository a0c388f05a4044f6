/** Unusual calls of runners: repeated results, sizes, ranges, claims while a problem is edited. */
import { beforeEach, describe, expect, test } from 'vitest'
import { cutText } from '#contract/cut-text'
import {
  COMPILE_MESSAGE_BYTES,
  COUNT_LIMITS,
  KEPT_OUTPUT_BYTES,
  REASON_LENGTH,
} from '#contract/limits'
import { resultFault } from '#contract/judging/result-check'
import { STATUS } from '#contract/verdicts'
import {
  claim,
  createClaimedJob,
  emptyQueue,
  outputOf,
  report,
  reportOf,
} from '../support/judge.ts'
import { countedTrips } from '../support/round-trips.ts'
import { recordCall } from '../support/round-trips-recorder.ts'
import { allRows, firstValue, runSql } from '../support/sql.ts'
import {
  call,
  createProblem,
  fetchApi,
  FITTING_ENTRIES,
  problemForm,
  registerRunner,
  submit,
  uploadZip,
} from '../support/world.ts'

beforeEach(emptyQueue)

describe('a result', () => {
  test('with the lease of another one, sent at once or later, leaves the outputs of the stored one alone [QF5]', async () => {
    const { student, problemId } = await createProblem()
    const token = await registerRunner()
    for (let round = 0; round < 5; round += 1) {
      const id = await submit(student, problemId)
      const { judgementId, lease } = (await claim(token)).data
      const answers = await Promise.all(
        [STATUS.AC, STATUS.WA].map((status) =>
          report(
            token,
            judgementId,
            reportOf(lease, status, [outputOf({ stdout: `verdict ${status}` })]),
          ),
        ),
      )
      expect(answers.map(({ status }) => status)).toEqual([200, 200])
      await report(token, judgementId, reportOf(lease, STATUS.TLE, [outputOf({ stdout: 'later' })]))
      const { status } = (await student.get(`/submission/${id}`)).data
      const output = await student.get(`/submission/${id}/output/0/0`)
      expect(output.data.stdout).toBe(`verdict ${status}`)
    }
  })

  test('beyond the sizes of the protocol is refused by field', async () => {
    const { student, problemId } = await createProblem()
    const token = await registerRunner()
    await submit(student, problemId)
    const { judgementId, lease } = (await claim(token)).data
    const whole = reportOf(lease)
    const many = <T>(count: number, thing: T) => Array.from({ length: count }, () => thing)
    const subtask = { ...whole.tasks[0], cases: many(COUNT_LIMITS.casesPerSubtask + 1, null) }
    for (const [changes, path] of [
      [{ compileMessage: 'x'.repeat(COMPILE_MESSAGE_BYTES + 1) }, ['compileMessage']],
      [{ tasks: many(COUNT_LIMITS.subtasks + 1, whole.tasks[0]) }, ['tasks']],
      [{ tasks: [subtask] }, ['tasks', 0, 'cases']],
      [
        { outputs: [outputOf({ stdout: 'x'.repeat(KEPT_OUTPUT_BYTES + 3) })] },
        ['outputs', 0, 'stdout'],
      ],
    ] as const) {
      const answer = await report(token, judgementId, { ...whole, ...changes })
      expect(answer.status).toBe(400)
      expect(answer.data.map((error: { path: unknown }) => error.path)).toContainEqual(path)
    }
    const largest = { outputs: [outputOf({ stdout: 'x'.repeat(KEPT_OUTPUT_BYTES) })] }
    expect((await report(token, judgementId, { ...whole, ...largest })).status).toBe(200)
    await submit(student, problemId)
    const refused = (await claim(token)).data
    const error = {
      ...reportOf(refused.lease, STATUS.CE),
      compileMessage: 'x'.repeat(COMPILE_MESSAGE_BYTES),
    }
    expect((await report(token, refused.judgementId, error)).status).toBe(200)
  })
})

describe('a reason of characters that take two UTF-16 units', () => {
  test.each(['', 'x'])('is taken as runners cut it, after %j', async (before) => {
    const { student, problemId } = await createProblem()
    const token = await registerRunner()
    const id = await submit(student, problemId)
    const { judgementId, lease, tasks: subtasks } = (await claim(token)).data
    const text = before + '\u{1f600}'.repeat(REASON_LENGTH)
    for (const [reason, status] of [
      [text.slice(0, REASON_LENGTH - 1 + before.length), 400],
      [cutText(text, REASON_LENGTH - 1 + before.length), 200],
    ] as const) {
      const whole = { ...reportOf(lease, STATUS.WA), outputs: [], reason }
      expect(resultFault(subtasks, whole) === null).toBe(status === 200)
      expect((await report(token, judgementId, whole)).status).toBe(status)
    }
    expect((await student.get(`/submission/${id}`)).data.status).toBe(STATUS.WA)
  })
})

describe('test data by ranges', () => {
  test('a range that lies outside is a 416 that says how large the zip is', async () => {
    const { student, problemId } = await createProblem()
    const token = await registerRunner()
    await submit(student, problemId)
    const { url, size } = (await claim(token)).data.testData
    const path = url.replace('/api', '')
    const read = (range: string) => fetchApi('GET', path, { token, headers: { Range: range } })
    for (const range of [`bytes=${size}-`, `bytes=${size + 10}-${size + 20}`, 'bytes=-0']) {
      const answer = await read(range)
      expect(answer.status, range).toBe(416)
      expect(answer.headers.get('Content-Range')).toBe(`bytes */${size}`)
      expect(await answer.json()).toMatchObject({ status: 'err', code: 'bad_range' })
    }
    const last = await read(`bytes=${size - 1}-`)
    expect(last.status).toBe(206)
    expect(last.headers.get('Content-Range')).toBe(`bytes ${size - 1}-${size - 1}/${size}`)
    expect((await last.arrayBuffer()).byteLength).toBe(1)
    const end = await read(`bytes=-${size + 5}`)
    expect(end.headers.get('Content-Range')).toBe(`bytes 0-${size - 1}/${size}`)
    const start = await read('bytes=2-3')
    expect(new Uint8Array(await start.arrayBuffer())).toEqual(new Uint8Array([3, 4]))
    // An invalid range gets the whole zip.
    for (const range of ['bytes=x', 'lines=1-2', 'bytes=-', 'bytes=5-4', 'bytes=0-1,4-5'])
      expect((await (await read(range)).arrayBuffer()).byteLength, range).toBe(size)
  })
})

describe('a claim while the problem is edited', () => {
  test('names test data that fit the subtasks it comes with', async () => {
    const { student, teacher, problemId } = await createProblem()
    const token = await registerRunner()
    const small = problemForm()
    small.testCase[1] = { caseCount: 1, taskScore: 100, memoryLimit: 65_536, timeLimit: 1000 }
    const save = (json: object) => teacher.put(`/problem/manage/${problemId}`, json)
    await save(small)
    const { '0101.in': _in, '0101.out': _out, ...fewer } = FITTING_ENTRIES
    expect((await uploadZip(teacher, problemId, fewer)).status).toBe(200)
    const versions = await allRows<{ id: string; counts: string }>`
      select id, case_counts as counts from test_data_versions where problem_id = ${problemId}`
    const countsOf = new Map(versions.map(({ id, counts }) => [id, counts]))
    expect(countsOf.size).toBe(2)
    for (let round = 0; round < 8; round += 1) {
      await submit(student, problemId)
      const [job] = await Promise.all([
        claim(token),
        save(round % 2 === 0 ? problemForm() : small),
        save(round % 2 === 0 ? small : problemForm()),
      ])
      const { tasks: subtasks, testData } = job.data
      const counts = subtasks.map((subtask: { caseCount: number }) => subtask.caseCount)
      expect(JSON.stringify(counts)).toBe(countsOf.get(testData.version))
    }
  })

  test('is one round trip', async () => {
    const { student, problemId } = await createProblem()
    const token = await registerRunner()
    await submit(student, problemId)
    const { status, trips } = await recordCall('POST', '/runner/jobs/claim', { token })
    expect(status).toBe(200)
    expect(countedTrips(trips)).toHaveLength(1)
  })
})

test.each([
  ['not what it waited for its slot', 60, 250, 0.25],
  ['never more than its host had it', 10, 10 ** 9, 11],
  ['of an older host from claim to result', 60, undefined, 60],
])(
  'a job takes the time that a slot judged it: %s',
  async (_what, heldSeconds, judgedMs, expected) => {
    const { token, job } = await createClaimedJob()
    await runSql`update judgements set claimed_at = claimed_at - ${heldSeconds} where id = ${job.judgementId}`
    await report(token, job.judgementId, { ...reportOf(job.lease), judgedMs })
    const [host] = await allRows<{ seconds: number }>`select job_seconds as seconds from runners
      where id = (select runner_id from judgements where id = ${job.judgementId})`
    // The claim and the result may fall into different seconds.
    expect(host?.seconds).toBeGreaterThanOrEqual(expected)
    expect(host?.seconds).toBeLessThanOrEqual(expected + (judgedMs === 250 ? 0 : 2))
  },
)

describe('a result that asks for the next job', () => {
  /** A host of one slot that judges the first of `count` submissions. */
  async function hostAtWork(count: number) {
    await emptyQueue()
    await runSql`update runners set state = 'draining'`
    const { student, problemId } = await createProblem()
    const ids: string[] = []
    for (let index = 0; index < count; index += 1) ids.push(await submit(student, problemId))
    const token = await registerRunner(1)
    const { judgementId, lease } = (await claim(token)).data
    const send = (next: object, change: object = {}) =>
      report(token, judgementId, { ...reportOf(lease), ...change, next })
    return { student, ids, token, send }
  }

  test('is answered with it, and again with the same job and lease', async () => {
    const { student, ids, token, send } = await hostAtWork(4)
    const { data: job } = await send({})
    expect(job).toMatchObject({ submissionId: ids[1], attempt: 1, more: true })
    expect((await student.get(`/submission/${ids[0]}`)).data.status).toBe(STATUS.AC)
    expect((await send({})).data).toEqual(job)
    const both = await Promise.all([send({}), send({})])
    expect(both.map(({ data }) => data.lease)).toEqual([job.lease, job.lease])
    expect((await claim(token)).status).toBe(204)
    expect((await report(token, job.judgementId, reportOf(job.lease))).data).toBeNull()
    expect((await student.get(`/submission/${ids[1]}`)).data.status).toBe(STATUS.AC)
  })

  test('gets the same job for two results at once, and another one for each result', async () => {
    const { ids, send } = await hostAtWork(4)
    const [one, same] = await Promise.all([send({}), send({})])
    expect(same.data).toEqual(one.data)
    expect(one.data.submissionId).toBe(ids[1])
  })

  test('gets a job that waits for a slot only while more are free than hosts have slots', async () => {
    const { ids, token, send } = await hostAtWork(4)
    const second = (await claim(token)).status
    expect(second).toBe(204)
    const { data: next } = await send({ ahead: true })
    expect(next.submissionId).toBe(ids[1])
    const ahead = await call('POST', '/runner/jobs/claim', { token, json: { ahead: true } })
    expect(ahead.data.submissionId).toBe(ids[2])
    const last = await report(token, next.judgementId, {
      ...reportOf(next.lease),
      next: { ahead: true },
    })
    expect(last).toMatchObject({ status: 200, data: null })
  })

  test('gets another one once that job was freed, for nobody here knows it', async () => {
    const { ids, token, send } = await hostAtWork(3)
    const { data: job } = await send({})
    const beat = { active: [], started: true, slots: 1, free: 1, load: 0 }
    await call('POST', '/runner/heartbeat', { token, json: beat })
    expect((await send({})).data).toMatchObject({ submissionId: ids[2], lease: job.lease })
    expect((await claim(await registerRunner())).data.submissionId).toBe(ids[1])
  })

  test('gets none where it is refused', async () => {
    const { token, send } = await hostAtWork(3)
    expect((await send({}, { score: 99 })).code).toBe('bad_result')
    const held =
      await firstValue`select count(*) from judgements where state = 'leased' and finished_at is null`
    expect(held).toBe(0)
    expect((await claim(token)).status).toBe(200)
  })
})

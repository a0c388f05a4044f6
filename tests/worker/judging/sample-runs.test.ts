/** Sample runs: who may make them, which hosts get them and when, and their results. */
import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, test } from 'vitest'
import { JUDGING, KEPT_OUTPUT_BYTES, RUNS } from '#contract/limits'
import { judgeOutcome, judgeSubtask, outcomeWithoutRun, STATUS } from '#contract/verdicts'
import { sweep } from '../../../worker/background/sweep.ts'
import { nowSeconds } from '../../../worker/lib/clock.ts'
import { useUp } from '../support/buckets.ts'
import { claim, emptyQueue, outputOf, report } from '../support/judge.ts'
import { recordCall } from '../support/round-trips-recorder.ts'
import { firstRow, firstValue, runSql } from '../support/sql.ts'
import {
  addStudents,
  call,
  createPerson,
  createProblem,
  registerRunner,
  submit,
  type Person,
} from '../support/world.ts'

const CODE = 'int main(){}'

beforeEach(emptyQueue)

/** Asks for a sample run. */
function run(as: Person, problemId: number, form: Record<string, unknown> = {}) {
  return as.post(`/problem/${problemId}/run`, { languageType: 0, code: CODE, ...form })
}

/** Asks for work, including sample runs. */
function claimAny(token: string, json: Record<string, unknown> = {}) {
  return call('POST', '/runner/jobs/claim', { token, json: { takesRuns: true, ...json } })
}

/** A report in which the cases ended with these statuses. */
function runReport(lease: string, statuses: readonly (0 | 1 | 3)[], outputs: unknown[] = []) {
  const tasks = statuses.map((status) =>
    judgeSubtask([{ status, runTime: 3, memoryUsage: 900 }], 0),
  )
  return { lease, ...judgeOutcome(tasks), compileMessage: null, reason: null, outputs }
}

/** Hands a job back. */
function release(token: string, job: { judgementId: string; lease: string }, why: object) {
  return call('POST', `/runner/jobs/${job.judgementId}/release`, {
    token,
    json: { lease: job.lease, drained: false, reason: 'why', ...why },
  })
}

/** A sample run that a host has claimed. */
async function claimedRun(form: Record<string, unknown> = {}, slots = 4) {
  const world = await createProblem()
  const token = await registerRunner(slots)
  const { runId } = (await run(world.student, world.problemId, form)).data
  return { ...world, token, runId: String(runId), job: (await claimAny(token)).data }
}

describe('a run from the key to the output', () => {
  test('the samples of the statement are judged, with the largest limits of the problem', async () => {
    const { student, problemId, token, runId, job } = await claimedRun()
    expect(job).toMatchObject({
      judgementId: runId,
      language: 'c',
      source: Buffer.from(CODE).toString('base64'),
      testData: { inputs: [{ input: '1 2', expected: '3' }] },
      tasks: [{ caseCount: 1, taskScore: 0, timeLimit: 1000, memoryLimit: 65_536 }],
      compare: { mode: 'lines' },
    })
    expect((await student.get(`/run/${runId}`)).data).toMatchObject({ state: 'running', cases: [] })
    const output = outputOf({ stdout: '3\n', expected: '3' })
    const done = runReport(job.lease, [STATUS.AC], [output])
    expect((await report(token, runId, done)).status).toBe(200)
    expect((await report(token, runId, done)).status).toBe(200)
    expect((await student.get(`/run/${runId}`)).data).toEqual({
      runId,
      problemId,
      state: 'done',
      status: STATUS.AC,
      compileMessage: null,
      cases: [
        {
          status: STATUS.AC,
          runTime: 3,
          memoryUsage: 900,
          matches: true,
          output: expect.objectContaining({ stdout: '3\n', stdoutSize: 2, expected: '3' }),
        },
      ],
    })
    expect((await claimAny(token)).status).toBe(204)
  })

  test('own inputs come after the samples, and nothing is compared with them', async () => {
    const { student, token, runId, job } = await claimedRun({ inputs: ['4 5'], samples: true })
    expect(job.testData.inputs).toEqual([
      { input: '1 2', expected: '3' },
      { input: '4 5', expected: null },
    ])
    await report(token, runId, runReport(job.lease, [STATUS.WA, STATUS.AC]))
    const { status, cases } = (await student.get(`/run/${runId}`)).data
    expect(status).toBe(STATUS.WA)
    expect(cases.map(({ matches }: { matches: boolean | null }) => matches)).toEqual([false, null])
  })

  test('a Compile Error has a message and no cases', async () => {
    const { student, token, runId, job } = await claimedRun()
    const outcome = outcomeWithoutRun(STATUS.CE, [1])
    const failed = { lease: job.lease, ...outcome, compileMessage: 'main.c:1: no', reason: null }
    expect((await report(token, runId, { ...failed, outputs: [] })).status).toBe(200)
    expect((await student.get(`/run/${runId}`)).data).toMatchObject({
      state: 'done',
      status: STATUS.CE,
      compileMessage: 'main.c:1: no',
      cases: [],
    })
  })

  test('a Judge Error compares nothing', async () => {
    const { student, token, runId, job } = await claimedRun({ inputs: ['4'], samples: true })
    const outcome = outcomeWithoutRun(STATUS.JE, [1, 1])
    const failed = { lease: job.lease, ...outcome, compileMessage: null, reason: 'checker' }
    expect((await report(token, runId, { ...failed, outputs: [] })).status).toBe(200)
    expect((await student.get(`/run/${runId}`)).data).toMatchObject({
      status: STATUS.JE,
      cases: [
        { status: null, matches: null },
        { status: null, matches: null },
      ],
    })
  })

  test('as much as fits a row is kept of the longest outputs, and code and inputs go', async () => {
    const inputs = Array.from({ length: RUNS.inputs }, () => 'x'.repeat(20_000))
    const { student, token, runId, job } = await claimedRun({ inputs })
    const long = 'y'.repeat(KEPT_OUTPUT_BYTES)
    const outputs = inputs.map((_, task) => ({
      ...outputOf({ task, stdout: long, expected: long }),
      stderr: Buffer.from(long).toString('base64'),
      stderrSize: 10_000_000,
    }))
    const statuses = inputs.map(() => STATUS.AC)
    expect((await report(token, runId, runReport(job.lease, statuses, outputs))).status).toBe(200)
    const { cases } = (await student.get(`/run/${runId}`)).data
    expect(cases).toHaveLength(RUNS.inputs)
    expect(cases[0].output).toMatchObject({ stdout: long, stderr: long, stderrSize: 10_000_000 })
    expect(cases[9]).toMatchObject({ status: STATUS.AC, output: null })
    expect(await firstRow`select code, inputs from sample_runs where id = ${runId}`).toEqual({
      code: null,
      inputs: null,
    })
  })
})

describe('who may run what', () => {
  test('whoever may hand in, also when the quota is used up; no submission and no quota comes of it', async () => {
    const { student, ta, problemId } = await createProblem({ quota: 1 })
    await submit(student, problemId)
    expect((await run(student, problemId)).status).toBe(200)
    expect((await run(ta, problemId)).status).toBe(200)
    expect((await student.get('/submission')).data.submissions).toHaveLength(1)
    expect((await student.get(`/problem/${problemId}`)).data).toMatchObject({
      quotaUsed: 1,
      submitCount: 1,
    })
  })

  test('nobody outside the course, and no student on a hidden problem', async () => {
    const { student, teacher, problemId } = await createProblem()
    expect((await run(await createPerson(2), problemId)).code).toBe('problem_not_found')
    const form = (await teacher.get(`/problem/manage/${problemId}`)).data
    await teacher.put(`/problem/manage/${problemId}`, { ...form, status: 1 })
    expect((await run(student, problemId)).code).toBe('problem_not_found')
    expect((await run(teacher, problemId)).status).toBe(200)
  })

  test('nobody but its owner reads a run', async () => {
    const { student, teacher, ta, runId } = await claimedRun()
    const admin = await createPerson(0)
    for (const person of [teacher, ta, admin])
      expect((await person.get(`/run/${runId}`)).code).toBe('run_not_found')
    expect((await student.get(`/run/${'0'.repeat(24)}`)).code).toBe('run_not_found')
  })

  test.each([
    ['no code', { code: '' }, 'empty_code'],
    ['long code', { code: 'x'.repeat(64 * 1024 + 1) }, 'code_too_large'],
    ['an unknown language', { languageType: 9 }, 'no_language'],
    ['a language not allowed', { languageType: 2 }, 'language_not_allowed'],
    ['many inputs', { inputs: Array.from({ length: RUNS.inputs + 1 }, () => '1') }, 'bad_body'],
    ['long inputs', { inputs: ['x'.repeat(RUNS.inputCharacters + 1)] }, 'bad_body'],
    ['half a character', { inputs: ['\ud800'] }, 'bad_body'],
    ['nothing to run', { inputs: [], samples: false }, 'nothing_to_run'],
  ])('%s is refused', async (_, form, code) => {
    const { student, problemId } = await createProblem({ allowedLanguage: 3 })
    expect((await run(student, problemId, form)).code).toBe(code)
  })

  test('a problem without samples needs an input, an interactive one has no runs', async () => {
    const bare = await createProblem({ description: { description: 'Nothing.' } })
    expect((await run(bare.student, bare.problemId)).code).toBe('nothing_to_run')
    expect((await run(bare.student, bare.problemId, { inputs: [''] })).status).toBe(200)
    const compare = { mode: 'interactor', language: 'py3', source: 'pass' }
    const talk = await createProblem({ compare })
    expect((await run(talk.student, talk.problemId)).code).toBe('run_interactive')
  })

  test('inputs that would fill a row of the database are refused: JSON writes a control character with six bytes', async () => {
    const sample = Array.from({ length: RUNS.inputs }, () => '界'.repeat(10_000))
    const description = { description: 'Much.', sampleInput: sample, sampleOutput: sample }
    const { student, problemId } = await createProblem({ description })
    const runOn = (character: string) => {
      const inputs = [character.repeat(RUNS.inputCharacters)]
      return run(student, problemId, { samples: true, inputs })
    }
    expect((await runOn('\u0001')).code).toBe('too_large')
    expect((await runOn('界')).status).toBe(200)
  })

  test('runs have a rate of their own, which the same run does not use up', async () => {
    const { student, teacher, problemId } = await createProblem()
    for (const person of [student, teacher]) {
      const key = `run:user:${person.id}`
      const { runId } = (await run(person, problemId)).data
      const fullAtMs = () => firstValue`select full_at_ms from rate_limits where key = ${key}`
      const once = await fullAtMs()
      await run(person, problemId)
      expect(await fullAtMs()).toBe(once)
      await useUp(key, RUNS.rate)
      const refused = await run(person, problemId, { code: `${CODE}//` })
      expect(refused).toMatchObject({ status: 429, code: 'too_many_requests' })
      expect((await person.get(`/run/${runId}`)).data.state).toBe('queued')
      expect((await run(person, problemId)).data.runId).toBe(runId)
    }
    expect(
      await firstValue`select count(*) from rate_limits where key = ${`source:user:${student.id}`}`,
    ).toBe(0)
  })

  test('an API token needs the scope of handing in', async () => {
    const { student, problemId } = await createProblem()
    const tokenOf = async (scope: string) =>
      (await student.post('/auth/tokens', { name: scope, scopes: [scope] })).data.token as string
    const json = { languageType: 0, code: CODE }
    const path = `/problem/${problemId}/run`
    const reading = await call('POST', path, { token: await tokenOf('read'), json })
    expect(reading.code).toBe('token_scope')
    expect((await call('POST', path, { token: await tokenOf('submit'), json })).status).toBe(200)
  })
})

describe('one run a person', () => {
  test('the same again while it waits is the same run, also at once; a changed one replaces it', async () => {
    const { student, problemId } = await createProblem()
    const pressed = await Promise.all([1, 2, 3].map(() => run(student, problemId)))
    expect(new Set(pressed.map(({ data }) => data.runId)).size).toBe(1)
    const first = String(pressed[0]?.data.runId)
    const second = String((await run(student, problemId, { code: `${CODE} ` })).data.runId)
    expect(second).not.toBe(first)
    expect((await student.get(`/run/${first}`)).code).toBe('run_not_found')
    expect(
      await firstValue`select count(*) n from judgements where submission_id is null and user_id = ${student.id}`,
    ).toBe(1)
  })

  test('the host that judges a replaced run learns that nobody wants it', async () => {
    const { student, problemId, token, runId, job } = await claimedRun()
    await run(student, problemId, { inputs: ['7'] })
    const json = { lease: job.lease, phase: 'running', done: 0, total: 1 }
    const progress = await call('POST', `/runner/jobs/${runId}/progress`, { token, json })
    expect(progress.code).toBe('stale_lease')
    const late = await report(token, runId, runReport(job.lease, [STATUS.AC]))
    expect(late.code).toBe('stale_lease')
  })

  test('a run is gone after its hour', async () => {
    const { student, runId } = await claimedRun()
    await sweep(env as never, nowSeconds() + RUNS.seconds - 60)
    expect((await student.get(`/run/${runId}`)).status).toBe(200)
    await sweep(env as never, nowSeconds() + RUNS.seconds + 60)
    expect((await student.get(`/run/${runId}`)).code).toBe('run_not_found')
  })
})

describe('which host gets it when', () => {
  test('a host that does not know runs gets none and judges on', async () => {
    const { student, problemId } = await createProblem()
    const token = await registerRunner()
    await run(student, problemId)
    expect((await claim(token)).status).toBe(204)
    const id = await submit(student, problemId)
    expect((await claim(token)).data.submissionId).toBe(id)
  })

  test('submissions come before runs that wait longer, runs before bulk rejudges', async () => {
    const { student, problemId } = await createProblem()
    const token = await registerRunner()
    const bulk = await submit(student, problemId)
    await runSql`update judgements set priority = 2 where submission_id = ${bulk}`
    const { runId } = (await run(student, problemId)).data
    const live = await submit(student, problemId)
    const order = [await claimAny(token), await claimAny(token), await claimAny(token)]
    expect(order.map(({ data }) => data.submissionId)).toEqual([live, runId, bulk])
  })

  test('a bulk rejudge takes neither the place of a run at work nor the slot that a free run is to get next', async () => {
    const { student, problemId } = await createProblem()
    await runSql`update runners set state = 'draining'`
    const token = await registerRunner(1)
    const handIns = [await submit(student, problemId), await submit(student, problemId)]
    handIns.push(await submit(student, problemId))
    await runSql`update judgements set priority = 2 where submission_id in (select value from json_each(${JSON.stringify(handIns)}))`
    const whileBusy = (ahead: boolean) => claimAny(token, { takesRuns: false, ahead })
    const { runId } = (await run(student, problemId)).data
    const job = (await claimAny(token)).data
    expect(job.submissionId).toBe(runId)
    expect((await whileBusy(false)).status).toBe(204)
    expect((await whileBusy(true)).status).toBe(204)
    await release(token, job, { drained: true, fault: 'host' })
    expect((await whileBusy(true)).status).toBe(204)
    await runSql`delete from judgements where id = ${runId}`
    expect((await whileBusy(false)).status).toBe(200)
    expect((await whileBusy(true)).status).toBe(200)
  })

  test('one slot of a host stays free of runs, and a host full of runs still gets submissions', async () => {
    const world = await createProblem()
    const { problemId } = world
    const students = await addStudents(world, 5)
    for (const student of students) await run(student, problemId)
    const token = await registerRunner(3)
    const claims = [await claimAny(token), await claimAny(token), await claimAny(token)]
    expect(claims.map(({ status }) => status)).toEqual([200, 200, 204])
    for (const student of students.slice(0, 3)) await submit(student, problemId)
    const jobs = [await claimAny(token), await claimAny(token), await claimAny(token)]
    expect(jobs.every(({ data }) => 'version' in data.testData)).toBe(true)
    expect((await claimAny(token)).status).toBe(204)
    const small = await registerRunner(1)
    expect((await claimAny(small)).status).toBe(200)
    expect((await claimAny(small)).status).toBe(204)
  })

  test('twenty claims at once get a run once', async () => {
    const { student, problemId } = await createProblem()
    const token = await registerRunner()
    await run(student, problemId)
    const claims = await Promise.all(Array.from({ length: 20 }, () => claimAny(token)))
    expect(claims.filter(({ status }) => status === 200)).toHaveLength(1)
  })
})

describe('hosts that fail', () => {
  test('the run of a dead host goes to another one, that of a live host does not', async () => {
    const { student, token, runId, job } = await claimedRun()
    const other = await registerRunner()
    await runSql`update judgements set lease_until = ${nowSeconds() + 1} where id = ${runId}`
    const beat = { active: [runId], slots: 4, free: 3, load: 0 }
    await call('POST', '/runner/heartbeat', { token, json: beat })
    const until = await firstValue<number>`select lease_until from judgements where id = ${runId}`
    expect(until).toBeGreaterThan(nowSeconds() + 30)
    expect((await claimAny(other)).status).toBe(204)
    await call('POST', '/runner/heartbeat', {
      token,
      json: { ...beat, active: [], started: true },
    })
    const again = (await claimAny(other)).data
    expect(again).toMatchObject({ judgementId: runId, attempt: 2 })
    expect((await report(token, runId, runReport(job.lease, [STATUS.AC]))).code).toBe('stale_lease')
    await report(other, runId, runReport(again.lease, [STATUS.AC]))
    expect((await student.get(`/run/${runId}`)).data.state).toBe('done')
  })

  test('who hands a run back leaves it to others, unless it only made room', async () => {
    const { token, runId, job } = await claimedRun()
    await release(token, job, { fault: 'host' })
    expect((await claimAny(token)).status).toBe(204)
    const other = await registerRunner()
    const second = (await claimAny(other)).data
    expect(second).toMatchObject({ judgementId: runId, attempt: 2 })
    await release(other, second, { drained: true, fault: 'host' })
    expect((await claimAny(other)).data).toMatchObject({ judgementId: runId, attempt: 2 })
  })

  test('a host that never ends a run loses it, however many heartbeats come', async () => {
    const { token, runId } = await claimedRun()
    await runSql`update judgements set lease_until = ${nowSeconds() + 1}, hold_until = ${nowSeconds() - 1} where id = ${runId}`
    const json = { active: [runId], slots: 4, free: 3, load: 0 }
    await call('POST', '/runner/heartbeat', { token, json })
    const until = await firstValue<number>`select lease_until from judgements where id = ${runId}`
    expect(until).toBeLessThan(nowSeconds() + 30)
  })

  test('after the last attempt it has failed, and pressing the key again makes a new one', async () => {
    const { student, problemId } = await createProblem()
    const { runId } = (await run(student, problemId)).data
    for (let attempt = 1; attempt <= JUDGING.maxAttempts; attempt += 1) {
      const token = await registerRunner()
      await release(token, (await claimAny(token)).data, { fault: 'job' })
    }
    expect((await claimAny(await registerRunner())).status).toBe(204)
    expect((await student.get(`/run/${runId}`)).data.state).toBe('failed')
    expect((await run(student, problemId)).data.runId).not.toBe(runId)
  })

  test.each([
    ['a case more', (lease: string) => runReport(lease, [STATUS.AC, STATUS.AC])],
    [
      'an accepted case beyond the limit',
      (lease: string) => {
        const slow = judgeSubtask([{ status: STATUS.AC, runTime: 1001, memoryUsage: 1 }], 0)
        return { ...runReport(lease, []), ...judgeOutcome([slow]) }
      },
    ],
  ])('a result with %s is refused and counts against the host', async (_, lie) => {
    const { student, token, runId, job } = await claimedRun()
    const answer = await report(token, runId, lie(job.lease))
    expect(answer.code).toBe('bad_result')
    expect(
      await firstValue`select max(refused_results) n from runners where last_refusal like ${`${runId}%`}`,
    ).toBe(1)
    expect((await student.get(`/run/${runId}`)).data.state).toBe('queued')
    expect((await claimAny(await registerRunner())).data.judgementId).toBe(runId)
  })

  test('a run in a language that the judge has no more fails', async () => {
    const { student, problemId } = await createProblem()
    const { runId } = (await run(student, problemId)).data
    await runSql`update sample_runs set language_type = 77 where id = ${runId}`
    expect((await claimAny(await registerRunner())).status).toBe(204)
    expect((await student.get(`/run/${runId}`)).data.state).toBe('failed')
  })
})

test('what hosts ask costs the same with a thousand runs that wait', async () => {
  const { student, problemId } = await createProblem()
  /** Rows that a host's calls read; it claims one run, and may have no second one. */
  async function rowsOfHost(): Promise<number[]> {
    const token = await registerRunner(2)
    const calls = [
      ['jobs/claim', { takesRuns: true }],
      ['jobs/claim', { takesRuns: true }],
      ['heartbeat', { active: [], slots: 2, free: 1, load: 0 }],
    ] as const
    const rows: number[] = []
    for (const [path, json] of calls) {
      const { trips } = await recordCall('POST', `/runner/${path}`, { token, json })
      rows.push(trips.reduce((sum, trip) => sum + trip.rowsRead, 0))
    }
    return rows
  }
  await run(student, problemId)
  const alone = await rowsOfHost()
  await runSql`with recursive n(i) as (values(1) union all select i + 1 from n where i < 1000)
    insert into users (username, username_key, email, displayed_name, role, active, created_at)
    select 'many' || i, 'many' || i, 'many' || i, '', 2, 1, 1 from n`
  await runSql`insert into judgements (id, user_id, state, priority, rank, queued_at, ticket_at, phase, cases_total)
    select printf('%024x', id), id, 'queued', 1, 0, 1, 1, 'queued', 0 from users where username like 'many%'`
  await runSql`insert into sample_runs (user_id, id, problem_id, language_type, sample_count, code, inputs)
    select id, printf('%024x', id), ${problemId}, 0, 0, x'', '[]' from users where username like 'many%'`
  const crowded = await rowsOfHost()
  await runSql`delete from judgements where user_id in (select id from users where username like 'many%')`
  await runSql`delete from users where username like 'many%'`
  for (const [index, rows] of crowded.entries())
    expect(rows).toBeLessThanOrEqual((alone[index] ?? 0) + 10)
})

/** A judge host that lies: the limits on what it may hold, read and report. */
import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, test } from 'vitest'
import { JUDGING, RUNNERS } from '#contract/limits'
import { STATUS } from '#contract/verdicts'
import { nowSeconds } from '../../../worker/lib/clock.ts'
import { useUp } from '../support/buckets.ts'
import { claim, emptyQueue, expireLeases, outputOf, report, reportOf } from '../support/judge.ts'
import { allRows, firstRow, firstValue, runSql } from '../support/sql.ts'
import {
  call,
  createPerson,
  createProblem,
  fetchApi,
  registerRunner,
  REGISTRATION_TOKEN,
  submit,
  type Person,
} from '../support/world.ts'

beforeEach(emptyQueue)

/** Hands in `count` times; answers the submissions. */
async function submitMany(student: Person, problemId: number, count: number): Promise<string[]> {
  const ids: string[] = []
  for (let index = 0; index < count; index += 1) ids.push(await submit(student, problemId))
  return ids
}

/** A host, its token and its calls. */
async function addHost(slots: number) {
  const admin = await createPerson(0)
  const { runnerId, token } = (await admin.post('/runners', { name: 'rack' })).data
  const found = async () =>
    (await admin.get('/runners')).data.find(
      (row: { runnerId: string }) => row.runnerId === runnerId,
    )
  const edit = async (json: object) => {
    const { etag } = await found()
    const headers = { 'If-Match': etag }
    return admin.patch(`/runners/${runnerId}`, json, headers)
  }
  const beat = (active: string[] = [], changes: object = {}) =>
    call('POST', '/runner/heartbeat', {
      token,
      json: { active, slots, free: slots, load: 0, ...changes },
    })
  await beat([], { started: true })
  return { runnerId: String(runnerId), token: String(token), found, edit, beat }
}

/** The jobs that a host gets by this many claims at once. */
async function claimAll(token: string, times: number, json?: object) {
  const answers = await Promise.all(
    Array.from({ length: times }, () =>
      call('POST', '/runner/jobs/claim', { token, ...(json && { json }) }),
    ),
  )
  return answers.filter(({ status }) => status === 200).map(({ data }) => data)
}

describe('slots', () => {
  test('a host that claims in a loop gets as many jobs as it has slots, and one more for each it ends', async () => {
    const { student, problemId } = await createProblem()
    await submitMany(student, problemId, 6)
    const { token } = await addHost(2)
    const jobs = await claimAll(token, 6)
    expect(jobs).toHaveLength(2)
    await report(token, jobs[0].judgementId, reportOf(jobs[0].lease))
    expect(await claimAll(token, 6)).toHaveLength(1)
  })

  test('jobs that wait for a slot are given only while more wait than all hosts have slots', async () => {
    const { student, problemId } = await createProblem()
    await runSql`update runners set state = 'draining'`
    const { token } = await addHost(2)
    await addHost(1)
    await submitMany(student, problemId, 5)
    expect(await claimAll(token, 4)).toHaveLength(2)
    // Three jobs are free, and there are three slots.
    expect(await claimAll(token, 4, { ahead: true })).toHaveLength(0)
    await submitMany(student, problemId, 1)
    expect(await claimAll(token, 4, { ahead: true })).toHaveLength(1)
    await submitMany(student, problemId, 9)
    expect(await claimAll(token, 9, { ahead: true })).toHaveLength(2 * RUNNERS.aheadPerSlot - 1)
  })

  test('a job says whether there is more', async () => {
    const { student, problemId } = await createProblem()
    await submitMany(student, problemId, 2)
    const { token } = await addHost(2)
    const [first, last] = [await claim(token), await claim(token)]
    expect([first.data.more, last.data.more]).toEqual([true, false])
  })

  test('whatever a host says of its slots, an admin’s limit holds', async () => {
    const { student, problemId } = await createProblem()
    await submitMany(student, problemId, 5)
    const { token, edit, found, beat } = await addHost(RUNNERS.slots)
    expect((await edit({ slotLimit: 3 })).status).toBe(200)
    expect(await found()).toMatchObject({ slots: RUNNERS.slots, slotLimit: 3 })
    await beat([], { slots: RUNNERS.slots })
    expect(await claimAll(token, 5)).toHaveLength(3)
    for (const slotLimit of [0, RUNNERS.slots + 1])
      expect((await edit({ slotLimit })).status).toBe(400)
  })

  test('jobs that it once had are not held again by naming them in a heartbeat', async () => {
    const { student, problemId } = await createProblem()
    await submitMany(student, problemId, 6)
    const { token, beat } = await addHost(1)
    const had: string[] = []
    for (let round = 0; round < 6; round += 1) {
      had.push((await claim(token)).data.judgementId)
      await expireLeases()
    }
    expect(new Set(had).size).toBe(6)
    await beat(had)
    const held = await firstRow`select count(*) as count from judgements where state = 'leased'
        and lease_until >= ${nowSeconds()}`
    // One job for the slot, two ahead of it, and one whose result is on its way.
    expect(held).toEqual({ count: 4 })
  })

  test('a job that is held for longer than any honest host takes is free, however often it is named', async () => {
    const { student, problemId } = await createProblem()
    await submit(student, problemId)
    const { token, beat } = await addHost(1)
    const { judgementId } = (await claim(token)).data
    await runSql`update judgements set hold_until = ${nowSeconds() - 1} where id = ${judgementId}`
    await expireLeases()
    await beat([judgementId])
    expect((await claim(await registerRunner())).data.judgementId).toBe(judgementId)
  })

  test('it extends, frees and ends no lease of another host', async () => {
    const { student, problemId } = await createProblem()
    await submit(student, problemId)
    const honest = await addHost(1)
    const job = (await claim(honest.token)).data
    const liar = await addHost(1)
    await liar.beat([], { started: true })
    expect((await claim(liar.token)).status).toBe(204)
    await expireLeases()
    await liar.beat([job.judgementId])
    expect(await firstValue`select lease_until from judgements where id = ${job.judgementId}`).toBe(
      0,
    )
    const path = `/runner/jobs/${job.judgementId}`
    const guess = { lease: 'x', drained: true, reason: null }
    const { token } = liar
    expect((await call('POST', `${path}/release`, { token, json: guess })).status).toBe(409)
    expect((await report(token, job.judgementId, reportOf('x'))).status).toBe(409)
    expect((await report(honest.token, job.judgementId, reportOf(job.lease))).status).toBe(200)
  })
})

describe('test data', () => {
  test('are read with a lease that holds, and not before, after or by another host [AZ6]', async () => {
    const { student, problemId } = await createProblem()
    await submit(student, problemId)
    const [host, other] = [await registerRunner(), await registerRunner()]
    const job = (await claim(host)).data
    const read = async (token: string) =>
      (await fetchApi('GET', job.testData.url.replace('/api', ''), { token })).status
    expect(await read(host)).toBe(200)
    expect(await read(other)).toBe(404)
    await expireLeases()
    expect(await read(host)).toBe(404)
    const again = (await claim(other)).data
    expect(again.judgementId).toBe(job.judgementId)
    expect([await read(host), await read(other)]).toEqual([404, 200])
    await report(other, again.judgementId, reportOf(again.lease))
    expect(await read(other)).toBe(404)
  })
})

describe('a result that cannot be', () => {
  const skipped = { status: null, runTime: null, memoryUsage: null }
  const ran = { status: STATUS.AC, runTime: 3, memoryUsage: 900 }
  const whole = reportOf('')
  const [sample, scored] = [whole.tasks[0], whole.tasks[1]]
  const LIES: Record<string, object> = {
    'a score of its own': { score: 99 },
    'a verdict that does not follow': { status: STATUS.WA },
    'a subtask less': { tasks: [sample] },
    'a subtask twice': { tasks: [sample, scored, scored] },
    'a case less': { tasks: [sample, { ...scored, cases: [ran] }] },
    'a case skipped without reason': { tasks: [sample, { ...scored, cases: [skipped, ran] }] },
    'all cases skipped': { tasks: [sample, { ...scored, cases: [skipped, skipped] }] },
    'a time that is not its cases’': { runTime: 1 },
    'memory that is not its cases’': { tasks: [{ ...sample, memoryUsage: 1 }, scored] },
    'a compile message beside a verdict': { compileMessage: 'x' },
    'a Compile Error without a message': { ...reportOf('', STATUS.CE), compileMessage: null },
    'accepted without running': { tasks: [], runTime: null, memoryUsage: null },
    'an output of a case that is not there': { outputs: [outputOf({ task: 5 })] },
    'an output of an accepted case with a score': { outputs: [outputOf({ task: 1 })] },
  }

  for (const [what, lie] of Object.entries(LIES))
    test(`is refused and the job goes back: ${what}`, async () => {
      const { student, teacher, problemId } = await createProblem({ quota: 1 })
      const id = await submit(student, problemId)
      const liar = await addHost(2)
      const job = (await claim(liar.token)).data
      const answer = await report(liar.token, job.judgementId, {
        ...reportOf(job.lease),
        ...lie,
        lease: job.lease,
      })
      expect(answer).toMatchObject({ status: 400, code: 'bad_result' })
      expect(answer.data.fault).toEqual(expect.any(String))
      const seen = (await teacher.get(`/submission/${id}`)).data
      expect(seen).toMatchObject({ status: -1, judgements: [{ state: 'queued' }] })
      expect(seen.judgements[0].reason).toContain(answer.data.fault)
      expect(await liar.found()).toMatchObject({ state: 'active', refusedResults: 1 })
      // The attempt does not count against the submission, and another host judges it at once.
      const honest = await registerRunner()
      const again = (await claim(honest)).data
      expect(again).toMatchObject({ judgementId: job.judgementId, attempt: 1 })
      expect((await report(honest, again.judgementId, reportOf(again.lease))).status).toBe(200)
    })

  test(`${RUNNERS.refusedResults} of them drain the host and say why, until an admin puts it back to work`, async () => {
    const { student, problemId } = await createProblem()
    await submitMany(student, problemId, RUNNERS.refusedResults + 1)
    const { token, found, edit } = await addHost(2)
    for (let count = 1; count <= RUNNERS.refusedResults; count += 1) {
      const job = (await claim(token)).data
      const lie = { ...reportOf(job.lease), score: 1 }
      // The same lie, sent twice, counts once.
      const answers = await Promise.all([1, 2].map(() => report(token, job.judgementId, lie)))
      for (const { code } of answers) expect(['bad_result', 'stale_lease']).toContain(code)
      expect((await found()).refusedResults).toBe(count)
    }
    expect(await found()).toMatchObject({
      state: 'draining',
      lastRefusal: expect.stringContaining('does not follow'),
    })
    expect((await claim(token)).status).toBe(204)
    await edit({ state: 'active' })
    expect(await found()).toMatchObject({ state: 'active', refusedResults: 0, lastRefusal: null })
    expect((await claim(token)).status).toBe(200)
  })

  test('is measured against the subtasks as they were when the job was claimed', async () => {
    const { student, teacher, problemId } = await createProblem()
    const id = await submit(student, problemId)
    const token = await registerRunner()
    const job = (await claim(token)).data
    const form = (await teacher.get(`/problem/manage/${problemId}`)).data
    form.testCase[0].taskScore = 40
    form.testCase[1] = { ...form.testCase[1], taskScore: 60, caseCount: 3 }
    await teacher.put(`/problem/manage/${problemId}`, form)
    expect((await report(token, job.judgementId, reportOf(job.lease))).status).toBe(200)
    expect((await student.get(`/submission/${id}`)).data.score).toBe(100)
  })

  test('progress never counts more cases than the job has', async () => {
    const { student, problemId } = await createProblem()
    const id = await submit(student, problemId)
    const token = await registerRunner()
    const { judgementId, lease } = (await claim(token)).data
    const path = `/runner/jobs/${judgementId}/progress`
    const tell = (done: number, total: number) =>
      call('POST', path, { token, json: { lease, phase: 'running', done, total } })
    expect((await tell(9_000, 9_999)).status).toBe(200)
    const { progress } = (await student.get(`/submission/${id}`)).data
    expect(progress).toEqual({ phase: 'running', done: 3, total: 3 })
    expect((await tell(1_000_000, 1_000_000)).status).toBe(400)
  })
})

describe('registration', () => {
  const form = {
    name: 'rack',
    slots: 2,
    version: '1',
    host: { hostname: 'h', kernel: 'k', cpu: 'c', cores: 2, memoryKb: 1, cgroup: 'v2' },
  }
  const register = (name: string) =>
    call('POST', '/runner/register', { token: REGISTRATION_TOKEN, json: { ...form, name } })

  test('under another host’s name makes another host and leaves its leases alone', async () => {
    const { student, problemId } = await createProblem()
    await submit(student, problemId)
    const first = (await register('twin')).data
    const job = (await claim(first.token)).data
    const second = (await register('twin')).data
    expect(second.runnerId).not.toBe(first.runnerId)
    const json = { active: [], slots: 2, free: 2, load: 0, started: true }
    await call('POST', '/runner/heartbeat', { token: second.token, json })
    expect((await claim(second.token)).status).toBe(204)
    expect((await report(first.token, job.judgementId, reportOf(job.lease))).status).toBe(200)
  })

  test('is bounded in number; a full fleet forgets one that registered itself and has long been silent', async () => {
    const results = await allRows`select id from runners`
    const stamp = nowSeconds()
    const fill = env.DB.prepare(
      `insert into runners (id, token_hash, name, state, slots, free, version, self_registered, created_at, heartbeat_at)
        values (?, ?, 'filler', 'active', 1, 1, '', 1, ?, ?)`,
    )
    const fillers = Array.from({ length: RUNNERS.most - results.length }, (_, index) => {
      const id = `f${String(index).padStart(23, '0')}`
      return fill.bind(id, `hash ${id}`, stamp, stamp)
    })
    await env.DB.batch(fillers)
    expect(await register('one too many')).toMatchObject({ status: 409, code: 'too_many_runners' })
    const silent = stamp - RUNNERS.forgottenSeconds - 1
    await runSql`update runners set heartbeat_at = ${silent} where id like 'f%07'`
    expect((await register('fits now')).status).toBe(200)
    expect(await firstRow`select id from runners where id = 'f00000000000000000000007'`).toBeNull()
    await runSql`delete from runners where name = 'filler'`
  })

  test('is bounded in rate', async () => {
    await useUp('runner:register', RUNNERS.registration)
    const refused = await register('hasty')
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThan(0)
    await runSql`delete from rate_limits where key = 'runner:register'`
  })

  test('what a host tells of languages that nobody knows is kept nowhere', async () => {
    const { beat } = await addHost(1)
    const others = Object.fromEntries(
      Array.from({ length: 5_000 }, (_, index) => [`language-of-a-lying-host-${index}`, 'v']),
    )
    const languages = { ...others, c: 'gcc 12' }
    expect((await beat([], { host: { ...form.host, languages } })).status).toBe(200)
    const kept = await allRows<{ host: string }>`
      select host from runners where host like '%gcc 12%'`
    expect(kept.map(({ host }) => JSON.parse(host).languages)).toContainEqual({ c: 'gcc 12' })
    expect(JSON.stringify(kept)).not.toContain('of-a-lying-host')
  })
})

test('a host that takes jobs and is silent gets each once while others live', async () => {
  const { student, problemId } = await createProblem()
  const id = await submit(student, problemId)
  const { token } = await addHost(1)
  const other = await registerRunner()
  const first = (await claim(token)).data
  await expireLeases()
  for (let round = 0; round < JUDGING.maxAttempts; round += 1)
    expect((await claim(token)).status).toBe(204)
  const second = (await claim(other)).data
  expect(second).toMatchObject({ judgementId: first.judgementId, attempt: 2 })
  await report(other, second.judgementId, reportOf(second.lease))
  expect((await student.get(`/submission/${id}`)).data.status).toBe(STATUS.AC)
  expect(
    await firstValue`select count(*) from hand_backs where judgement_id = ${first.judgementId}`,
  ).toBe(0)
})

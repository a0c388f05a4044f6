/** What a judge host may do with jobs: the rules in brief. Long tests beside this file cover lies and hand-backs. */
import { beforeEach, describe, expect, test } from 'vitest'
import { JUDGING, RUNNERS } from '#contract/limits'
import { nowSeconds } from '../../../worker/lib/clock.ts'
import {
  claim,
  createClaimedJob,
  emptyQueue,
  expireLeases,
  report,
  reportOf,
} from '../support/judge.ts'
import { firstValue, runSql } from '../support/sql.ts'
import {
  addStudents,
  call,
  createProblem,
  fetchApi,
  registerRunner,
  submit,
} from '../support/world.ts'

beforeEach(async () => {
  await emptyQueue()
  // Makes the hosts of earlier tests silent.
  await runSql`update runners set heartbeat_at = 1`
})

/** A job as a claim gives it. */
interface Job {
  judgementId: string
  lease: string
}

/** Gives a job back without a result. */
function handBack(token: string, { judgementId, lease }: Job, why: object) {
  const json = { lease, drained: false, ...why }
  return call('POST', `/runner/jobs/${judgementId}/release`, { token, json })
}

/** A heartbeat that names these jobs. */
function beat(token: string, active: string[]) {
  const json = { active, slots: 2, free: 0, load: 0 }
  return call('POST', '/runner/heartbeat', { token, json })
}

describe('a job that a host gives back', () => {
  test('for a fault of its own costs no attempt, and comes to others first', async () => {
    const { token, job } = await createClaimedJob()
    const other = await registerRunner()
    expect((await handBack(token, job, { fault: 'host', reason: 'busy' })).status).toBe(200)
    expect((await claim(token)).status).toBe(204)
    expect((await claim(other)).data).toMatchObject({ judgementId: job.judgementId, attempt: 1 })
  })

  test('for a fault of the job counts as an attempt', async () => {
    const { token, job } = await createClaimedJob()
    await handBack(token, job, { fault: 'job', reason: 'unreadable' })
    await expireLeases()
    expect((await claim(await registerRunner())).data.attempt).toBe(2)
  })

  const NOT_BEGUN = { drained: true, fault: 'host', began: false, reason: 'no slot' }

  /** A job that a host holds, another student's job behind it, and a second host. */
  async function createTwoJobs() {
    const world = await createClaimedJob()
    const [other] = await addStudents(world, 1)
    if (!other) throw new Error('there is no other student')
    await registerRunner()
    return { ...world, next: await submit(other, world.problemId) }
  }

  test('before it began is where it was, also for its host, and its attempts count as before', async () => {
    const { token, job } = await createTwoJobs()
    await handBack(token, job, NOT_BEGUN)
    expect((await claim(token)).data).toMatchObject({ judgementId: job.judgementId, attempt: 1 })
  })

  test('before it began for the second time comes to others first, and later', async () => {
    const { token, job, next } = await createTwoJobs()
    await handBack(token, job, NOT_BEGUN)
    await handBack(token, (await claim(token)).data, NOT_BEGUN)
    expect((await claim(token)).data.submissionId).toBe(next)
    expect((await claim(token)).status).toBe(204)
    expect(await firstValue`select rank from judgements where id = ${job.judgementId}`).toBe(1)
  })

  test('for its own fault counts as an attempt, whatever the host says of its beginning', async () => {
    const { token, job } = await createTwoJobs()
    await handBack(token, job, { fault: 'job', began: false, reason: 'unreadable' })
    expect(await firstValue`select rank from judgements where id = ${job.judgementId}`).toBe(1)
    expect(await firstValue`select attempt from judgements where id = ${job.judgementId}`).toBe(1)
  })
})

describe('a result that cannot be', () => {
  test('is refused, costs no attempt and counts against its host', async () => {
    const { student, token, id, job } = await createClaimedJob()
    const lie = { ...reportOf(job.lease), score: 99 }
    expect((await report(token, job.judgementId, lie)).code).toBe('bad_result')
    expect((await student.get(`/submission/${id}`)).data.status).toBe(-1)
    const again = (await claim(await registerRunner())).data
    expect(again).toMatchObject({ judgementId: job.judgementId, attempt: 1 })
  })

  test('takes a host out of work after too many of them', async () => {
    const { token, job } = await createClaimedJob()
    await runSql`update runners set refused_results = ${RUNNERS.refusedResults - 2}
      where id = (select runner_id from judgements where id = ${job.judgementId})`
    const state = () =>
      firstValue`select state from runners order by heartbeat_at desc, id desc limit 1`
    expect((await report(token, job.judgementId, { ...reportOf(job.lease), score: 99 })).code).toBe(
      'bad_result',
    )
    expect(await state()).toBe('active')
    await runSql`delete from hand_backs`
    const second = (await claim(token)).data
    await report(token, second.judgementId, { ...reportOf(second.lease), score: 99 })
    expect(await state()).toBe('draining')
  })
})

describe('a lease', () => {
  test('is for two more jobs a slot while more are free than hosts have slots', async () => {
    const { student, problemId } = await createProblem()
    const token = await registerRunner(2)
    const ask = async (ahead: boolean) =>
      (await call('POST', '/runner/jobs/claim', { token, json: { ahead } })).status
    const submitMany = async (count: number) => {
      for (let index = 0; index < count; index += 1) await submit(student, problemId)
    }
    await submitMany(4)
    expect([await ask(false), await ask(false), await ask(false)]).toEqual([200, 200, 204])
    // There are only as many free jobs as slots.
    expect(await ask(true)).toBe(204)
    await submitMany(6)
    const most = 2 * RUNNERS.aheadPerSlot
    const asked: number[] = []
    for (let index = 0; index <= most; index += 1) asked.push(await ask(true))
    expect(asked).toEqual([...Array.from({ length: most }, () => 200), 204])
  })

  test('is for as many jobs as a host has slots', async () => {
    const { student, problemId } = await createProblem()
    for (let count = 0; count < 3; count += 1) await submit(student, problemId)
    const token = await registerRunner(2)
    const claims = [await claim(token), await claim(token), await claim(token)]
    expect(claims.map(({ status }) => status)).toEqual([200, 200, 204])
  })

  test('that is over tells nothing more of progress', async () => {
    const { student, token, id, job } = await createClaimedJob()
    await expireLeases()
    const next = await registerRunner()
    await claim(next)
    const json = { lease: job.lease, phase: 'running', done: 2, total: 3 }
    const path = `/runner/jobs/${job.judgementId}/progress`
    expect((await call('POST', path, { token, json })).code).toBe('stale_lease')
    expect((await student.get(`/submission/${id}`)).data.progress).toMatchObject({ done: 0 })
  })

  test('opens the job’s test data to its host, as long as it lasts [AZ6]', async () => {
    const { token, job } = await createClaimedJob()
    const other = await registerRunner()
    const read = async (as: string) =>
      (await fetchApi('GET', job.testData.url.replace('/api', ''), { token: as })).status
    expect([await read(token), await read(other)]).toEqual([200, 404])
    await expireLeases()
    expect(await read(token)).toBe(404)
  })

  test('is extended by its own host alone, and not for ever', async () => {
    const { token, job } = await createClaimedJob()
    const until = () =>
      firstValue<number>`select lease_until from judgements where id = ${job.judgementId}`
    await expireLeases()
    await beat(await registerRunner(), [job.judgementId])
    expect(await until()).toBe(0)
    await beat(token, [job.judgementId])
    expect(await until()).toBeGreaterThan(nowSeconds())
    await expireLeases()
    await runSql`update judgements set hold_until = ${nowSeconds() - 1} where id = ${job.judgementId}`
    await beat(token, [job.judgementId])
    expect(await until()).toBe(0)
  })

  test('that ran out frees the job for the next, until its attempts are used up', async () => {
    const { job } = await createClaimedJob()
    for (let attempt = 2; attempt <= JUDGING.maxAttempts; attempt += 1) {
      expect((await claim(await registerRunner())).status).toBe(204)
      await expireLeases()
      expect((await claim(await registerRunner())).data).toMatchObject({
        judgementId: job.judgementId,
        attempt,
      })
    }
    await expireLeases()
    expect((await claim(await registerRunner())).status).toBe(204)
  })
})

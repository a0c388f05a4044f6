/** Jobs that a host gives back: whose fault it was, who gets them next, and what staff see. */
import { beforeEach, describe, expect, test } from 'vitest'
import { JUDGING } from '#contract/limits'
import { sweep } from '../../../worker/background/sweep.ts'
import { nowSeconds } from '../../../worker/lib/clock.ts'
import { sha256Hex } from '../../../worker/lib/ids.ts'
import { HAND_BACK } from '../../../worker/features/judging/lease/hand-back-queries.ts'
import { claim, emptyQueue, expireLeases, report, reportOf } from '../support/judge.ts'
import { recordCall } from '../support/round-trips-recorder.ts'
import { workerEnv } from '../support/step-queue.ts'
import { allRows, runSql } from '../support/sql.ts'
import {
  addStudents,
  call,
  createPerson,
  createProblem,
  registerRunner,
  submit,
} from '../support/world.ts'

beforeEach(async () => {
  await emptyQueue()
  // Makes the hosts of earlier tests silent.
  await runSql`update runners set heartbeat_at = 1`
})

/** A host's own trouble, as it reports it with a hand-back. */
const BUSY = { drained: false, fault: 'host', reason: 'the machine is too busy' }

/** Claims a job and gives it back; answers the number of the attempt. */
async function handBack(token: string, why: object = BUSY): Promise<number> {
  const { judgementId, lease, attempt } = (await claim(token)).data
  const json = { lease, ...why }
  const answer = await call('POST', `/runner/jobs/${judgementId}/release`, { token, json })
  expect(answer.status).toBe(200)
  return attempt
}

/** Makes every hand-back this many seconds older. */
async function pass(seconds: number): Promise<void> {
  await runSql`update hand_backs
    set first_at = first_at - ${seconds}, last_at = last_at - ${seconds}`
}

/** Replaces the extra jobs of a submission in the queue by this many; they rest until `until`. */
async function fillQueue(submissionId: string, count: number, until: number | null) {
  await runSql`delete from judgements where id like '00000000%'`
  await runSql`with recursive n(i) as (select 1 union all select i + 1 from n where i < ${count})
      insert into judgements (id, submission_id, state, priority, rank, queued_at, ticket_at, phase, cases_total, lease_until)
      select printf('%024x', i), ${submissionId}, 'queued', 0, 0, 0, ${nowSeconds()}, 'queued', 3, ${until} from n`
}

/** Makes all other hosts silent. */
async function leaveAlone(token: string): Promise<void> {
  await runSql`update runners set heartbeat_at = 1`
  const json = { active: [], slots: 2, free: 2, load: 0 }
  await call('POST', '/runner/heartbeat', { token, json })
}

describe('a host whose own state it is', () => {
  test('uses up no attempt, however often, and the job is judged by who can', async () => {
    const { student, problemId } = await createProblem()
    const id = await submit(student, problemId)
    const busy = await registerRunner()
    for (let count = 0; count <= JUDGING.maxAttempts; count += 1) {
      expect(await handBack(busy)).toBe(1)
      await pass(HAND_BACK.longestWaitSeconds)
    }
    await sweep(workerEnv, nowSeconds())
    expect((await student.get(`/submission/${id}`)).data.status).toBe(-1)
    const healthy = await registerRunner()
    const { judgementId, lease, attempt } = (await claim(healthy)).data
    expect(attempt).toBe(1)
    expect((await report(healthy, judgementId, reportOf(lease))).status).toBe(200)
    expect((await student.get(`/submission/${id}`)).data.status).toBe(0)
  })

  test('does not take it again while others live, but later; others take it at once', async () => {
    const { student, problemId } = await createProblem()
    await submit(student, problemId)
    const [busy, other] = [await registerRunner(), await registerRunner()]
    let wait: number = HAND_BACK.firstWaitSeconds
    for (let count = 0; count < 3; count += 1) {
      await handBack(busy)
      await pass(wait - 2)
      expect((await claim(busy)).status).toBe(204)
      await pass(3)
      wait *= 2
    }
    await handBack(busy)
    expect((await claim(busy)).status).toBe(204)
    expect((await claim(other)).status).toBe(200)
  })

  test('and is alone takes it again after a pause', async () => {
    const { student, problemId } = await createProblem()
    await submit(student, problemId)
    const busy = await registerRunner()
    await handBack(busy)
    await leaveAlone(busy)
    expect((await claim(busy)).status).toBe(204)
    await pass(HAND_BACK.firstWaitSeconds / HAND_BACK.aloneShare + 1)
    expect((await claim(busy)).status).toBe(200)
  })

  test('and stays alone never waits long', async () => {
    const { student, problemId } = await createProblem()
    await submit(student, problemId)
    const busy = await registerRunner()
    await leaveAlone(busy)
    for (let times = 0; times < 8; times += 1) {
      await handBack(busy)
      await pass(HAND_BACK.longestAloneSeconds + 1)
    }
    expect((await claim(busy)).status).toBe(200)
  })

  test('takes other jobs meanwhile', async () => {
    const { student, problemId } = await createProblem()
    await submit(student, problemId)
    const [busy] = [await registerRunner(), await registerRunner()]
    await handBack(busy)
    const next = await submit(student, problemId)
    expect((await claim(busy)).data.submissionId).toBe(next)
  })
})

describe('a job whose own trouble it is', () => {
  test.each([
    ['says so', { drained: false, fault: 'job', reason: 'unreadable' }],
    ['is an older runner, which does not say', { drained: false, reason: 'unreadable' }],
  ])('uses up its attempts, where the host %s [QF6]', async (_what, why) => {
    const { student, teacher, problemId } = await createProblem()
    const id = await submit(student, problemId)
    for (let attempt = 1; attempt <= JUDGING.maxAttempts; attempt += 1) {
      await runSql`update judgements set lease_until = null where finished_at is null`
      expect(await handBack(await registerRunner(), why)).toBe(attempt)
    }
    await sweep(workerEnv, nowSeconds())
    const seen = (await teacher.get(`/submission/${id}`)).data
    expect(seen.status).toBe(6)
    expect(seen.judgements[0].reason).toContain('Last: unreadable')
  })
})

test('no host alone uses up the attempts of a job: they count again once every host that lives has had it', async () => {
  const { student, problemId } = await createProblem()
  const id = await submit(student, problemId)
  const [liar, other] = [await registerRunner(), await registerRunner()]
  const why = { drained: false, fault: 'job', reason: 'no' }
  const status = async () => {
    await sweep(workerEnv, nowSeconds())
    return (await student.get(`/submission/${id}`)).data.status
  }
  const rest = async () => {
    await pass(HAND_BACK.longestWaitSeconds)
    await runSql`update judgements set lease_until = null where finished_at is null`
  }
  for (let count = 0; count < 2 * JUDGING.maxAttempts; count += 1) {
    expect(await handBack(liar, why)).toBe(1)
    await rest()
  }
  expect(await status()).toBe(-1)
  expect(await handBack(other, why)).toBe(2)
  await rest()
  expect(await handBack(liar, why)).toBe(3)
  expect(await status()).toBe(6)
})

test('jobs that no host can judge keep no other from being judged, however many [QF6]', async () => {
  const { student, problemId } = await createProblem()
  const id = await submit(student, problemId)
  await fillQueue(id, HAND_BACK.lookAhead, null)
  const host = await registerRunner()
  for (let count = 0; count <= HAND_BACK.lookAhead; count += 1) await handBack(host)
  const other = await createProblem()
  const next = await submit(other.student, other.problemId)
  expect((await claim(host)).data.submissionId).toBe(next)
})

test('a job that kills each host delays the others by its attempts and no more [QF6]', async () => {
  const world = await createProblem()
  const poison = await submit(world.student, world.problemId)
  const others = await addStudents(world, 40)
  for (const other of others) await submit(other, world.problemId)
  let token = await registerRunner()
  let claims = 0
  for (let judged = 0; judged < others.length; claims += 1) {
    const { submissionId, judgementId, lease } = (await claim(token)).data
    if (submissionId === poison) {
      // The job's host is gone for good.
      await expireLeases()
      token = await registerRunner()
    } else {
      await report(token, judgementId, reportOf(lease))
      judged += 1
    }
  }
  expect(claims).toBeLessThanOrEqual(others.length + JUDGING.maxAttempts)
  expect((await claim(token)).status).toBe(204)
  await sweep(workerEnv, nowSeconds())
  const { status, judgements } = (await world.teacher.get(`/submission/${poison}`)).data
  expect(status).toBe(6)
  expect(judgements[0].reason).toContain('3 attempts')
})

/** The jobs that wait for a healthy host. */
async function waiting(): Promise<number> {
  return (await call('GET', '/runners/queue', { as: await createPerson(0) })).data.unhealthy
}

test('an hour of hand-backs is an alarm for staff and no verdict', async () => {
  const { student, teacher, problemId } = await createProblem()
  const id = await submit(student, problemId)
  for (const token of [await registerRunner(), await registerRunner()]) await handBack(token)
  expect(await waiting()).toBe(0)
  await pass(HAND_BACK.alarmSeconds + 1)
  expect(await waiting()).toBe(1)
  await sweep(workerEnv, nowSeconds())
  const seen = (await teacher.get(`/submission/${id}`)).data
  expect(seen).toMatchObject({ status: -1, judgements: [{ reason: BUSY.reason }] })
  const healthy = await registerRunner()
  const job = (await claim(healthy)).data
  await report(healthy, job.judgementId, reportOf(job.lease))
  expect(await waiting()).toBe(0)
})

test('a job that goes back before it begins is no alarm, until a host has begun it', async () => {
  const { student, problemId } = await createProblem()
  await submit(student, problemId)
  await handBack(await registerRunner(), { ...BUSY, drained: true, began: false })
  await pass(HAND_BACK.alarmSeconds + 1)
  expect(await waiting()).toBe(0)
  await handBack(await registerRunner())
  expect(await waiting()).toBe(0)
  await pass(HAND_BACK.alarmSeconds + 1)
  expect(await waiting()).toBe(1)
})

test('what is left of superseded judgements goes', async () => {
  const { student, ta, problemId } = await createProblem()
  const id = await submit(student, problemId)
  await handBack(await registerRunner())
  await ta.post(`/submission/${id}/rejudge`)
  await pass(HAND_BACK.alarmSeconds + 1)
  await sweep(workerEnv, nowSeconds())
  const results =
    await allRows`select 1 from hand_backs h join judgements j on j.id = h.judgement_id
      where j.submission_id = ${id}`
  expect(results).toEqual([])
})

describe('what a claim costs', () => {
  /** Records that a host has just given back the whole queue. */
  async function giveAllBack(token: string): Promise<void> {
    const hash = await sha256Hex(token)
    await runSql`insert into hand_backs select id, (select id from runners
      where token_hash = ${hash}), ${nowSeconds()}, ${nowSeconds()}, ${HAND_BACK.longestWaitSeconds}
        from judgements where finished_at is null`
  }

  async function claimCost(token: string) {
    const { status, trips } = await recordCall('POST', '/runner/jobs/claim', { token })
    return { status, rows: trips.reduce((sum, trip) => sum + trip.rowsRead, 0) }
  }

  const MANY = 5_000

  test('is the same with thousands of jobs before it, waiting, resting or given back by this very host', async () => {
    const { student, problemId } = await createProblem()
    const id = await submit(student, problemId)
    const [token, other] = [await registerRunner(), await registerRunner()]
    const alone = await claimCost(token)
    expect(alone.status).toBe(200)
    await fillQueue(id, MANY, null)
    const long = await claimCost(token)
    expect(long.status).toBe(200)
    await giveAllBack(token)
    const refused = await claimCost(token)
    expect(refused.status).toBe(204)
    const others = await claimCost(other)
    expect(others.status).toBe(200)
    await emptyQueue()
    await fillQueue(id, MANY, nowSeconds() + 600)
    const resting = await claimCost(token)
    expect(resting.status).toBe(204)
    await emptyQueue()
    expect(long.rows).toBeLessThanOrEqual(alone.rows + 10)
    expect(others.rows).toBeLessThanOrEqual(alone.rows + 10)
    expect(resting.rows).toBeLessThanOrEqual(alone.rows)
    // The claim reads the head of the queue, and the hand-backs of each job there.
    expect(refused.rows).toBeLessThanOrEqual(alone.rows + 3 * HAND_BACK.lookAhead)
  })
})

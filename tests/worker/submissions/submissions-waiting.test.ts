/** What the page of a waiting submission and the submit page show of the judge hosts. */
import { beforeEach, expect, test } from 'vitest'
import { estimateSeconds } from '../../../worker/db/queue-estimate.ts'
import { nowSeconds } from '../../../worker/lib/clock.ts'
import { emptyQueue } from '../support/judge.ts'
import { runSql } from '../support/sql.ts'
import { createProblem, registerRunner, submit } from '../support/world.ts'

beforeEach(async () => {
  await emptyQueue()
  await runSql`delete from runners`
})

test.each([
  ['at a free slot is one job', 1, { slots: 4, free: 4, jobsPerSecond: 2 }, 2],
  ['behind full slots is those before it, too', 9, { slots: 4, free: 1, jobsPerSecond: 2 }, 6],
  ['without hosts is not known', 1, { slots: 0, free: 0, jobsPerSecond: null }, null],
  ['without slots is not known', 1, { slots: 0, free: 0, jobsPerSecond: 0 }, null],
])('the wait %s', (_, position, throughput, expected) => {
  expect(estimateSeconds(position, throughput)).toBe(expected)
})

test('a waiting submission says how long by the hosts that are alive and take jobs, and when there is none', async () => {
  const { student, problemId } = await createProblem()
  await submit(student, problemId)
  const id = await submit(student, problemId)
  const read = async () => {
    const { data } = await student.get(`/submission/${id}`)
    const { hasJudgeHost } = (await student.get(`/problem/${problemId}`)).data
    return [data.progress.position, data.progress.estimateSeconds, hasJudgeHost]
  }
  expect(await read()).toEqual([2, null, false])
  await registerRunner(2)
  await runSql`update runners set job_seconds = 5, free = 0, heartbeat_at = ${nowSeconds()}`
  // Two jobs come first, two are judged at a time, and each takes five seconds.
  expect(await read()).toEqual([2, 10, true])
  await runSql`update runners set slot_limit = 1`
  expect(await read()).toEqual([2, 15, true])
  // The host reports two free slots, but its limit is one.
  await runSql`update runners set free = 2`
  expect(await read()).toEqual([2, 10, true])
  await runSql`update runners set state = 'draining'`
  expect(await read()).toEqual([2, null, false])
  await runSql`update runners set state = 'active', heartbeat_at = ${nowSeconds() - 46}`
  expect(await read()).toEqual([2, null, false])
})

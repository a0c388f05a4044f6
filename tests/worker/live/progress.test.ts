/** A submission's progress: kept by the submitter's channel, or stored in the database without channels. */
import { createExecutionContext, evictDurableObject, waitOnExecutionContext } from 'cloudflare:test'
import { beforeEach, expect, test } from 'vitest'
import { app } from '../../../worker/app.ts'
import type { Env } from '../../../worker/env.ts'
import { CHANNELS } from '../../../worker/lib/channel-limits.ts'
import { progressOf, sendProgress } from '../../../worker/lib/live.ts'
import { claim, createClaimedJob, emptyQueue, expireLeases } from '../support/judge.ts'
import { firstRow } from '../support/sql.ts'
import { workerEnv } from '../support/step-queue.ts'
import { call, registerRunner } from '../support/world.ts'

const UNKNOWN = { phase: 'compiling', done: 0, total: 3 } as const

const storedCases = (judgementId: string) =>
  firstRow`select cases_done as done from judgements where id = ${judgementId}`

/** Ends a person's channel, as the platform may do at any time. */
async function forget(userId: number): Promise<void> {
  const channel = workerEnv.LIVE?.getByName(String(userId))
  if (!channel) throw new Error('there are no channels')
  await evictDurableObject(channel)
}

beforeEach(emptyQueue)

test('a report of progress writes no row; submitter and staff see it all the same', async () => {
  const { student, ta, id: submissionId, token, job } = await createClaimedJob()
  const report = { lease: job.lease, phase: 'running', done: 2, total: 3 }
  await call('POST', `/runner/jobs/${job.judgementId}/progress`, { token, json: report })
  expect(await storedCases(job.judgementId)).toEqual({ done: 0 })
  for (const as of [student, ta])
    expect((await as.get(`/submission/${submissionId}`)).data.progress).toEqual({
      phase: 'running',
      done: 2,
      total: 3,
    })
})

test('what a channel has forgotten is unknown until the next report', async () => {
  const { student, id: submissionId, token, job } = await createClaimedJob()
  const progress = async () => (await student.get(`/submission/${submissionId}`)).data.progress
  const tell = (done: number) => {
    const json = { lease: job.lease, phase: 'running', done, total: 3 }
    return call('POST', `/runner/jobs/${job.judgementId}/progress`, { token, json })
  }
  await tell(1)
  await forget(student.id)
  expect(await progress()).toEqual(UNKNOWN)
  await tell(2)
  expect(await progress()).toMatchObject({ phase: 'running', done: 2 })
})

test('of a judging under another lease nothing is taken over', async () => {
  const { student, id: submissionId, token, job } = await createClaimedJob()
  const report = { lease: job.lease, phase: 'running', done: 2, total: 3 }
  await call('POST', `/runner/jobs/${job.judgementId}/progress`, { token, json: report })
  await expireLeases()
  await claim(await registerRunner())
  expect((await student.get(`/submission/${submissionId}`)).data.progress).toEqual(UNKNOWN)
})

test(`a channel remembers ${CHANNELS.progress} judgings, those with the newest reports`, async () => {
  const { student, id: submissionId } = await createClaimedJob()
  const leases = Array.from({ length: CHANNELS.progress + 1 }, (_, index) => `lease ${index}`)
  const told = { submissionId, progress: UNKNOWN }
  for (const lease of [...leases, 'lease 1']) await sendProgress(workerEnv, student.id, lease, told)
  expect(await progressOf(workerEnv, student.id, 'lease 0')).toBeNull()
  await sendProgress(workerEnv, student.id, 'one more', told)
  expect(await progressOf(workerEnv, student.id, 'lease 1')).toEqual(UNKNOWN)
  expect(await progressOf(workerEnv, student.id, 'lease 2')).toBeNull()
})

test('without channels the database has it', async () => {
  const { student, id: submissionId, token, job } = await createClaimedJob()
  const bindings: Env = { ...workerEnv, LIVE_UPDATES: 'off' }
  const context = createExecutionContext()
  const answer = await app.fetch(
    new Request(`https://judge.test/api/runner/jobs/${job.judgementId}/progress`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` },
      body: JSON.stringify({ lease: job.lease, phase: 'running', done: 2, total: 3 }),
    }),
    bindings,
    context,
  )
  await waitOnExecutionContext(context)
  expect(answer.status).toBe(200)
  expect(await storedCases(job.judgementId)).toEqual({ done: 2 })
  await forget(student.id)
  expect((await student.get(`/submission/${submissionId}`)).data.progress).toMatchObject({
    phase: 'running',
    done: 2,
  })
})

test('a channel that fails or hangs holds nobody up', async () => {
  const bindingsWith = (progress: () => Promise<never>) =>
    ({ ...workerEnv, LIVE: { getByName: () => ({ progressOf: progress }) } }) as unknown as Env
  const fails = () => Promise.reject(new Error('the object is down'))
  const hangs = () => Promise.withResolvers<never>().promise
  for (const progress of [fails, hangs])
    expect(await progressOf(bindingsWith(progress), 1, 'lease')).toBeNull()
})

/** Each call that leaves work behind sends a message about that work, and no other message. */
import { beforeEach, expect, test } from 'vitest'
import { sweep } from '../../../worker/background/sweep.ts'
import { nowSeconds } from '../../../worker/lib/clock.ts'
import { claim, emptyQueue, judgeAll, reportOf } from '../support/judge.ts'
import { noteMessages } from '../support/messages.ts'
import { allRows, firstValue, runSql } from '../support/sql.ts'
import { finishOperations } from '../support/step-queue.ts'
import {
  createPerson,
  createProblem,
  FITTING_ENTRIES,
  registerRunner,
  submit,
  uploadZip,
} from '../support/world.ts'

beforeEach(emptyQueue)

test('what is to be judged has its ticket: handed in, in two steps, as a run, and judged again', async () => {
  const { student, ta, problemId } = await createProblem()
  await submit(student, problemId)
  const { call, takeTickets, takeSteps } = noteMessages()
  const judgementOf = (id: string) =>
    firstValue<string>`select judgement_id from submissions where id = ${id}`
  const json = { problemId, languageType: 0, code: 'int main(){}' }
  const { submissionId } = (await call('POST', '/submission', { as: student, json })).data
  expect(takeTickets()).toEqual([await judgementOf(submissionId)])

  const headers = { 'Idempotency-Key': 'once' }
  const keyed = { as: student, json, headers }
  await call('POST', '/submission', keyed)
  expect(takeTickets()).toHaveLength(1)
  await call('POST', '/submission', keyed)
  expect(takeTickets()).toEqual([])

  const first = { as: student, json: { problemId, languageType: 0 } }
  const begun = (await call('POST', '/submission', first)).data.submissionId
  expect(takeTickets()).toEqual([])
  const body = new FormData()
  body.set('code', new File(['int main(){}'], 'main.c'))
  await call('PUT', `/submission/${begun}`, { as: student, body })
  expect(takeTickets()).toEqual([await judgementOf(begun)])

  const run = { languageType: 0, code: 'int main(){}' }
  const started = await call('POST', `/problem/${problemId}/run`, { as: student, json: run })
  expect(takeTickets()).toEqual([started.data.runId])

  await call('POST', `/submission/${submissionId}/rejudge`, { as: ta })
  expect(takeTickets()).toEqual([await judgementOf(submissionId)])
  expect(takeSteps()).toEqual([])
})

test('a job that comes back has a new ticket: handed back, refused, or of a host that is gone', async () => {
  const { student, problemId } = await createProblem()
  const admin = await createPerson(0)
  const { call, takeTickets } = noteMessages()
  await submit(student, problemId)
  const token = await registerRunner()
  const job = (await claim(token)).data
  const path = `/runner/jobs/${job.judgementId}`
  const json = { lease: job.lease, drained: true, reason: null }
  await call('POST', `${path}/release`, { token, json })
  expect(takeTickets()).toEqual([job.judgementId])
  await call('POST', `${path}/release`, { token, json })
  expect(takeTickets()).toEqual([])

  const other = await registerRunner()
  const again = (await claim(other)).data
  const lie = { ...reportOf(again.lease), score: 99 }
  expect((await call('PUT', `${path}/result`, { token: other, json: lie })).code).toBe('bad_result')
  expect(takeTickets()).toEqual([job.judgementId])

  const third = await registerRunner()
  const { lease } = (await claim(third)).data
  const host = await firstValue`select runner_id from judgements where id = ${job.judgementId}`
  await call('DELETE', `/runners/${String(host)}`, { as: admin })
  expect(takeTickets()).toEqual([job.judgementId])
  const late = { token: other, json: reportOf(lease) }
  expect((await call('PUT', `${path}/result`, late)).code).toBe('stale_lease')
  expect(takeTickets()).toEqual([])
})

test('what is done step by step has its message, and each job that a step queues its ticket', async () => {
  const { course, student, teacher, ta, problemId } = await createProblem()
  for (const _time of [1, 2]) await submit(student, problemId)
  const token = await registerRunner()
  await judgeAll(token, 1)
  await runSql`update judgements set claimed_at = claimed_at - 2`
  await uploadZip(teacher, problemId, { ...FITTING_ENTRIES, '0101.out': '11\n' })
  const now = nowSeconds()
  const form = { courseName: course, name: 'H', start: now - 10, end: now + 100 }
  const made = await teacher.post('/homework', { ...form, problemIds: [problemId] })
  const { bindings, call, takeTickets, takeSteps } = noteMessages()
  const start = async (path: string, json?: object): Promise<string> => {
    const { status, data } = await call('POST', path, { as: ta, ...(json && { json }) })
    expect([path, status]).toEqual([path, 202])
    expect([path, takeSteps()]).toEqual([path, [data.jobId]])
    return data.jobId
  }
  const bulk = await start(`/problem/${problemId}/rejudge`, { apply: false })
  await finishOperations(bulk)
  await judgeAll(token)
  await finishOperations(bulk)
  await call('POST', `/jobs/${bulk}/apply`, { as: ta })
  expect(takeSteps()).toEqual([bulk])
  await call('POST', `/jobs/${bulk}/cancel`, { as: ta })
  expect(takeSteps()).toEqual([])
  await finishOperations(bulk)
  await start(`/homework/${made.data.id}/rejudge`, {})
  await start('/runners/requeue', { status: 6 })
  const search = { as: ta, json: { course, problemId } }
  const { jobId } = (await call('POST', '/copycat', search)).data
  expect(takeSteps()).toEqual([jobId])
  await call('POST', '/copycat', search)
  expect(takeSteps()).toEqual([])
  expect(takeTickets()).toEqual([])

  // The sweeper finds work that has waited too long.
  await submit(student, problemId)
  await sweep(bindings, nowSeconds() + 100)
  const open = await allRows<{ id: string }>`select id from judgements where finished_at is null`
  expect(takeTickets().toSorted()).toEqual(open.map(({ id }) => id).toSorted())
  expect(takeSteps()).toContain(jobId)
})

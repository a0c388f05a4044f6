/** Cancelling a bulk rejudge while it queues, while hosts judge, twice, and by others. */
import { beforeEach, expect, test } from 'vitest'
import { STATUS } from '#contract/verdicts'
import { STEPS } from '../../../worker/background/consume-steps.ts'
import { claim, emptyQueue, judgeAll, report, reportOf } from '../support/judge.ts'
import { allRows, runSql } from '../support/sql.ts'
import { deliver, finishOperations } from '../support/step-queue.ts'
import {
  createPerson,
  createProblem,
  FITTING_ENTRIES,
  registerRunner,
  submit,
  uploadZip,
  type Person,
} from '../support/world.ts'

beforeEach(emptyQueue)

/** A problem with three wrong submissions, oldest first, and what a bulk rejudge of them needs. */
async function createWrongs() {
  const world = await createProblem()
  const token = await registerRunner()
  const ids: string[] = []
  for (let made = 0; made < 3; made += 1) ids.push(await submit(world.student, world.problemId))
  await judgeAll(token, STATUS.WA)
  const { ta, student, problemId } = world
  const statusOf = async (id: string) => {
    const { data } = await student.get(`/submission/${id}`)
    return data.status
  }
  return {
    ...world,
    token,
    ids,
    start: async (): Promise<string> =>
      (await ta.post(`/problem/${problemId}/rejudge`, {})).data.jobId,
    cancel: (as: Person, jobId: string) => as.post(`/jobs/${jobId}/cancel`),
    read: async (jobId: string) => (await ta.get(`/jobs/${jobId}`)).data,
    statuses: () => Promise.all(ids.map(statusOf)),
    /** What the person has reached, by summary. */
    reached: async () => {
      const { data } = await student.get(`/problem/${problemId}`)
      return [data.submitCount, data.highScore, data.solved]
    },
  }
}

test('what no host has begun keeps its verdict; what is done or under way stays', async () => {
  const { ta, token, start, cancel, read, statuses, reached } = await createWrongs()
  const before = await reached()
  const jobId = await start()
  await finishOperations(jobId)
  expect(await statuses()).toEqual([-1, -1, -1])
  const done = (await claim(token)).data
  await report(token, done.judgementId, reportOf(done.lease))
  const underWay = (await claim(token)).data
  expect(await cancel(ta, jobId)).toMatchObject({ status: 202, data: { jobId, count: 1 } })
  expect(await read(jobId)).toMatchObject({ state: 'running', cancelled: true, waiting: 1 })
  await finishOperations(jobId)
  expect(await statuses()).toEqual([STATUS.AC, -1, STATUS.WA])
  expect((await claim(token)).status).toBe(204)
  expect((await report(token, underWay.judgementId, reportOf(underWay.lease))).status).toBe(200)
  expect(await statuses()).toEqual([STATUS.AC, STATUS.AC, STATUS.WA])
  expect(await read(jobId)).toEqual({
    state: 'done',
    done: 3,
    total: 3,
    result: { count: 3, takenBack: 1 },
    waiting: 0,
    cancelled: true,
  })
  expect(before).toEqual([3, 0, false])
  expect(await reached()).toEqual([3, 100, true])
})

test('one that is cancelled while it queues queues no more, whoever works on it', async () => {
  const { ta, token, start, cancel, statuses, reached, ids } = await createWrongs()
  const before = await reached()
  const jobId = await start()
  // The step has read its row, and is overtaken before it writes.
  await deliver(
    { v: 1, jobId },
    {
      rejudge: async (context) => {
        await cancel(ta, jobId)
        return STEPS.rejudge(context)
      },
    },
  )
  await finishOperations(jobId)
  expect(await statuses()).toEqual(ids.map(() => STATUS.WA))
  expect(await reached()).toEqual(before)
  expect((await claim(token)).status).toBe(204)
})

test('a step that comes late, when all is taken back, queues nothing', async () => {
  const { ta, token, start, cancel, statuses, ids } = await createWrongs()
  const jobId = await start()
  await deliver(
    { v: 1, jobId },
    {
      rejudge: async (context) => {
        await cancel(ta, jobId)
        await finishOperations(jobId)
        return STEPS.rejudge(context)
      },
    },
  )
  expect(await statuses()).toEqual(ids.map(() => STATUS.WA))
  expect((await claim(token)).status).toBe(204)
})

test('a step that takes back and is overtaken by a host or a rejudge leaves them alone, and may be repeated', async () => {
  const { ta, token, start, cancel, read, statuses, ids } = await createWrongs()
  const jobId = await start()
  await finishOperations(jobId)
  await cancel(ta, jobId)
  await ta.post(`/submission/${ids[0]}/rejudge`)
  const claimed = (await claim(token)).data
  expect(claimed.submissionId).toBe(ids[0])
  const bulk = (await claim(token)).data
  expect(bulk.submissionId).toBe(ids[1])
  await deliver(
    { v: 1, jobId },
    {
      rejudge: async (context) => {
        await STEPS.rejudge(context)
        return STEPS.rejudge(context)
      },
    },
  )
  await finishOperations(jobId)
  expect(await statuses()).toEqual([-1, -1, STATUS.WA])
  for (const { judgementId, lease } of [claimed, bulk])
    expect((await report(token, judgementId, reportOf(lease))).status).toBe(200)
  expect(await statuses()).toEqual([STATUS.AC, STATUS.AC, STATUS.WA])
  expect((await read(jobId)).state).toBe('done')
})

test('twice is as good as once, and nobody but who has started it hears of it', async () => {
  const { ta, teacher, student, start, cancel, statuses, ids } = await createWrongs()
  const outsider = await createPerson(1)
  const jobId = await start()
  await finishOperations(jobId)
  for (const nobody of [teacher, student, outsider])
    expect(await cancel(nobody, jobId)).toMatchObject({ status: 404, code: 'job_not_found' })
  const answers = await Promise.all([cancel(ta, jobId), cancel(ta, jobId)])
  expect(answers.map(({ status }) => status)).toEqual([202, 202])
  await finishOperations(jobId)
  expect(await statuses()).toEqual(ids.map(() => STATUS.WA))
  expect(await cancel(ta, jobId)).toMatchObject({ status: 202, data: { count: 0 } })
  const entries = await allRows`select action from audit_entries
    where subject = ${jobId} and action = 'submission.cancel_rejudge'`
  expect(entries).toHaveLength(1)
  expect((await cancel(ta, 'nonsense')).status).toBe(404)
})

test('another bulk rejudge of the same submissions is not cancelled with it, and each keeps what it had before', async () => {
  const { ta, token, start, cancel, statuses } = await createWrongs()
  const first = await start()
  await finishOperations(first)
  await judgeAll(token)
  expect(await statuses()).toEqual([STATUS.AC, STATUS.AC, STATUS.AC])
  const second = await start()
  await finishOperations(second)
  expect(await cancel(ta, first)).toMatchObject({ data: { count: 0 } })
  expect(await statuses()).toEqual([-1, -1, -1])
  await cancel(ta, second)
  await finishOperations(second)
  expect(await statuses()).toEqual([STATUS.AC, STATUS.AC, STATUS.AC])
})

test('a preview that was judged before is not taken for the verdict before, and can be applied afterwards', async () => {
  const { ta, teacher, problemId, token, start, cancel, statuses, reached, ids } =
    await createWrongs()
  const before = await reached()
  await runSql`update judgements set claimed_at = claimed_at - 2`
  await uploadZip(teacher, problemId, { ...FITTING_ENTRIES, '0101.out': '11\n' })
  const preview = `/problem/${problemId}/rejudge/preview`
  await finishOperations((await ta.post(preview)).data.jobId)
  await judgeAll(token)
  const jobId = await start()
  await finishOperations(jobId)
  expect(await statuses()).toEqual(ids.map(() => -1))
  await cancel(ta, jobId)
  await finishOperations(jobId)
  expect(await statuses()).toEqual(ids.map(() => STATUS.WA))
  expect(await reached()).toEqual(before)
  expect((await ta.get(preview)).data.preview).toMatchObject({ changedCount: 3 })
  await finishOperations((await ta.post(`${preview}/apply`)).data.jobId)
  expect(await statuses()).toEqual(ids.map(() => STATUS.AC))
})

test('a rejudge that was cancelled is not taken for the verdict before by the next one', async () => {
  const { ta, start, cancel, statuses, reached, ids } = await createWrongs()
  const before = await reached()
  for (const _time of [1, 2]) {
    const jobId = await start()
    await finishOperations(jobId)
    expect(await statuses()).toEqual(ids.map(() => -1))
    await cancel(ta, jobId)
    await finishOperations(jobId)
    expect(await statuses()).toEqual(ids.map(() => STATUS.WA))
  }
  expect(await reached()).toEqual(before)
})

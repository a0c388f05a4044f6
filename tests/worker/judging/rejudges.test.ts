/** Bulk rejudges: what students see, applying by hand or automatically, cancelling, and changes meanwhile. */
import { beforeEach, describe, expect, test } from 'vitest'
import { STATUS, type Verdict } from '#contract/verdicts'
import { STEPS } from '../../../worker/background/consume-steps.ts'
import { sweep } from '../../../worker/background/sweep.ts'
import { openDb } from '../../../worker/db/client.ts'
import { SWEEP } from '../../../worker/db/retention.ts'
import { adoptBucket, confirmDeletions } from '../../../worker/features/storage/installation.ts'
import { APPLY_SECONDS } from '../../../worker/features/judging/rejudge/operation-queries.ts'
import { nowSeconds } from '../../../worker/lib/clock.ts'
import { claim, emptyQueue, judgeAll, outputOf, report, reportOf } from '../support/judge.ts'
import { noteMessages } from '../support/messages.ts'
import { allRows, firstValue, runSql } from '../support/sql.ts'
import { deliver, finishOperations, workerEnv } from '../support/step-queue.ts'
import {
  addStudents,
  createPerson,
  createProblem,
  FITTING_ENTRIES,
  registerRunner,
  submit,
  uploadZip,
} from '../support/world.ts'

beforeEach(emptyQueue)

const FIXED = { ...FITTING_ENTRIES, '0101.out': '11\n' }

/** A problem whose students got these verdicts, and whose wrong case was corrected afterwards. */
async function createMended(...verdicts: Verdict[]) {
  const world = await createProblem({ quota: 9 })
  const { ta, problemId } = world
  const token = await registerRunner()
  const students = [world.student, ...(await addStudents(world, verdicts.length - 1))]
  const ids: string[] = []
  for (const [index, student] of students.entries()) {
    ids.push(await submit(student, problemId))
    await judgeAll(token, verdicts[index])
  }
  // Claims are dated in whole seconds, so these become older.
  await runSql`update judgements set claimed_at = claimed_at - 2`
  await uploadZip(world.teacher, problemId, FIXED)
  const path = `/problem/${problemId}/rejudge`
  return {
    ...world,
    token,
    students,
    ids,
    path,
    read: async () => (await ta.get(path)).data,
    /** Starts a rejudge and queues all its judgements. */
    start: async (json: object = {}): Promise<string> => {
      const started = await ta.post(path, json)
      expect(started.status).toBe(202)
      await finishOperations(started.data.jobId)
      return started.data.jobId
    },
    progress: async (jobId: string) => (await ta.get(`/jobs/${jobId}`)).data,
    apply: async (jobId: string) => {
      expect((await ta.post(`/jobs/${jobId}/apply`)).status).toBe(200)
      await finishOperations(jobId)
    },
    cancel: (jobId: string) => ta.post(`/jobs/${jobId}/cancel`),
    statuses: () =>
      Promise.all(
        ids.map(
          async (id, index) => (await students[index]?.get(`/submission/${id}`))?.data.status,
        ),
      ),
  }
}

const BY_HAND = { earlierOnly: true, apply: false }

/** Everything that students read about their work. */
async function whatStudentsSee(world: Awaited<ReturnType<typeof createMended>>) {
  const { students, ids, problemId, course, teacher } = world
  const pages = students.flatMap((student, index) => [
    student.get(`/submission/${ids[index]}`),
    student.get(`/submission?course=${course}`),
    student.get(`/problem/${problemId}`),
    student.get(`/problem/${problemId}/stats`),
  ])
  return (
    await Promise.all([...pages, teacher.get(`/course/${course}/scoreboard?pids=${problemId}`)])
  ).map(({ status, data }) => ({ status, data }))
}

describe('a rejudge that applies itself', () => {
  test('shows the old verdicts until all are judged, then all new ones', async () => {
    const world = await createMended(STATUS.WA, STATUS.WA, STATUS.AC)
    const { token, students, problemId, progress, statuses } = world
    const before = await whatStudentsSee(world)
    const jobId = await world.start()
    expect(await progress(jobId)).toEqual({
      state: 'running',
      done: 0,
      total: 3,
      rejudge: {
        phase: 'judging',
        expiresAt: null,
        changedCount: null,
        keptCount: null,
        lostCount: 0,
      },
    })
    const first = (await claim(token)).data
    await report(token, first.judgementId, reportOf(first.lease))
    await finishOperations(jobId)
    expect(await progress(jobId)).toMatchObject({ state: 'running', done: 1, total: 3 })
    expect(await whatStudentsSee(world)).toEqual(before)
    await judgeAll(token)
    expect(await whatStudentsSee(world)).toEqual(before)
    await finishOperations(jobId)
    expect(await statuses()).toEqual([STATUS.AC, STATUS.AC, STATUS.AC])
    expect(await progress(jobId)).toEqual({
      state: 'done',
      done: 3,
      total: 3,
      result: { count: 3, changedCount: 2, keptCount: 0, lostCount: 0 },
    })
    for (const student of students)
      expect((await student.get(`/problem/${problemId}`)).data).toMatchObject({
        highScore: 100,
        solved: true,
        quotaUsed: 1,
      })
  })

  test('goes on by a message that the last result sends, and no other', async () => {
    const world = await createMended(STATUS.WA, STATUS.WA)
    const jobId = await world.start()
    for (const sent of [[], [jobId]]) {
      const { judgementId, lease } = (await claim(world.token)).data
      const { call, takeSteps } = noteMessages()
      const json = reportOf(lease)
      await call('PUT', `/runner/jobs/${judgementId}/result`, { token: world.token, json })
      expect(takeSteps()).toEqual(sent)
    }
  })

  test('takes no verdict away by a Judge Error, and says of another one why', async () => {
    const world = await createMended(STATUS.WA, STATUS.JE)
    const jobId = await world.start()
    await judgeAll(world.token, STATUS.JE)
    await finishOperations(jobId)
    expect(await world.statuses()).toEqual([STATUS.WA, STATUS.JE])
    expect((await world.progress(jobId)).result).toMatchObject({ changedCount: 0, keptCount: 2 })
    const histories = world.ids.map(
      async (id) => (await world.ta.get(`/submission/${id}`)).data.judgements.length,
    )
    expect(await Promise.all(histories)).toEqual([1, 2])
  })

  test('leaves alone what is handed in or judged again meanwhile', async () => {
    const world = await createMended(STATUS.AC, STATUS.AC)
    const { ta, student, problemId, ids, token } = world
    const jobId = await world.start()
    await ta.post(`/submission/${ids[1]}/rejudge`)
    const live = await submit(student, problemId)
    expect(await judgeAll(token, STATUS.WA)).toEqual([ids[1], live, ids[0]])
    await finishOperations(jobId)
    expect(await world.statuses()).toEqual([STATUS.WA, STATUS.WA])
    expect(await firstValue`select count(*) from judgements where rejudge_id = ${jobId}`).toBe(0)
    const facts = (await student.get(`/problem/${problemId}`)).data
    expect(facts).toMatchObject({ highScore: 0, submitCount: 2 })
  })

  test('of two at once the later one counts, whichever is judged first', async () => {
    for (const isLaterFirst of [false, true]) {
      const world = await createMended(STATUS.WA)
      const { ta, problemId, ids, token } = world
      const jobs = [await world.start(), await world.start()]
      const claims = [(await claim(token)).data]
      const other = await registerRunner()
      claims.push((await claim(other)).data)
      const verdicts = [STATUS.RE, STATUS.TLE] as const
      for (const at of isLaterFirst ? [1, 0] : [0, 1]) {
        const { judgementId, lease } = claims[at]
        await report(at === 0 ? token : other, judgementId, reportOf(lease, verdicts[at]))
        await finishOperations(jobs[at] ?? '')
      }
      expect([isLaterFirst, await world.statuses()]).toEqual([isLaterFirst, [STATUS.TLE]])
      expect((await ta.get(`/submission?problemId=${problemId}`)).data.submissions).toHaveLength(1)
      expect(ids).toHaveLength(1)
    }
  })

  test('ends with a reason, and changes nothing, when the problem changes or is deleted meanwhile', async () => {
    for (const isDeleted of [false, true]) {
      const world = await createMended(STATUS.WA, STATUS.WA)
      const { teacher, problemId, token } = world
      const jobId = await world.start()
      const job = (await claim(token)).data
      await report(token, job.judgementId, reportOf(job.lease))
      if (isDeleted) await teacher.delete(`/problem/manage/${problemId}`)
      else await uploadZip(teacher, problemId, FIXED)
      expect((await world.progress(jobId)).rejudge.phase).toBe('outdated')
      await finishOperations(jobId)
      const { state, error } = await world.progress(jobId)
      expect([state, error]).toEqual(['failed', expect.stringContaining('has changed meanwhile')])
      await sweep(workerEnv, nowSeconds())
      expect((await claim(token)).status).toBe(204)
      const rows = await allRows`select status from submissions where problem_id = ${problemId}`
      expect(rows).toEqual([{ status: STATUS.WA }, { status: STATUS.WA }])
    }
  })
})

describe('a rejudge that is applied by hand', () => {
  test('is unseen by students, shows what would change, and is applied', async () => {
    const world = await createMended(STATUS.WA, STATUS.AC, STATUS.WA)
    const { ta, teacher, students, ids, problemId, read, token, progress } = world
    expect(await read()).toEqual({ earlierCount: 3, jobId: null })
    const before = await whatStudentsSee(world)
    const jobId = await world.start(BY_HAND)
    expect(await read()).toEqual({ earlierCount: null, jobId })
    expect(await progress(jobId)).toMatchObject({
      done: 0,
      total: 3,
      rejudge: { phase: 'judging', changedCount: null },
    })
    expect((await ta.post(`/jobs/${jobId}/apply`)).code).toBe('rejudge_not_ready')
    await judgeAll(token)
    await finishOperations(jobId)
    expect((await teacher.get(`/jobs/${jobId}`)).data).toMatchObject({
      done: 3,
      rejudge: { phase: 'ready', changedCount: 2, keptCount: 0 },
    })
    expect(await whatStudentsSee(world)).toEqual(before)
    const changes = `/jobs/${jobId}/changes?limit=1`
    const first = (await teacher.get(changes)).data
    const second = (await teacher.get(`${changes}&cursor=${first.next}`)).data
    expect(second.next).toBeNull()
    expect([...first.items, ...second.items]).toEqual(
      [0, 2].map((at) => ({
        submissionId: ids[at],
        problemId,
        user: expect.objectContaining({ username: students[at]?.username }),
        from: { status: STATUS.WA, score: 0 },
        to: { status: STATUS.AC, score: 100 },
      })),
    )
    await world.apply(jobId)
    expect(await read()).toEqual({ earlierCount: 0, jobId: null })
    expect(await world.statuses()).toEqual([STATUS.AC, STATUS.AC, STATUS.AC])
    for (const [index, student] of students.entries())
      expect((await student.get(`/submission/${ids[index]}`)).data.judgements).toHaveLength(2)
  })

  test('lists its changes by when they were judged, and leaves none out between two pages', async () => {
    const world = await createMended(STATUS.WA, STATUS.WA, STATUS.WA)
    const { ta, ids, token } = world
    const jobId = await world.start(BY_HAND)
    await judgeAll(token)
    // The first was judged last; the others were judged in the same second.
    await runSql`update judgements set finished_at = finished_at + 60 * (submission_id = ${ids[0]})
      - (finished_at - queued_at) where rejudge_id = ${jobId}`
    const seen: string[] = []
    for (let cursor = ''; seen.length < 9;) {
      const { items, next } = (await ta.get(`/jobs/${jobId}/changes?limit=1${cursor}`)).data
      seen.push(...items.map(({ submissionId }: { submissionId: string }) => submissionId))
      if (next === null) break
      cursor = `&cursor=${next}`
    }
    expect(seen).toEqual([ids[1], ids[2], ids[0]])
  })

  test('keeps its outputs once it is applied, and loses them once it is cancelled', async () => {
    const worlds = [await createMended(STATUS.AC), await createMended(STATUS.AC)]
    const db = openDb(workerEnv.DB)
    await adoptBucket(workerEnv, db)
    const keys: string[] = []
    const jobs: string[] = []
    for (const world of worlds) {
      jobs.push(await world.start(BY_HAND))
      const { judgementId, lease } = (await claim(world.token)).data
      await report(world.token, judgementId, reportOf(lease, STATUS.WA, [outputOf({})]))
      await finishOperations(jobs.at(-1) ?? '')
      const key = await firstValue`select outputs_key from judgements where id = ${judgementId}`
      keys.push(String(key))
    }
    const marking = nowSeconds() + SWEEP.orphanSeconds + 60
    await sweep(workerEnv, marking)
    await worlds[0]?.apply(jobs[0] ?? '')
    await worlds[1]?.cancel(jobs[1] ?? '')
    const deleting = marking + SWEEP.markedSeconds + 60
    await confirmDeletions(db, deleting)
    await sweep(workerEnv, deleting)
    const heads = await Promise.all(keys.map((key) => workerEnv.BUCKET.head(key)))
    expect(heads.map((head) => head !== null)).toEqual([true, false])
    const output = `/submission/${worlds[0]?.ids[0]}/output/0/0`
    expect((await worlds[0]?.student.get(output))?.status).toBe(200)
  })

  test('that has changed again cannot be applied, and the next one takes its place', async () => {
    const world = await createMended(STATUS.WA)
    const jobId = await world.start(BY_HAND)
    await judgeAll(world.token)
    await finishOperations(jobId)
    await uploadZip(world.teacher, world.problemId, FIXED)
    expect((await world.progress(jobId)).rejudge).toMatchObject({ phase: 'outdated' })
    expect((await world.ta.post(`/jobs/${jobId}/apply`)).code).toBe('rejudge_not_ready')
    const next = await world.start(BY_HAND)
    expect((await world.progress(jobId)).result).toEqual({ cancelled: true })
    expect(await firstValue`select count(*) from judgements where rejudge_id = ${jobId}`).toBe(0)
    await judgeAll(world.token)
    await finishOperations(next)
    await world.apply(next)
    expect(await world.read()).toEqual({ earlierCount: 0, jobId: null })
  })

  test('cannot be cancelled or applied again while it is applied, and fails when the problem changes then', async () => {
    const world = await createMended(STATUS.WA)
    const { ta, teacher, problemId } = world
    const jobId = await world.start(BY_HAND)
    await judgeAll(world.token)
    await finishOperations(jobId)
    const started = await Promise.all([ta, teacher].map((as) => as.post(`/jobs/${jobId}/apply`)))
    expect(started.map(({ status }) => status).toSorted()).toEqual([200, 409])
    expect((await world.progress(jobId)).rejudge.phase).toBe('applying')
    for (const what of ['apply', 'cancel'])
      expect((await ta.post(`/jobs/${jobId}/${what}`)).code).toBe('rejudge_applying')
    await uploadZip(teacher, problemId, FIXED)
    await finishOperations(jobId)
    expect(await world.progress(jobId)).toMatchObject({ state: 'failed', done: 0 })
    expect(await world.statuses()).toEqual([STATUS.WA])
  })

  test('is applied although a step has just found nobody who does', async () => {
    const world = await createMended(STATUS.WA)
    const jobId = await world.start(BY_HAND)
    await judgeAll(world.token)
    const overtaken: (typeof STEPS)['rejudge'] = async (context) => {
      const row = await firstValue`select payload ->> 'phase' from operations where id = ${jobId}`
      if (row === 'ready') expect((await world.ta.post(`/jobs/${jobId}/apply`)).status).toBe(200)
      return STEPS.rejudge(context)
    }
    await deliver({ v: 1, jobId }, { rejudge: overtaken })
    expect((await world.progress(jobId)).rejudge.phase).toBe('applying')
    await finishOperations(jobId)
    expect(await world.statuses()).toEqual([STATUS.AC])
  })

  test('is cancelled with its judgements when nobody has applied it for two days', async () => {
    const world = await createMended(STATUS.WA)
    const jobId = await world.start(BY_HAND)
    await judgeAll(world.token)
    await finishOperations(jobId)
    const until = nowSeconds() + APPLY_SECONDS
    const isOpen = async () => (await world.progress(jobId)).state === 'running'
    for (const now of [until - 60, until + 60]) {
      const wait = {
        rejudge: (context: Parameters<typeof STEPS.rejudge>[0]) =>
          STEPS.rejudge({ ...context, now }),
      }
      await runSql`update operations set lease_until = 0 where id = ${jobId}`
      await deliver({ v: 1, jobId }, wait)
      expect(await isOpen()).toBe(now < until)
    }
    expect((await world.progress(jobId)).result).toEqual({ cancelled: true })
    await sweep(workerEnv, nowSeconds())
    expect(await firstValue`select count(*) from judgements where rejudge_id = ${jobId}`).toBe(0)
    expect(await world.read()).toEqual({ earlierCount: 1, jobId: null })
  })
})

describe('cancelling a rejudge', () => {
  test('ends it, and every submission keeps its verdict, whatever a host is at', async () => {
    const world = await createMended(STATUS.WA, STATUS.WA, STATUS.AC)
    const { token } = world
    const before = await whatStudentsSee(world)
    const jobId = await world.start()
    const done = (await claim(token)).data
    await report(token, done.judgementId, reportOf(done.lease))
    const job = (await claim(token)).data
    expect((await world.cancel(jobId)).status).toBe(200)
    expect((await report(token, job.judgementId, reportOf(job.lease))).code).toBe('stale_lease')
    expect((await claim(token)).status).toBe(204)
    await finishOperations(jobId)
    expect(await whatStudentsSee(world)).toEqual(before)
    expect(await world.progress(jobId)).toMatchObject({
      state: 'done',
      result: { cancelled: true },
    })
    expect(await world.read()).toEqual({ earlierCount: 3, jobId: null })
  })

  test('while a step queues or applies leaves that step without effect', async () => {
    for (const isJudged of [false, true]) {
      const world = await createMended(STATUS.WA)
      const { jobId } = (await world.ta.post(world.path, {})).data
      if (isJudged) {
        await finishOperations(jobId)
        await judgeAll(world.token)
      }
      const overtaken: (typeof STEPS)['rejudge'] = async (context) => {
        await world.cancel(jobId)
        return STEPS.rejudge(context)
      }
      await deliver({ v: 1, jobId }, { rejudge: overtaken })
      expect((await claim(world.token)).status).toBe(204)
      expect(await world.statuses()).toEqual([STATUS.WA])
      expect((await world.progress(jobId)).result).toEqual({ cancelled: true })
    }
  })

  test('twice is as good as once, and nobody but staff of the course does it, looks at it or applies it', async () => {
    const world = await createMended(STATUS.WA)
    const { ta, teacher, student } = world
    const outsider = await createPerson(1)
    const jobId = await world.start(BY_HAND)
    for (const [nobody, status, code] of [
      [student, 403, 'forbidden'],
      [outsider, 404, 'job_not_found'],
    ] as const)
      for (const answer of [
        await nobody.get(`/jobs/${jobId}`),
        await nobody.get(`/jobs/${jobId}/changes`),
        await nobody.post(`/jobs/${jobId}/apply`),
        await nobody.post(`/jobs/${jobId}/cancel`),
      ])
        expect(answer).toMatchObject({ status, code })
    expect((await student.get(world.path)).status).toBe(403)
    expect((await outsider.get(world.path)).status).toBe(404)
    const answers = await Promise.all([ta, teacher].map((as) => as.post(`/jobs/${jobId}/cancel`)))
    // After the end only its starter can see the operation.
    for (const { status } of answers) expect([200, 404]).toContain(status)
    expect((await ta.post(`/jobs/nonsense/cancel`)).status).toBe(404)
    const entries = await allRows`select 1 from audit_entries
      where subject = ${jobId} and action = 'submission.cancel_rejudge'`
    expect(entries).toHaveLength(1)
  })
})

test('a rejudge that runs each step twice does nothing more', async () => {
  const world = await createMended(STATUS.WA, STATUS.WA)
  const { jobId } = (await world.ta.post(world.path, {})).data
  const twice: (typeof STEPS)['rejudge'] = async (context) => {
    await STEPS.rejudge(context)
    return STEPS.rejudge(context)
  }
  await Promise.all([deliver({ v: 1, jobId }, { rejudge: twice }), deliver({ v: 1, jobId })])
  expect(await judgeAll(world.token)).toHaveLength(2)
  await deliver({ v: 1, jobId }, { rejudge: twice })
  await finishOperations(jobId)
  expect(await world.statuses()).toEqual([STATUS.AC, STATUS.AC])
  expect((await world.progress(jobId)).state).toBe('done')
})

test('a rejudge of no problem is not outdated before its first step', async () => {
  const { ta } = await createProblem()
  const { jobId } = (await ta.post('/runners/requeue', { status: STATUS.JE })).data
  const read = async () => (await ta.get(`/jobs/${jobId}`)).data
  expect(await read()).toMatchObject({ total: 0, rejudge: { phase: 'judging' } })
  await finishOperations(jobId)
  expect(await read()).toMatchObject({ state: 'done', result: { count: 0 } })
})

test('a rejudge that was given up leaves no judgement', async () => {
  const world = await createMended(STATUS.WA)
  const jobId = await world.start()
  await runSql`update operations set state = 'failed', finished_at = 1 where id = ${jobId}`
  await sweep(workerEnv, nowSeconds())
  expect((await claim(world.token)).status).toBe(204)
})

/** Previews of rejudges: what staff see before students do, and what becomes of it. */
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { STATUS, type Verdict } from '#contract/verdicts'
import { sweep } from '../../../worker/background/sweep.ts'
import { openDb } from '../../../worker/db/client.ts'
import { SWEEP } from '../../../worker/db/retention.ts'
import { adoptBucket, confirmDeletions } from '../../../worker/features/storage/installation.ts'
import { nowSeconds } from '../../../worker/lib/clock.ts'
import { PREVIEW_SECONDS } from '../../../worker/features/judging/rejudge/preview-queries.ts'
import { claim, emptyQueue, judgeAll, outputOf, report, reportOf } from '../support/judge.ts'
import { allRows, firstValue, runSql } from '../support/sql.ts'
import { deliver, finishOperations, workerEnv } from '../support/step-queue.ts'
import {
  addStudents,
  createProblem,
  FITTING_ENTRIES,
  registerRunner,
  submit,
  uploadZip,
  type Person,
} from '../support/world.ts'

beforeEach(emptyQueue)

const FIXED = { ...FITTING_ENTRIES, '0101.out': '11\n' }

/** A problem whose three students have handed in with these verdicts, and whose wrong case was mended since. */
async function createMended(...verdicts: Verdict[]) {
  const world = await createProblem({ quota: 9 })
  const token = await registerRunner()
  const students = [world.student, ...(await addStudents(world, verdicts.length - 1))]
  const ids: string[] = []
  for (const [index, student] of students.entries()) {
    ids.push(await submit(student, world.problemId))
    await judgeAll(token, verdicts[index])
  }
  await laterThanClaims()
  await uploadZip(world.teacher, world.problemId, FIXED)
  const path = `/problem/${world.problemId}/rejudge/preview`
  const read = async (as: Person = world.ta) => (await as.get(path)).data
  return { ...world, token, students, ids, path, read }
}

/** Claims are dated in seconds; this makes all of them earlier than what comes next. */
async function laterThanClaims(): Promise<void> {
  await runSql`update judgements set claimed_at = claimed_at - 2`
}

/** Starts a preview and queues all of it. */
async function startPreview({ ta, path }: { ta: Person; path: string }): Promise<string> {
  const started = await ta.post(path)
  expect(started.status).toBe(202)
  await finishOperations(started.data.jobId)
  return started.data.jobId
}

/** Applies the preview. */
async function apply({ ta, path }: { ta: Person; path: string }): Promise<void> {
  const started = await ta.post(`${path}/apply`)
  expect(started.status).toBe(202)
  await finishOperations(started.data.jobId)
}

/** All that students read about their work. */
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

describe('a mended case', () => {
  test('has its changes by when they were judged, and none is left out between two pages', async () => {
    const world = await createMended(STATUS.WA, STATUS.WA, STATUS.WA)
    const { ta, ids, path, token } = world
    const previewId = await startPreview(world)
    await judgeAll(token)
    // The first was judged last, the others in the same second.
    await runSql`update judgements set finished_at = finished_at + 60 * (submission_id = ${ids[0]})
      - (finished_at - queued_at) where preview_id = ${previewId}`
    const seen: string[] = []
    for (let cursor = ''; seen.length < 9;) {
      const { items, next } = (await ta.get(`${path}/changes?limit=1${cursor}`)).data
      seen.push(...items.map(({ submissionId }: { submissionId: string }) => submissionId))
      if (next === null) break
      cursor = `&cursor=${next}`
    }
    expect(seen).toEqual([ids[1], ids[2], ids[0]])
  })

  test('is previewed, unseen by students, and applied', async () => {
    const world = await createMended(STATUS.WA, STATUS.AC, STATUS.WA)
    const { ta, students, ids, path, read, token } = world
    expect(await read()).toEqual({ earlierCount: 3, preview: null })
    const before = await whatStudentsSee(world)

    await startPreview(world)
    expect(await read()).toMatchObject({
      earlierCount: null,
      preview: { state: 'judging', total: 3, done: 0, changedCount: null },
    })
    expect(await whatStudentsSee(world)).toEqual(before)
    expect((await ta.post(`${path}/apply`)).code).toBe('preview_not_ready')

    await judgeAll(token)
    expect(await read()).toMatchObject({
      earlierCount: null,
      preview: { state: 'ready', total: 3, done: 3, changedCount: 2, keptCount: 0 },
    })
    expect(await whatStudentsSee(world)).toEqual(before)
    const first = (await ta.get(`${path}/changes?limit=1`)).data
    const second = (await ta.get(`${path}/changes?limit=1&cursor=${first.next}`)).data
    expect(second.next).toBeNull()
    expect([...first.items, ...second.items]).toEqual(
      [0, 2].map((at) => ({
        submissionId: ids[at],
        user: expect.objectContaining({ username: students[at]?.username }),
        from: { status: STATUS.WA, score: 0 },
        to: { status: STATUS.AC, score: 100 },
      })),
    )

    await apply(world)
    expect(await read()).toEqual({ earlierCount: 0, preview: null })
    for (const [index, student] of students.entries()) {
      const { data } = await student.get(`/submission/${ids[index]}`)
      expect(data).toMatchObject({ status: STATUS.AC, score: 100 })
      expect(data.judgements).toHaveLength(2)
      expect((await student.get(`/problem/${world.problemId}`)).data).toMatchObject({
        highScore: 100,
        quotaUsed: 1,
      })
    }
  })

  test('waits behind rejudges, whose submissions are pending', async () => {
    const [world, other] = [await createMended(STATUS.WA), await createMended(STATUS.WA)]
    await startPreview(world)
    const rejudge = await other.teacher.post(`/problem/${other.problemId}/rejudge`, {})
    await finishOperations(rejudge.data.jobId)
    expect(await judgeAll(world.token)).toEqual([...other.ids, ...world.ids])
  })

  test('waits behind live submissions', async () => {
    const world = await createMended(STATUS.WA)
    await startPreview(world)
    const live = await submit(world.student, world.problemId)
    expect(await judgeAll(world.token)).toEqual([live, world.ids[0]])
    // The live one has the new data; it is none of the earlier.
    expect(await world.read()).toMatchObject({ preview: { total: 1 } })
  })

  test('keeps its outputs once it is applied, and loses them once it is dropped', async () => {
    const [applied, dropped] = [await createMended(STATUS.AC), await createMended(STATUS.AC)]
    const db = openDb(workerEnv.DB)
    await adoptBucket(workerEnv, db)
    const keys: string[] = []
    for (const world of [applied, dropped]) {
      await startPreview(world)
      const { judgementId, lease } = (await claim(world.token)).data
      await report(world.token, judgementId, reportOf(lease, STATUS.WA, [outputOf({})]))
      const key = await firstValue`select outputs_key from judgements where id = ${judgementId}`
      keys.push(String(key))
    }
    const marking = nowSeconds() + SWEEP.orphanSeconds + 60
    await sweep(workerEnv, marking)
    await apply(applied)
    await dropped.ta.delete(dropped.path)
    const deleting = marking + SWEEP.markedSeconds + 60
    await confirmDeletions(db, deleting)
    await sweep(workerEnv, deleting)
    const heads = await Promise.all(keys.map((key) => workerEnv.BUCKET.head(key)))
    expect(heads.map((head) => head !== null)).toEqual([true, false])
    const output = `/submission/${applied.ids[0]}/output/0/0`
    expect((await applied.student.get(output)).status).toBe(200)
  })

  test('that is dropped leaves nothing, also of what is being judged', async () => {
    const world = await createMended(STATUS.WA, STATUS.WA)
    const { ta, path, token, read } = world
    const before = await whatStudentsSee(world)
    const previewId = await startPreview(world)
    const job = (await claim(token)).data
    expect((await ta.delete(path)).status).toBe(200)
    expect((await ta.delete(path)).code).toBe('preview_not_found')
    expect((await ta.post(`${path}/apply`)).code).toBe('preview_not_found')
    const late = await report(token, job.judgementId, reportOf(job.lease))
    expect(late.code).toBe('stale_lease')
    expect((await claim(token)).status).toBe(204)
    expect(await allRows`select 1 from judgements where preview_id = ${previewId}`).toEqual([])
    expect(await read()).toEqual({ earlierCount: 2, preview: null })
    expect(await whatStudentsSee(world)).toEqual(before)
  })

  test('keeps results where judging it failed', async () => {
    const world = await createMended(STATUS.WA, STATUS.JE, STATUS.AC)
    await startPreview(world)
    await judgeAll(world.token, STATUS.JE)
    await world.ta.post(`/submission/${world.ids[2]}/rejudge`)
    await judgeAll(world.token, STATUS.AC)
    expect(await world.read()).toMatchObject({
      preview: { state: 'ready', changedCount: 0, keptCount: 2 },
    })
    const { items } = (await world.ta.get(`${world.path}/changes`)).data
    expect(items).toMatchObject([
      { from: { status: STATUS.WA }, to: { status: STATUS.JE } },
      { from: { status: STATUS.JE }, to: { status: STATUS.JE } },
    ])
    const before = await whatStudentsSee(world)
    await apply(world)
    expect(await whatStudentsSee(world)).toEqual(before)
    expect(await world.read()).toEqual({ earlierCount: 2, preview: null })
  })

  test('does not undo a rejudge that came between', async () => {
    const world = await createMended(STATUS.AC, STATUS.AC)
    const { ta, token, ids, students } = world
    await startPreview(world)
    await judgeAll(token, STATUS.WA)
    await ta.post(`/submission/${ids[0]}/rejudge`)
    await judgeAll(token, STATUS.RE)
    expect(await world.read()).toMatchObject({ preview: { changedCount: 1 } })
    await apply(world)
    const statuses = await Promise.all(
      ids.map(async (id, index) => (await students[index]?.get(`/submission/${id}`))?.data.status),
    )
    expect(statuses).toEqual([STATUS.RE, STATUS.WA])
  })

  test('that has changed again cannot be applied', async () => {
    const world = await createMended(STATUS.WA)
    await startPreview(world)
    await judgeAll(world.token)
    await uploadZip(world.teacher, world.problemId, FIXED)
    expect(await world.read()).toMatchObject({ preview: { state: 'outdated' } })
    expect((await world.ta.post(`${world.path}/apply`)).code).toBe('preview_not_ready')
    // The next one takes its place.
    const previewId = await startPreview(world)
    await judgeAll(world.token)
    await apply(world)
    expect(await world.read()).toEqual({ earlierCount: 0, preview: null })
    expect(previewId).toHaveLength(24)
  })
})

describe('an operation of a preview', () => {
  test('that runs again does nothing more', async () => {
    const world = await createMended(STATUS.WA, STATUS.WA)
    const { ta, path, token } = world
    const { jobId } = (await ta.post(path)).data
    const payload = await firstValue`select payload from operations where id = ${jobId}`
    await Promise.all([deliver({ v: 1, jobId }), deliver({ v: 1, jobId })])
    await finishOperations(jobId)
    await runSql`update operations set state = 'running', finished_at = null, payload = ${payload} where id = ${jobId}`
    await finishOperations(jobId)
    expect(await judgeAll(token)).toHaveLength(2)
    await apply(world)
    const applied = await whatStudentsSee(world)
    const { id, payload: done } = (
      await allRows<{
        id: string
        payload: string
      }>`select id, payload from operations where kind = 'apply_preview' order by id desc limit 1`
    )[0] ?? { id: '', payload: '' }
    expect(done).toBe('{}')
    const again = JSON.stringify({ previewId: jobId })
    await runSql`update operations set state = 'running', finished_at = null, payload = ${again} where id = ${id}`
    await finishOperations(id)
    expect(await whatStudentsSee(world)).toEqual(applied)
  })

  test('that applies cannot be disturbed, and shows', async () => {
    const world = await createMended(STATUS.WA, STATUS.WA)
    const { ta, path, read } = world
    const previewId = await startPreview(world)
    await judgeAll(world.token)
    const { jobId } = (await ta.post(`${path}/apply`)).data
    expect(await read()).toMatchObject({
      preview: { state: 'applying', total: 2, done: 0, changedCount: null },
    })
    const refused = [ta.delete(path), ta.post(path), ta.post(`${path}/apply`)]
    for (const { status, code } of await Promise.all(refused))
      expect({ status, code }).toEqual({ status: 409, code: 'preview_applying' })
    await sweep(workerEnv, nowSeconds() + PREVIEW_SECONDS + 60)
    expect(await allRows`select 1 from judgements where preview_id = ${previewId}`).toHaveLength(2)
    const audits = await allRows`select action from audit_entries
      where subject = ${String(world.problemId)} and action like 'problem.%preview%' order by id`
    expect(audits.map(({ action }) => action)).toEqual([
      'problem.preview_rejudge',
      'problem.apply_preview',
    ])
    await finishOperations(jobId)
    expect(await read()).toEqual({ earlierCount: 0, preview: null })
  })

  test('that applies fails when the problem changes meanwhile', async () => {
    const world = await createMended(STATUS.WA)
    await startPreview(world)
    await judgeAll(world.token)
    const { jobId } = (await world.ta.post(`${world.path}/apply`)).data
    await uploadZip(world.teacher, world.problemId, FIXED)
    await finishOperations(jobId)
    expect((await world.ta.get(`/jobs/${jobId}`)).data).toMatchObject({ state: 'failed', done: 0 })
    expect(await world.read()).toMatchObject({ preview: { state: 'outdated' } })
  })

  test('that failed to queue all leaves nothing to apply', async () => {
    const world = await createMended(STATUS.WA)
    const { ta, path } = world
    const previewId = await startPreview(world)
    await judgeAll(world.token)
    await runSql`update operations set state = 'failed' where id = ${previewId}`
    expect(await world.read()).toMatchObject({ preview: { state: 'outdated' } })
    expect((await ta.post(`${path}/apply`)).code).toBe('preview_not_ready')
  })

  test('ends when the preview is dropped meanwhile', async () => {
    const world = await createMended(STATUS.WA)
    const { jobId } = (await world.ta.post(world.path)).data
    await world.ta.delete(world.path)
    await finishOperations(jobId)
    expect((await claim(world.token)).status).toBe(204)
  })

  test('a preview of a deleted problem is judged no further', async () => {
    const world = await createMended(STATUS.WA, STATUS.WA)
    await startPreview(world)
    expect((await world.teacher.delete(`/problem/manage/${world.problemId}`)).status).toBe(200)
    await sweep(workerEnv, nowSeconds())
    expect((await claim(world.token)).status).toBe(204)
  })

  test('two that apply at once are one', async () => {
    const world = await createMended(STATUS.WA, STATUS.AC)
    const { ta, teacher, path, students, ids } = world
    await startPreview(world)
    await judgeAll(world.token)
    const started = await Promise.all([ta.post(`${path}/apply`), teacher.post(`${path}/apply`)])
    expect(started.map(({ status }) => status).toSorted()).toEqual([202, 409])
    const { jobId } = started.find(({ status }) => status === 202)?.data ?? {}
    // Meanwhile one hands in again, and another one is judged again.
    const live = await submit(world.student, world.problemId)
    await ta.post(`/submission/${ids[1]}/rejudge`)
    await Promise.all([1, 2, 3].map(() => deliver({ v: 1, jobId })))
    await finishOperations(jobId)
    expect((await judgeAll(world.token, STATUS.RE)).toSorted()).toEqual([ids[1], live])
    const statuses = [live, ...ids].map(async (id, index) => {
      const owner = index < 2 ? world.student : students[1]
      return (await owner?.get(`/submission/${id}`))?.data.status
    })
    expect(await Promise.all(statuses)).toEqual([STATUS.RE, STATUS.AC, STATUS.RE])
    const facts = (await world.student.get(`/problem/${world.problemId}`)).data
    expect(facts).toMatchObject({ highScore: 100, quotaUsed: 2 })
  })

  test('an old preview is swept away with its judgements', async () => {
    const world = await createMended(STATUS.WA)
    const previewId = await startPreview(world)
    await judgeAll(world.token)
    await sweep(workerEnv, nowSeconds() + PREVIEW_SECONDS - 60)
    expect(await world.read()).toMatchObject({ preview: { state: 'ready' } })
    await sweep(workerEnv, nowSeconds() + PREVIEW_SECONDS + 60)
    expect(await world.read()).toEqual({ earlierCount: 1, preview: null })
    expect(await allRows`select 1 from judgements where preview_id = ${previewId}`).toEqual([])
  })
})

describe('results count as earlier', () => {
  test('after a change of data, limits, scores or comparison, and after no other', async () => {
    const { teacher, ta, student, problemId } = await createProblem()
    const token = await registerRunner()
    await submit(student, problemId)
    await judgeAll(token)
    await laterThanClaims()
    const path = `/problem/manage/${problemId}`
    const form = (await teacher.get(path)).data
    const [sample, scored] = form.testCase
    const count = async () =>
      (await ta.get(`/problem/${problemId}/rejudge/preview`)).data.earlierCount
    const forget = () =>
      runSql`update problems set judging_changed_at_ms = null where id = ${problemId}`
    await forget()
    const harmless = { problemName: 'Other', quota: 3, status: 1, tags: ['x'] }
    for (const change of [{}, harmless, { testCase: [{ ...sample, sample: false }, scored] }]) {
      expect((await teacher.put(path, { ...form, ...change })).status).toBe(200)
      expect(await count()).toBe(0)
    }
    const changes = [
      { testCase: [sample, { ...scored, timeLimit: 2_000 }] },
      { testCase: [sample, { ...scored, memoryLimit: 70_000 }] },
      { testCase: [sample, { ...scored, outputLimit: 70 }] },
      {
        testCase: [
          { ...sample, taskScore: 10 },
          { ...scored, taskScore: 90 },
        ],
      },
      { compare: { mode: 'exact' } },
      { testCase: [sample, { ...scored, caseCount: 3 }] },
    ]
    for (const change of changes) {
      await teacher.put(path, { ...form, revealTests: true })
      await forget()
      expect((await teacher.put(path, { ...form, ...change, revealTests: true })).status).toBe(200)
      expect([change, await count()]).toEqual([change, 1])
    }
  })

  test('also those claimed while the change was on its way to the database', async () => {
    const { teacher, ta, student, problemId } = await createProblem()
    const token = await registerRunner()
    const path = `/problem/manage/${problemId}`
    const { data: form } = await teacher.get(path)
    const change = {
      data: () => uploadZip(teacher, problemId, FIXED),
      form: () => teacher.put(path, { ...form, compare: { mode: 'exact' } }),
    }
    for (const [index, save] of [change.data, change.form].entries()) {
      await submit(student, problemId)
      await judgeAll(token)
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 5_000 })
      const saved = await save().finally(() => vi.useRealTimers())
      expect(saved.status).toBe(200)
      const { earlierCount } = (await ta.get(`/problem/${problemId}/rejudge/preview`)).data
      expect(earlierCount).toBe(index + 1)
    }
  })

  test('also Judge Errors of those whose turn came while no test data fitted', async () => {
    const world = await createProblem()
    const { teacher, ta, student, problemId } = world
    const token = await registerRunner()
    const path = `/problem/manage/${problemId}`
    const { data: form } = await teacher.get(path)
    const id = await submit(student, problemId)
    const testCase = [form.testCase[0], { ...form.testCase[1], caseCount: 1 }]
    expect((await teacher.put(path, { ...form, testCase })).status).toBe(200)
    await runSql`update problems set judging_changed_at_ms = judging_changed_at_ms - 5000`
    expect((await claim(token)).status).toBe(204)
    expect((await student.get(`/submission/${id}`)).data.status).toBe(STATUS.JE)
    const { '0101.in': _in, '0101.out': _out, ...fitting } = FITTING_ENTRIES
    expect((await uploadZip(teacher, problemId, fitting)).status).toBe(200)
    const { data } = await ta.get(`/problem/${problemId}/rejudge/preview`)
    expect(data.earlierCount).toBe(1)
  })

  test('not those claimed after the change, nor those that wait', async () => {
    const { teacher, ta, student, problemId } = await createProblem()
    const token = await registerRunner()
    await submit(student, problemId)
    await uploadZip(teacher, problemId, FIXED)
    const count = async () =>
      (await ta.get(`/problem/${problemId}/rejudge/preview`)).data.earlierCount
    expect(await count()).toBe(0)
    await judgeAll(token)
    await runSql`update judgements set claimed_at = claimed_at + 2`
    expect(await count()).toBe(0)
    expect((await ta.post(`/problem/${problemId}/rejudge/preview`)).data.count).toBe(0)
  })
})

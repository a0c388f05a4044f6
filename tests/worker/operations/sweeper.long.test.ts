/** What the sweeper removes: old finished operations, objects that nothing names, courses that can no longer be restored. */
import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { STATUS } from '#contract/verdicts'
import { deleteOrphans } from '../../../worker/background/stored-objects.ts'
import { sweep } from '../../../worker/background/sweep.ts'
import { openDb } from '../../../worker/db/client.ts'
import { SWEEP } from '../../../worker/db/retention.ts'
import { purgeCourses } from '../../../worker/features/courses/purge-queries.ts'
import { COURSE_RESTORE_SECONDS } from '../../../worker/features/courses/queries.ts'
import { deleteOldOperations } from '../../../worker/features/operations/queries.ts'
import { hashNextTestData } from '../../../worker/features/problems/test-data.ts'
import { adoptBucket, confirmDeletions } from '../../../worker/features/storage/installation.ts'
import { nowSeconds } from '../../../worker/lib/clock.ts'
import { claim, emptyQueue, outputOf, report, reportOf } from '../support/judge.ts'
import { finishOperations, workerEnv } from '../support/step-queue.ts'
import { allRows, firstValue, runSql } from '../support/sql.ts'
import {
  createProblem,
  FITTING_ENTRIES,
  registerRunner,
  submit,
  uploadZip,
} from '../support/world.ts'

const DAY = 86_400
/** A time when today's objects may be marked. */
const later = () => nowSeconds() + SWEEP.orphanSeconds + 60
/** A time when objects marked at `later` may be deleted. */
const weekLater = () => later() + SWEEP.markedSeconds + 60

beforeEach(async () => {
  await emptyQueue()
  await runSql`delete from orphans`
  await adoptBucket(workerEnv, openDb(env.DB))
})

/** Sweeps twice: to mark objects, and to delete them with an admin's permission for any number. */
async function sweepForAWeek(): Promise<void> {
  await sweep(workerEnv, later())
  await confirmDeletions(openDb(env.DB), weekLater())
  await sweep(workerEnv, weekLater())
}

/** Judges the only waiting submission and keeps an output; answers the output's key. */
async function judgeWithOutput(token: string): Promise<string> {
  const job = (await claim(token)).data
  await report(token, job.judgementId, reportOf(job.lease, STATUS.WA, [outputOf({})]))
  return String(await firstValue`select outputs_key from judgements where id = ${job.judgementId}`)
}

describe('operations', () => {
  test('a finished job is forgotten after its days, one that is not is kept', async () => {
    const { teacher, problemId } = await createProblem()
    const started = await teacher.post(`/problem/${problemId}/rejudge`, {})
    const { jobId } = started.data
    const path = `/jobs/${jobId}`
    await deleteOldOperations(openDb(env.DB), nowSeconds() + 1)
    expect(await firstValue`select state from operations where id = ${jobId}`).toBe('running')
    await finishOperations(jobId)
    await sweep(workerEnv, nowSeconds() + (SWEEP.operationDays - 1) * DAY)
    expect((await teacher.get(path)).data.state).toBe('done')
    await sweep(workerEnv, nowSeconds() + (SWEEP.operationDays + 1) * DAY)
    expect(await firstValue`select count(*) from operations where id = ${jobId}`).toBe(0)
  })
})

describe('kept outputs', () => {
  test('go once their judgement is superseded or their problem deleted, and when nothing names them', async () => {
    const { student, teacher, problemId } = await createProblem()
    const gone = await createProblem()
    const token = await registerRunner()
    const id = await submit(student, problemId)
    const old = await judgeWithOutput(token)
    await teacher.post(`/submission/${id}/rejudge`)
    const current = await judgeWithOutput(token)
    await submit(gone.student, gone.problemId)
    const ofDeleted = await judgeWithOutput(token)
    await gone.teacher.delete(`/problem/manage/${gone.problemId}`)
    const lost = `outputs/${'0'.repeat(24)}/lost.json`
    await env.BUCKET.put(lost, '[]')
    const there = async () => {
      const heads = []
      for (const key of [old, current, ofDeleted, lost])
        heads.push((await env.BUCKET.head(key)) !== null)
      return heads
    }
    await sweep(workerEnv, nowSeconds())
    expect(await there()).toEqual([true, true, true, true])
    await sweep(workerEnv, later())
    expect(await there()).toEqual([true, true, true, true])
    await sweepForAWeek()
    expect(await there()).toEqual([false, true, false, false])
    const output = `/submission/${id}/output/0/0`
    expect((await student.get(output)).status).toBe(200)
  })

  test('are walked page by page: a run looks at so many, the next goes on after them', async () => {
    const { objects } = await env.BUCKET.list({ prefix: 'outputs/' })
    await env.BUCKET.delete(objects.map(({ key }) => key))
    const db = openDb(env.DB)
    const [marking, deleting] = [later(), weekLater()]
    await confirmDeletions(db, deleting)
    for (let index = 0; index < 5; index += 1)
      await env.BUCKET.put(`outputs/${String(index).repeat(24)}/a.json`, '[]')
    const left = async () => (await env.BUCKET.list({ prefix: 'outputs/' })).objects.length
    for (const [now, lefts] of [
      [marking, [5, 5, 5]],
      [deleting, [3, 1, 0]],
    ] as const)
      for (const expected of lefts) {
        await deleteOrphans(workerEnv, db, now, 2)
        expect(await left()).toBe(expected)
      }
    expect(await firstValue`select after from sweep_positions where prefix = 'outputs/'`).toBe('')
  })

  test('of every other kind go when one kind cannot be listed', async () => {
    const key = `outputs/${'0'.repeat(24)}/a.json`
    await env.BUCKET.put(key, '[]')
    const faulty = new Proxy(env.BUCKET, {
      get(target, name) {
        const part: unknown = Reflect.get(target, name)
        if (name !== 'list') return typeof part === 'function' ? part.bind(target) : part
        return async (options: R2ListOptions) => {
          if (options.prefix === 'copycat/') throw new Error('the connection was lost')
          return target.list(options)
        }
      },
    })
    await confirmDeletions(openDb(env.DB), weekLater())
    for (const now of [later(), weekLater()])
      await deleteOrphans({ ...workerEnv, BUCKET: faulty }, openDb(env.DB), now)
    expect(await env.BUCKET.head(key)).toBeNull()
  })
})

describe('test data', () => {
  test('whose zip is lost keep no others from being hashed', async () => {
    const { teacher, problemId } = await createProblem()
    const hash = () =>
      firstValue`select sha256 from test_data_versions where problem_id = ${problemId}
        and object_key <> 'test-data/lost.zip'`
    await vi.waitUntil(async () => (await hash()) !== null)
    const known = await hash()
    await runSql`update test_data_versions set sha256 = null where problem_id = ${problemId}`
    await runSql`insert into test_data_versions (id, problem_id, object_key, size_bytes, case_counts, uploader_id, created_at)
        select value, ${problemId}, 'test-data/lost.zip', 1, '[1,2]', ${teacher.id}, 1 from json_each(${JSON.stringify(['0'.repeat(24), 'f'.repeat(24)])})`
    await hashNextTestData(workerEnv, openDb(env.DB))
    expect(await hash()).toBe(known)
  })

  test('that nothing names go, those of a copy stay', async () => {
    const { course, teacher, problemId } = await createProblem()
    const copy = await teacher.post(`/problem/${problemId}/copy`, { course })
    const key = String(
      await firstValue`select object_key from test_data_versions where problem_id = ${problemId}`,
    )
    await env.BUCKET.put('test-data/0/orphan.zip', 'x')
    await runSql`delete from test_data_versions where problem_id = ${problemId}`
    await sweepForAWeek()
    expect(await env.BUCKET.head('test-data/0/orphan.zip')).toBeNull()
    expect(await env.BUCKET.head(key)).not.toBeNull()
    await runSql`delete from test_data_versions where problem_id = ${copy.data.problemId}`
    await sweepForAWeek()
    expect(await env.BUCKET.head(key)).toBeNull()
  })
})

describe('a deleted course', () => {
  test('goes for good with all that hangs on it once nobody can restore it, other courses stay', async () => {
    const { course, teacher, student, problemId } = await createProblem()
    const [untried, other] = [await createProblem(), await createProblem()]
    const now = nowSeconds()
    const homework = {
      name: 'Last',
      courseName: course,
      start: now,
      end: now,
      problemIds: [problemId],
    }
    await teacher.post('/homework', homework)
    await teacher.post('/ann', { title: 'T', markdown: 'M', courseName: course })
    const token = await registerRunner()
    const submissionId = await submit(student, problemId)
    const output = await judgeWithOutput(token)
    const kept = await submit(other.student, other.problemId)
    await uploadZip(teacher, problemId, FITTING_ENTRIES)
    await teacher.delete('/course', { course })
    const versions = () =>
      firstValue`select count(*) from test_data_versions where problem_id = ${problemId}`
    const zip = String(
      await firstValue`select object_key from test_data_versions where problem_id = ${problemId}`,
    )
    const count = () => firstValue`select count(*) from courses where name = ${course}`
    const db = openDb(env.DB)
    await purgeCourses(db, now + COURSE_RESTORE_SECONDS)
    expect((await teacher.post(`/course/${course}/restore`)).status).toBe(200)
    await purgeCourses(db, now + 400 * DAY)
    expect((await student.get(`/submission/${submissionId}`)).status).toBe(200)
    await teacher.delete('/course', { course })
    // The purge marks it when its restore time is over; then it stays for another week.
    await purgeCourses(db, now + COURSE_RESTORE_SECONDS + 2 * DAY)
    expect(await versions()).toBe(2)
    await purgeCourses(db, now + COURSE_RESTORE_SECONDS + 3 * DAY)
    expect(await versions()).toBe(2)
    const purge = () => purgeCourses(db, now + COURSE_RESTORE_SECONDS + 10 * DAY)
    await purge()
    expect([await versions(), await count()]).toEqual([1, 1])
    for (let run = 0; run < 4 && (await count()) === 1; run += 1) await purge()
    expect(await count()).toBe(0)
    for (const [table, column, value] of [
      ['problems', 'id', problemId],
      ['subtasks', 'problem_id', problemId],
      ['test_data_versions', 'problem_id', problemId],
      ['problem_results', 'problem_id', problemId],
      ['submissions', 'id', submissionId],
      ['submission_sources', 'submission_id', submissionId],
      ['judgements', 'submission_id', submissionId],
      ['homeworks', 'name', 'Last'],
      ['announcements', 'title', 'T'],
    ])
      expect(
        await env.DB.prepare(`select * from ${table} where ${column} = ?`).bind(value).first(),
        String(table),
      ).toBeNull()
    await sweepForAWeek()
    for (const key of [output, zip]) expect(await env.BUCKET.head(key)).toBeNull()
    expect((await other.student.get(`/submission/${kept}`)).status).toBe(200)
    const page = await untried.teacher.get(`/problem/manage/${untried.problemId}`)
    expect(page).toMatchObject({ status: 200, data: { testDataVersion: expect.any(String) } })
    expect(
      await allRows`select action, detail, ip from audit_entries
        where subject = ${course} and actor_id is null`,
    ).toEqual([{ action: 'course.purge', detail: '{}', ip: '' }])
    const again = { course, teacher: teacher.username }
    expect((await teacher.post('/course', again)).status).toBe(200)
  })
})

/** Old submissions move into packs in the bucket, and their readers do not notice. */
import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { STATUS } from '#contract/verdicts'
import { deleteOrphans } from '../../../worker/background/stored-objects.ts'
import { openDb } from '../../../worker/db/client.ts'
import { SWEEP } from '../../../worker/db/retention.ts'
import { adoptBucket } from '../../../worker/features/storage/installation.ts'
import { PACKING } from '../../../worker/features/storage/pack.ts'
import { packOldSubmissions } from '../../../worker/features/storage/pack-old.ts'
import { readPacked, type JudgementRow } from '../../../worker/features/storage/pack-queries.ts'
import { toSubmissionRecord } from '../../../worker/features/storage/pack-records.ts'
import { unpack } from '../../../worker/features/storage/unpack-queries.ts'
import { claim, emptyQueue, judgeAll, outputOf, report, reportOf } from '../support/judge.ts'
import { PRIMES } from '../support/copycat-programs.ts'
import { packLater, packOf } from '../support/packs.ts'
import { finishOperations, workerEnv } from '../support/step-queue.ts'
import { allRows, firstRow, firstValue, runSql } from '../support/sql.ts'
import {
  addStudents,
  createProblem,
  fetchApi,
  registerRunner,
  submit,
  uploadZip,
  FITTING_ENTRIES,
} from '../support/world.ts'

const db = openDb(env.DB)
const CODE = 'int main(){\n  return 0;\n} // ü'

beforeEach(async () => {
  await emptyQueue()
  await runSql`delete from sweep_positions`
})

/** A submission with a kept output, judged twice. */
async function createJudged() {
  const world = await createProblem()
  const token = await registerRunner()
  const id = await submit(world.student, world.problemId, CODE)
  await judgeAll(token, STATUS.CE)
  await world.ta.post(`/submission/${id}/rejudge`)
  const job = (await claim(token)).data
  await report(token, job.judgementId, reportOf(job.lease, STATUS.WA, [outputOf({})]))
  return { ...world, token, id, path: `/submission/${id}` }
}

test('a submission is read as before from its pack: page, verdicts, export, lines of questions', async () => {
  const { student, ta, id, path } = await createJudged()
  const before = (await ta.get(path)).data
  expect(before).toMatchObject({ code: CODE, status: STATUS.WA })
  await packLater()
  expect(await packOf(id)).toMatch(/^packs\/\d+\//)
  expect(await firstRow`select 1 from submission_sources where submission_id = ${id}`).toBe(null)
  expect(await firstRow`select 1 from judgements where submission_id = ${id}`).toBe(null)
  expect((await ta.get(path)).data).toEqual({ ...before, hasOutputs: false })
  const answer = await fetchApi('GET', '/auth/me/export', { as: student })
  expect(await answer.json()).toMatchObject({
    data: { submissions: [{ submissionId: id, code: CODE }] },
  })
  const ask = (line: number) => student.post(`${path}/questions`, { line, markdown: 'Why?' })
  expect((await ask(4)).code).toBe('bad_body')
  expect((await ask(3)).status).toBe(200)
})

test('a packed submission is judged again with the same code; its earlier verdicts stay', async () => {
  const { ta, teacher, problemId, token, id, path } = await createJudged()
  await packLater()
  await uploadZip(teacher, problemId, { ...FITTING_ENTRIES, '0000.in': '9 9\n' })
  await ta.post(`${path}/rejudge`)
  const job = (await claim(token)).data
  expect(Buffer.from(job.source, 'base64').toString()).toBe(CODE)
  await report(token, job.judgementId, reportOf(job.lease, STATUS.AC))
  const { data } = await ta.get(path)
  expect(data).toMatchObject({ code: CODE, status: STATUS.AC, tasks: [{}, { score: 100 }] })
  expect(data.judgements.map(({ status }: { status: number }) => status)).toEqual([
    STATUS.AC,
    STATUS.WA,
    STATUS.CE,
  ])
  expect(await packOf(id)).toBe(null)
})

test('what is taken out of a pack is as it was before but for its outputs, whoever does it first', async () => {
  const { id } = await createJudged()
  const rows = async () => ({
    submission: await firstRow`select * from submissions where id = ${id}`,
    source: await firstRow`select hex(code) from submission_sources where submission_id = ${id}`,
    judgements: await allRows`select * from judgements where submission_id = ${id} order by id`,
  })
  const { judgements, ...rest } = await rows()
  const before = { ...rest, judgements: judgements.map((row) => ({ ...row, outputs_key: null })) }
  await packLater()
  expect((await rows()).judgements).toEqual([])
  await Promise.all([unpack(env.BUCKET, db, [id]), unpack(env.BUCKET, db, [id])])
  expect(await rows()).toEqual(before)
})

test('a pack of an older release, whose judgements lack a column, is taken out with its default', async () => {
  const { id } = await createJudged()
  await packLater()
  const { code, judgements } = (await readPacked(env.BUCKET, db, [id])).get(id) ?? {}
  const older = (judgements ?? []).map((row) => {
    const copy: Partial<JudgementRow> = { ...row }
    delete copy.casesDone
    return copy as JudgementRow
  })
  const record = toSubmissionRecord({ code: code ?? Buffer.alloc(0), judgements: older })
  await env.BUCKET.put((await packOf(id)) ?? '', record)
  await runSql`update submissions set pack_offset = 0, pack_bytes = ${record.length} where id = ${id}`
  expect(await unpack(env.BUCKET, db, [id])).toEqual([])
  expect(
    await allRows`select distinct cases_done as done from judgements where submission_id = ${id}`,
  ).toEqual([{ done: 0 }])
})

test('a submission whose pack is not known any more counts as lost', async () => {
  const { id } = await createJudged()
  await packLater()
  await runSql`delete from packs`
  expect(await readPacked(env.BUCKET, db, [id])).toEqual(new Map([[id, null]]))
  expect(await unpack(env.BUCKET, db, [id])).toEqual([id])
})

test('a submission behind the end of a pack that was cut short counts as lost', async () => {
  const { id } = await createJudged()
  await packLater()
  await env.BUCKET.put((await packOf(id)) ?? '', 'x')
  await runSql`update submissions set pack_offset = 100 where id = ${id}`
  expect(await readPacked(env.BUCKET, db, [id])).toEqual(new Map([[id, null]]))
})

test('a submission without judgements, as in a restore that is not through, is not packed', async () => {
  const { id } = await createJudged()
  await runSql`delete from judgements where submission_id = ${id}`
  const before = await firstRow`select count(*) as count from packs`
  await packLater()
  expect(await packOf(id)).toBe(null)
  expect(await firstRow`select count(*) as count from packs`).toEqual(before)
})

test('judgements of more than a statement takes are taken out too', async () => {
  const { ta, id, path } = await createJudged()
  await runSql`update judgements set reason = printf('%.*c', 700000, 'ü') where submission_id = ${id}`
  const before = (await ta.get(path)).data
  await packLater()
  expect(await packOf(id)).not.toBe(null)
  expect(await unpack(env.BUCKET, db, [id])).toEqual([])
  expect((await ta.get(path)).data).toEqual(before)
})

test('what was taken out of a pack returns to one in a later week', async () => {
  const { id } = await createJudged()
  const later = await packLater()
  await unpack(env.BUCKET, db, [id])
  await packOldSubmissions(workerEnv, db, later)
  await packOldSubmissions(workerEnv, db, later)
  expect(await packOf(id)).not.toBe(null)
})

test('a bulk rejudge takes packed submissions along, which keep code and verdict when it is cancelled', async () => {
  const { teacher, problemId, id, path } = await createJudged()
  await packLater()
  const { data } = await teacher.post(`/problem/${problemId}/rejudge`, {})
  expect(data.count).toBe(1)
  await finishOperations(data.jobId)
  expect(await packOf(id)).toBe(null)
  expect((await teacher.post(`/jobs/${data.jobId}/cancel`)).status).toBe(200)
  expect((await teacher.get(path)).data).toMatchObject({ code: CODE, status: STATUS.WA })
})

test('a bulk rejudge says how many it cannot judge again because their pack is lost', async () => {
  const { student, teacher, problemId, token, id } = await createJudged()
  await packLater()
  await env.BUCKET.delete((await packOf(id)) ?? '')
  const whole = await submit(student, problemId, CODE)
  await judgeAll(token)
  const { data } = await teacher.post(`/problem/${problemId}/rejudge`, {})
  expect(data.count).toBe(2)
  await finishOperations(data.jobId)
  const read = async () => (await teacher.get(`/jobs/${data.jobId}`)).data
  expect(await read()).toMatchObject({ done: 0, total: 1, rejudge: { lostCount: 1 } })
  expect(await judgeAll(token)).toEqual([whole])
  await finishOperations(data.jobId)
  expect(await read()).toMatchObject({ state: 'done', result: { count: 1, lostCount: 1 } })
})

describe('a submission that is packed while it is queued again', () => {
  /** Lets a sweep pack between the moment when a submission leaves its pack and the moment when it is queued. */
  async function packAfterUnpacking(id: string, run: () => Promise<unknown>) {
    const batch = env.DB.batch.bind(env.DB)
    let isPacking = false
    const spy = vi.spyOn(env.DB, 'batch').mockImplementation(async (statements) => {
      const results = await batch(statements)
      if (!isPacking && (await packOf(id)) === null) {
        isPacking = true
        await runSql`delete from sweep_positions`
        await packLater()
        expect(await packOf(id)).not.toBe(null)
      }
      return results
    })
    await run()
    spy.mockRestore()
    expect(isPacking).toBe(true)
  }

  test('is judged again by a bulk rejudge all the same', async () => {
    const { teacher, problemId, token, id } = await createJudged()
    await packLater()
    const { data } = await teacher.post(`/problem/${problemId}/rejudge`, {})
    await packAfterUnpacking(id, () => finishOperations(data.jobId))
    expect(await judgeAll(token)).toEqual([id])
  })
})

test('a rejudge of results of earlier test data takes packed ones along', async () => {
  const { teacher, problemId, token } = await createJudged()
  await uploadZip(teacher, problemId, { ...FITTING_ENTRIES, '0000.in': '9 9\n' })
  await packLater()
  const path = `/problem/${problemId}/rejudge`
  expect((await teacher.get(path)).data.earlierCount).toBe(1)
  const { jobId } = (await teacher.post(path, { earlierOnly: true })).data
  await finishOperations(jobId)
  expect(await judgeAll(token)).toHaveLength(1)
  await finishOperations(jobId)
  expect((await teacher.get(`/jobs/${jobId}`)).data.result).toMatchObject({ changedCount: 1 })
})

test('copies among packed programs are found and shown', async () => {
  const world = await createProblem()
  const ids: string[] = []
  for (const student of await addStudents(world, 2))
    ids.push(await submit(student, world.problemId, PRIMES))
  await judgeAll(await registerRunner())
  await packLater()
  const { course, problemId, teacher } = world
  const { data } = await teacher.post('/copycat', { course, problemId })
  await finishOperations(data.jobId)
  const found = await teacher.get(`/copycat?course=${course}&problemId=${problemId}`)
  expect(found.data.pairs).toMatchObject([{ similarity: 1 }])
  const [left, right] = ids
  const pair = await teacher.get(`/copycat/${problemId}/pair?left=${left}&right=${right}`)
  expect(pair.data).toMatchObject({ left: { code: PRIMES }, right: { code: PRIMES } })
})

test('programs whose pack is lost are left out of a copy report, which says how many; they are like no others', async () => {
  const world = await createProblem()
  const students = await addStudents(world, 4)
  const ids: string[] = []
  for (const student of students.slice(0, 2))
    ids.push(await submit(student, world.problemId, PRIMES))
  await judgeAll(await registerRunner())
  await packLater()
  await env.BUCKET.delete((await packOf(ids[0] ?? '')) ?? '')
  for (const student of students.slice(2)) await submit(student, world.problemId, PRIMES)
  const { course, problemId, teacher } = world
  const { data } = await teacher.post('/copycat', { course, problemId })
  await finishOperations(data.jobId)
  const found = await teacher.get(`/copycat?course=${course}&problemId=${problemId}`)
  expect(found.data).toMatchObject({ submissionCount: 2, missingCount: 2, comparedCount: 1 })
  expect(found.data.pairs).toMatchObject([{ similarity: 1 }])
})

test('a submission that waits for a verdict stays where it is', async () => {
  const { ta, id, path } = await createJudged()
  await ta.post(`${path}/rejudge`)
  await packLater()
  expect(await packOf(id)).toBe(null)
  expect((await ta.get(path)).data.code).toBe(CODE)
})

test('one that is judged again while its pack is written stays where it is', async () => {
  const { ta, id, path } = await createJudged()
  const put = vi
    .spyOn(env.BUCKET, 'put')
    .mockImplementationOnce(async (key, value, options?: R2PutOptions) => {
      await ta.post(`${path}/rejudge`)
      return env.BUCKET.put(key, value, options)
    })
  await packLater()
  put.mockRestore()
  expect(await packOf(id)).toBe(null)
  expect((await ta.get(path)).data.code).toBe(CODE)
})

test('a bucket that fails changes nothing, and the next sweep packs', async () => {
  const { id } = await createJudged()
  const put = vi.spyOn(env.BUCKET, 'put').mockRejectedValueOnce(new Error('down'))
  await expect(packLater()).rejects.toThrow('down')
  put.mockRestore()
  expect(await packOf(id)).toBe(null)
  await packLater()
  expect(await packOf(id)).not.toBe(null)
})

test('a page ends where its code is large enough; the next sweep goes on', async () => {
  const world = await createProblem()
  const token = await registerRunner()
  const ids: string[] = []
  for (let n = 0; n < 3; n += 1) ids.push(await submit(world.student, world.problemId, CODE))
  await judgeAll(token)
  await runSql`update submission_sources set code = zeroblob(${PACKING.bytes})
    where submission_id = ${ids[1]}`
  await runSql`insert into sweep_positions (prefix, after) values ('packs', ${`${(ids[0] ?? '').slice(0, 12)}0`})`
  const packed = async () => {
    await packLater()
    return (await Promise.all(ids.map(packOf))).map((key) => key !== null)
  }
  expect(await packed()).toEqual([true, false, false])
  expect(await packed()).toEqual([true, true, false])
  expect(await packed()).toEqual([true, true, true])
})

test('a pack that is lost is said to be lost, also to who judges again', async () => {
  const { student, ta, id, path } = await createJudged()
  await packLater()
  await env.BUCKET.delete((await packOf(id)) ?? '')
  expect((await student.get(path)).code).toBe('object_lost')
  expect((await ta.post(`${path}/rejudge`)).code).toBe('object_lost')
  expect(await firstValue`select status from submissions where id = ${id}`).toBe(STATUS.WA)
})

test('outputs of packed submissions go a week later without an admin’s word; packs stay', async () => {
  const { objects } = await env.BUCKET.list()
  await env.BUCKET.delete(objects.map(({ key }) => key))
  for (const table of ['orphans', 'installation'])
    await env.DB.prepare(`delete from ${table}`).run()
  await adoptBucket(workerEnv, db)
  for (let n = 0; n < 3; n += 1) await createJudged()
  const later = await packLater()
  const kept = async (prefix: string) => (await env.BUCKET.list({ prefix })).objects.length
  expect(await kept('outputs/')).toBe(3)
  expect(await deleteOrphans(workerEnv, db, later)).toBe(true)
  expect(await kept('outputs/')).toBe(3)
  expect(await deleteOrphans(workerEnv, db, later + SWEEP.markedSeconds)).toBe(true)
  expect(await kept('outputs/')).toBe(0)
  expect(await kept('packs/')).toBeGreaterThan(0)
  expect(await firstValue`select state from installation`).toBe('ok')
})

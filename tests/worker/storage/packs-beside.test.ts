/** Submissions that are packed or taken out of a pack, beside others that are not. */
import { env } from 'cloudflare:workers'
import { beforeEach, expect, test } from 'vitest'
import { STATUS } from '#contract/verdicts'
import { deleteOrphans } from '../../../worker/background/stored-objects.ts'
import { openDb } from '../../../worker/db/client.ts'
import { SWEEP } from '../../../worker/db/retention.ts'
import { adoptBucket, confirmDeletions } from '../../../worker/features/storage/installation.ts'
import { unpack } from '../../../worker/features/storage/unpack-queries.ts'
import { nowSeconds } from '../../../worker/lib/clock.ts'
import { claim, emptyQueue, outputOf, report, reportOf } from '../support/judge.ts'
import { packLater, packOf } from '../support/packs.ts'
import { allRows, firstRow, firstValue, runSql } from '../support/sql.ts'
import { workerEnv } from '../support/step-queue.ts'
import { createProblem, registerRunner, submit } from '../support/world.ts'

const db = openDb(env.DB)

beforeEach(async () => {
  await emptyQueue()
  await runSql`delete from sweep_positions`
  await runSql`delete from orphans`
})

/** Submissions of one person, each with a kept output. */
async function createJudged(count: number) {
  const world = await createProblem()
  const token = await registerRunner()
  const ids: string[] = []
  for (let made = 0; made < count; made += 1) {
    const json = {
      problemId: world.problemId,
      languageType: 0,
      code: `int main(){ return ${made}; }`,
    }
    const headers = { 'Idempotency-Key': `key ${made}` }
    ids.push((await world.student.post('/submission', json, headers)).data.submissionId)
    const job = (await claim(token)).data
    await report(token, job.judgementId, reportOf(job.lease, STATUS.WA, [outputOf({})]))
  }
  const rows = async (id: string | undefined) => ({
    submission: await firstRow`select * from submissions where id = ${id}`,
    source:
      await firstRow`select hex(code) as code from submission_sources where submission_id = ${id}`,
    judgements: await allRows`select * from judgements where submission_id = ${id}`,
  })
  return { ...world, ids, rows, token }
}

test('a submission that is not packed keeps its code, its verdicts and its outputs', async () => {
  const { student, ids, rows } = await createJudged(3)
  const [kept, first, second] = ids
  const outputOfKept =
    await firstValue`select outputs_key from judgements where submission_id = ${kept}`
  // As if packing had already passed it.
  await runSql`insert into sweep_positions (prefix, after) values ('packs', ${kept})`
  const before = await rows(kept)
  await packLater()
  expect([await packOf(kept ?? ''), await rows(kept)]).toEqual([null, before])
  expect([await packOf(first ?? ''), await packOf(second ?? '')]).not.toContain(null)
  const orphans = await allRows<{ key: string }>`select key from orphans`
  expect(orphans).toHaveLength(2)
  expect(orphans.map(({ key }) => key)).not.toContain(outputOfKept)
  expect((await student.get(`/submission/${kept}/output/0/0`)).status).toBe(200)
  const stored = await firstRow`select source_bytes as bytes, idempotency_key as idempotency
    from submissions where id = ${first}`
  expect(stored).toEqual({ bytes: 'int main(){ return 1; }'.length, idempotency: null })
})

test('one that is taken out leaves the others in their pack', async () => {
  const { student, ids, rows } = await createJudged(2)
  const [out, inside] = ids
  const original = await rows(out)
  await packLater()
  const before = await rows(inside)
  expect(await unpack(env.BUCKET, db, [out ?? ''])).toEqual([])
  expect(await rows(inside)).toEqual(before)
  expect((await student.get(`/submission/${inside}`)).data).toMatchObject({
    code: 'int main(){ return 1; }',
    hasOutputs: false,
  })
  const again = await rows(out)
  expect(again.source).toEqual(original.source)
  expect(again.submission).toEqual({ ...original.submission, idempotency_key: null })
  expect(again.judgements).toEqual(
    original.judgements.map((row) => ({ ...row, outputs_key: null })),
  )
})

test('an object that nothing names is noted once it is an hour old, and forgotten when it is gone', async () => {
  await adoptBucket(workerEnv, db)
  const key = `outputs/${'1'.repeat(24)}/unnamed.json`
  await env.BUCKET.put(key, '[]')
  const marks = () => allRows`select key, is_expected as expected from orphans where key = ${key}`
  await deleteOrphans(workerEnv, db, nowSeconds() + SWEEP.orphanSeconds - 60)
  expect(await marks()).toEqual([])
  const later = nowSeconds() + SWEEP.orphanSeconds + 60
  await runSql`delete from sweep_positions`
  await deleteOrphans(workerEnv, db, later)
  expect(await marks()).toEqual([{ key, expected: 0 }])
  const week = later + SWEEP.markedSeconds
  await confirmDeletions(db, week)
  await deleteOrphans(workerEnv, db, week)
  expect([await env.BUCKET.head(key), await marks()]).toEqual([null, []])
})

test('a zip whose upload is being completed is named', async () => {
  await adoptBucket(workerEnv, db)
  const { teacher, student, problemId } = await createProblem()
  await submit(student, problemId)
  const path = `/problem/${problemId}/initiate-test-case-upload`
  const { uploadId } = (await teacher.post(path, { length: 10 })).data
  const key = `test-data/${problemId}/${uploadId}.zip`
  // As if its parts were joined and its row not yet stored.
  await env.BUCKET.put(key, 'x'.repeat(10))
  await runSql`update test_data_uploads set created_at = created_at + 7200 where id = ${uploadId}`
  await deleteOrphans(workerEnv, db, nowSeconds() + SWEEP.orphanSeconds + 60)
  expect(await allRows`select key from orphans where key = ${key}`).toEqual([])
  await runSql`delete from test_data_uploads where id = ${uploadId}`
  await runSql`delete from sweep_positions`
  await deleteOrphans(workerEnv, db, nowSeconds() + SWEEP.orphanSeconds + 60)
  expect(await allRows`select key from orphans where key = ${key}`).toEqual([{ key }])
})

/** Several submissions in one pack, and changes while a pack is written. */
import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, test } from 'vitest'
import { SOURCE_LIMIT_BYTES } from '#contract/limits'
import { STATUS } from '#contract/verdicts'
import { openDb } from '../../../worker/db/client.ts'
import { SWEEP } from '../../../worker/db/retention.ts'
import { listPrograms } from '../../../worker/features/copycat/queries.ts'
import {
  COURSE_PURGE_SECONDS,
  purgeCourses,
} from '../../../worker/features/courses/purge-queries.ts'
import { PACKING } from '../../../worker/features/storage/pack.ts'
import { listNamedPacks, withCode } from '../../../worker/features/storage/pack-queries.ts'
import { unpack } from '../../../worker/features/storage/unpack-queries.ts'
import { nowSeconds } from '../../../worker/lib/clock.ts'
import { claim, emptyQueue, judgeAll, report, reportOf } from '../support/judge.ts'
import { packLater, packOf, packWhile } from '../support/packs.ts'
import { allRows, firstValue, numbersBelow, runSql } from '../support/sql.ts'
import { finishOperations } from '../support/step-queue.ts'
import {
  addStudents,
  createPerson,
  createProblem,
  FITTING_ENTRIES,
  registerRunner,
  submit,
  uploadZip,
} from '../support/world.ts'

const db = openDb(env.DB)

beforeEach(async () => {
  await emptyQueue()
  await runSql`delete from sweep_positions`
})

/** A problem with one wrong submission from a moment ago. */
async function createJudged() {
  const world = await createProblem()
  const token = await registerRunner()
  const id = await submit(world.student, world.problemId)
  await judgeAll(token, STATUS.WA)
  return { ...world, token, id, path: `/submission/${id}` }
}

/** The objects of a course's packs. */
async function packsOf(course: string): Promise<string[]> {
  const id = await firstValue`select id from courses where name = ${course}`
  const { objects } = await env.BUCKET.list({ prefix: `packs/${String(id)}/` })
  return objects.map(({ key }) => key)
}

/** Programs that a faulty reader would cut, lengthen or mix up. */
const CODES = [
  'x',
  '\0',
  'a\0b\n\nc\n\0',
  '\n',
  '// ü 文',
  'y'.repeat(SOURCE_LIMIT_BYTES),
  ...Array.from({ length: PACKING.slice }, (_, n) => `int main(){ return ${n}; }`),
]

test('each submission in the packs of two courses has its own code and verdict, packed and taken out', async () => {
  const [one, other] = [await createProblem(), await createProblem()]
  const token = await registerRunner()
  const students = [one.student, ...(await addStudents(one, 1))]
  const made: { id: string; code: string; course: string }[] = []
  // Submissions of the other course come in between.
  for (const [n, code] of CODES.entries()) {
    const student = students[n % students.length]
    if (student) made.push({ id: await submit(student, one.problemId, code), code, ...one })
    if (n % 10 === 0)
      made.push({
        id: await submit(other.student, other.problemId, `B${n}`),
        code: `B${n}`,
        ...other,
      })
  }
  for (const [n] of made.entries()) {
    const job = (await claim(token)).data
    await report(token, job.judgementId, reportOf(job.lease, n % 3 === 0 ? STATUS.AC : STATUS.WA))
  }
  const staffOf = ({ course }: { course: string }) => (course === one.course ? one.ta : other.ta)
  // Packing a submission deletes its outputs.
  const readAll = () =>
    Promise.all(
      made.map(async (each) => ({
        ...(await staffOf(each).get(`/submission/${each.id}`)).data,
        hasOutputs: false,
      })),
    )
  const before = await readAll()
  expect(before.map(({ code }) => code)).toEqual(made.map(({ code }) => code))
  await packLater()
  const keys = await Promise.all(made.map(({ id }) => packOf(id)))
  for (const [n, { course }] of made.entries()) expect(await packsOf(course)).toEqual([keys[n]])
  expect(await readAll()).toEqual(before)
  const ids = made.map(({ id }) => id)
  expect(await unpack(env.BUCKET, db, ids)).toEqual([])
  expect(await Promise.all(ids.map(packOf))).toEqual(ids.map(() => null))
  expect(await readAll()).toEqual(before)
  const last = made.at(-1)
  if (!last) throw new Error('nothing was made')
  await staffOf(last).post(`/submission/${last.id}/rejudge`)
  const { source } = (await claim(token)).data
  expect(Buffer.from(source, 'base64').toString()).toBe(last.code)
})

test('hosts and test data that are gone meanwhile do not keep a submission in its pack', async () => {
  const { ta, teacher, problemId, id, path } = await createJudged()
  const runner = await firstValue`select runner_id from judgements where submission_id = ${id}`
  await packLater()
  await uploadZip(teacher, problemId, FITTING_ENTRIES)
  await runSql`delete from runners where id = ${runner}`
  await runSql`delete from test_data_versions where problem_id = ${problemId}
    and id not in (select test_data_version from problems where id = ${problemId})`
  expect((await ta.post(`${path}/rejudge`)).status).toBe(200)
  const rows = await allRows`select status, runner_id, test_data_version from judgements
    where submission_id = ${id} order by id limit 1`
  expect(rows).toEqual([{ status: STATUS.WA, runner_id: null, test_data_version: null }])
})

test('a copy search counts the bytes of packed programs as those of others', async () => {
  const { problemId } = await createJudged()
  const list = () => listPrograms(db, { problemId, usernames: null })
  const before = await list()
  expect(before).toMatchObject([{ bytes: 'int main(){}'.length }])
  await packLater()
  expect(await list()).toEqual(before)
})

test('code that is taken out of its pack between two reads is found in the database', async () => {
  const { id } = await createJudged()
  // As if its row was read while the code was still in a pack.
  const rows: { id: string; code: Buffer | null }[] = [{ id, code: null }]
  const [row] = await withCode(env.BUCKET, db, rows, (each) => each.id)
  expect(row?.code?.toString()).toBe('int main(){}')
})

describe('while a pack is written', () => {
  test('a submission that is judged again to its end stays where it is', async () => {
    const { ta, token, id, path } = await createJudged()
    await packWhile(packLater, async () => {
      await ta.post(`${path}/rejudge`)
      await judgeAll(token)
    })
    expect(await packOf(id)).toBe(null)
    expect((await ta.get(path)).data).toMatchObject({ status: STATUS.AC, code: 'int main(){}' })
  })

  test('one that is judged again in a bulk rejudge stays, and so does one whose rejudge waits to be applied', async () => {
    const { ta, teacher, course, problemId, token, id, path } = await createJudged()
    let jobId = ''
    await packWhile(packLater, async () => {
      const started = await teacher.post(`/problem/${problemId}/rejudge`, { apply: false })
      jobId = started.data.jobId
      await finishOperations(jobId)
    })
    expect(await packOf(id)).toBe(null)
    await judgeAll(token)
    const written = await packsOf(course)
    await runSql`delete from sweep_positions`
    await packLater()
    expect([await packOf(id), await packsOf(course)]).toEqual([null, written])
    await finishOperations(jobId)
    await teacher.post(`/jobs/${jobId}/apply`)
    await finishOperations(jobId)
    expect((await ta.get(path)).data.status).toBe(STATUS.AC)
  })

  test('a person who is erased leaves neither name nor address; the code stays', async () => {
    const { student, ta, id, path } = await createJudged()
    const admin = await createPerson(0)
    await packWhile(packLater, () => admin.delete(`/user/${student.username}`))
    expect(await packOf(id)).not.toBe(null)
    const { data } = await ta.get(path)
    expect(data).toMatchObject({ code: 'int main(){}', user: { username: `*${student.id}` } })
    expect(data.ipAddr).toBe('')
  })

  test('another sweep writes the same: there is one pack, and it is read as before', async () => {
    const { ta, course, id, path } = await createJudged()
    const before = (await ta.get(path)).data
    await packWhile(packLater, packLater)
    expect(await packsOf(course)).toEqual([await packOf(id)])
    expect((await ta.get(path)).data).toEqual({ ...before, hasOutputs: false })
  })

  test('a submission that is purged leaves no row that names the pack', async () => {
    const { course, id } = await createJudged()
    await packWhile(packLater, () => runSql`delete from submissions where id = ${id}`)
    const named = await firstValue`select count(*) from packs join courses on courses.id = course_id
      where courses.name = ${course}`
    expect(named).toBe(0)
  })
})

test('the packs of a purged course are named no more and go without an admin’s word; those of others stay', async () => {
  const [gone, kept] = [await createJudged(), await createJudged()]
  await packLater()
  const [old, other] = [await packOf(gone.id), await packOf(kept.id)]
  const keys = [old ?? '', other ?? '']
  expect(await listNamedPacks(db, keys)).toEqual(keys)
  await gone.teacher.delete('/course', { course: gone.course })
  const mark = nowSeconds() + COURSE_PURGE_SECONDS + 1
  await purgeCourses(db, mark)
  for (let run = 0; run < 5; run += 1) await purgeCourses(db, mark + SWEEP.markedSeconds)
  expect(await listNamedPacks(db, keys)).toEqual([other])
  const orphans = await allRows`select key, is_expected from orphans
    where key in (${old}, ${other})`
  expect(orphans).toEqual([{ key: old, is_expected: 1 }])
})

// This test is last, because every cursor stops at this submission.
test('a submission too large for a pack stays, and those after it are packed', async () => {
  const { student, problemId, id, token } = await createJudged()
  const next = await submit(student, problemId)
  await judgeAll(token)
  // One row of the database holds less, so many judgements make the submission too large.
  await runSql`insert into judgements (id, submission_id, state, status, priority, rank, attempt, queued_at, ticket_at,
      phase, cases_total, finished_at, compile_message)
    select printf('%024x', ${problemId} * 1000 + value), ${id}, 'done', 1, 0, 0, 1, 1, 1, 'running', 1, 1,
      hex(zeroblob(${Math.ceil(PACKING.mostBytes / 20)}))
    from json_each(${numbersBelow(11)})`
  for (const _page of [1, 2, 3]) await packLater()
  expect([await packOf(id), (await packOf(next)) === null]).toEqual([null, false])
})

/** Small outputs move into packs in the bucket, and their readers do not notice. */
import { createExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { STATUS } from '#contract/verdicts'
import { app } from '../../../worker/app.ts'
import { deleteOrphans } from '../../../worker/background/stored-objects.ts'
import { openDb } from '../../../worker/db/client.ts'
import { SWEEP } from '../../../worker/db/retention.ts'
import {
  COURSE_PURGE_SECONDS,
  purgeCourses,
} from '../../../worker/features/courses/purge-queries.ts'
import { adoptBucket } from '../../../worker/features/storage/installation.ts'
import { PACKING } from '../../../worker/features/storage/pack.ts'
import { packOutputs } from '../../../worker/features/storage/pack-outputs.ts'
import { nowSeconds } from '../../../worker/lib/clock.ts'
import { claim, emptyQueue, outputOf, report, reportOf } from '../support/judge.ts'
import { outputsOf, packLater, packOutputsLater, packWhile } from '../support/packs.ts'
import { UNLIMITED } from '../support/rates.ts'
import { allRows, firstValue, runSql } from '../support/sql.ts'
import { workerEnv } from '../support/step-queue.ts'
import {
  addStudents,
  createProblem,
  registerRunner,
  requestOf,
  submit,
  type Person,
} from '../support/world.ts'

const db = openDb(env.DB)

beforeEach(async () => {
  await emptyQueue()
  const { objects } = await env.BUCKET.list()
  await env.BUCKET.delete(objects.map(({ key }) => key))
  for (const table of ['sweep_positions', 'orphans', 'installation', 'packs'])
    await env.DB.prepare(`delete from ${table}`).run()
  // The outputs of earlier tests have lost their objects.
  await runSql`update judgements set outputs_key = null`
  await adoptBucket(workerEnv, db)
})

/** Judges the next job; its sample printed this output. */
async function judgeNext(token: string, stdout: string): Promise<void> {
  const job = (await claim(token)).data
  await report(token, job.judgementId, reportOf(job.lease, STATUS.WA, [outputOf({ stdout })]))
}

/** Submissions to one problem; submission number n printed `out n`. */
async function createJudged(count = 1) {
  const world = await createProblem()
  const token = await registerRunner()
  const ids: string[] = []
  const students = [world.student, ...(count > 10 ? await addStudents(world, 2) : [])]
  for (let n = 0; n < count; n += 1) {
    ids.push(await submit(students[n % students.length] ?? world.student, world.problemId))
    await judgeNext(token, `out ${n}`)
  }
  return { ...world, token, ids, id: ids[0] ?? '' }
}

/** Reads an output, without the rate limit for heavy reads. */
async function read(as: Person, id: string): Promise<string | undefined> {
  const request = requestOf('GET', `/submission/${id}/output/0/0`, { as })
  const answer = await app.fetch(request, UNLIMITED, createExecutionContext())
  return (await answer.json<{ data?: { stdout: string } }>()).data?.stdout
}
const readAll = (by: Person, ids: string[]) => Promise.all(ids.map((id) => read(by, id)))

/** The keys in the bucket under a prefix. */
async function keysOf(prefix: string): Promise<string[]> {
  return (await env.BUCKET.list({ prefix })).objects.map(({ key }) => key)
}

/** Sweeps twice, a week apart; the first sweep is an hour after the objects were stored. */
async function sweepForAWeek(from = nowSeconds()): Promise<void> {
  const start = from + SWEEP.orphanSeconds + 60
  expect(await deleteOrphans(workerEnv, db, start)).toBe(true)
  expect(await deleteOrphans(workerEnv, db, start + SWEEP.markedSeconds)).toBe(true)
}

test('outputs of a course become one object, which students and staff read as before; the others go a week later without an admin’s word', async () => {
  const { ta, student, ids } = await createJudged(PACKING.slice + 2)
  const own = ids[0] ?? ''
  const printed = ids.map((_, n) => `out ${n}`)
  expect(await readAll(ta, ids)).toEqual(printed)
  const later = await packOutputsLater()
  const [pack, ...others] = await keysOf('output-packs/')
  expect(others).toEqual([])
  expect(await Promise.all(ids.map(outputsOf))).toEqual(ids.map(() => pack))
  expect(await readAll(ta, ids)).toEqual(printed)
  expect(await read(student, own)).toBe('out 0')
  expect((await ta.get(`/submission/${ids[0]}/output/1/0`)).code).toBe('output_not_found')
  expect(await keysOf('outputs/')).toHaveLength(ids.length)
  await sweepForAWeek(later)
  expect(await keysOf('outputs/')).toEqual([])
  expect(await keysOf('output-packs/')).toEqual([pack])
  expect(await readAll(ta, ids)).toEqual(printed)
  expect(await read(student, own)).toBe('out 0')
  expect(await allRows`select key from orphans`).toEqual([])
})

test('outputs that were superseded or are large stay as they are', async () => {
  const { student, ta, token, id } = await createJudged()
  await ta.post(`/submission/${id}/rejudge`)
  await judgeNext(token, 'x'.repeat(PACKING.mostOutputBytes))
  const large = await outputsOf(id)
  await packOutputsLater()
  expect([await outputsOf(id), await keysOf('output-packs/')]).toEqual([large, []])
  expect(await read(student, id)).toHaveLength(PACKING.mostOutputBytes)
})

test('outputs younger than a week stay as they are', async () => {
  const young = await createJudged()
  await packOutputs(workerEnv, db, nowSeconds() + (PACKING.outputsAfterDays - 1) * 86_400)
  expect(await outputsOf(young.id)).toMatch(/^outputs\//)
})

test('a rejudge after the packing has outputs of its own, which are packed a week later', async () => {
  const { student, ta, token, ids } = await createJudged(2)
  const [again = '', other = ''] = ids
  await packOutputsLater()
  const first = await outputsOf(other)
  await ta.post(`/submission/${again}/rejudge`)
  await judgeNext(token, 'anew')
  expect(await read(student, again)).toBe('anew')
  expect(await outputsOf(again)).toMatch(/^outputs\//)
  await packOutputsLater()
  expect(await outputsOf(again)).toMatch(/^output-packs\//)
  expect([await outputsOf(other), await outputsOf(again)]).not.toEqual([first, first])
  expect(await readAll(student, ids)).toEqual(['anew', 'out 1'])
})

test('a pack goes with its row once its last output has expired, without an admin’s word and not before', async () => {
  const { student, ta, token, ids } = await createJudged(2)
  const [again = '', other = ''] = ids
  await packOutputsLater()
  const [pack] = await keysOf('output-packs/')
  await ta.post(`/submission/${again}/rejudge`)
  await judgeNext(token, 'anew')
  await sweepForAWeek()
  expect(await keysOf('output-packs/')).toEqual([pack])
  expect(await read(student, other)).toBe('out 1')
  const later = await packLater()
  expect((await student.get(`/submission/${other}`)).data.hasOutputs).toBe(false)
  expect(await keysOf('output-packs/')).toEqual([pack])
  await sweepForAWeek(later)
  expect(await keysOf('output-packs/')).toEqual([])
  expect(await firstValue`select count(*) from packs where object_key = ${pack}`).toBe(0)
  expect(await firstValue`select count(*) from orphans where key = ${pack}`).toBe(0)
  expect(await firstValue`select state from installation`).toBe('ok')
})

test('a pack whose problem was deleted goes, as outputs of their own do', async () => {
  const { teacher, problemId } = await createJudged()
  const later = await packOutputsLater()
  await teacher.delete(`/problem/manage/${problemId}`)
  await sweepForAWeek(later)
  expect([await keysOf('output-packs/'), await keysOf('outputs/')]).toEqual([[], []])
})

test('the packs of a purged course go', async () => {
  const { teacher, course } = await createJudged()
  await packOutputsLater()
  await teacher.delete('/course', { course })
  const mark = nowSeconds() + COURSE_PURGE_SECONDS + 1
  await purgeCourses(db, mark)
  for (let run = 0; run < 5; run += 1) await purgeCourses(db, mark + SWEEP.markedSeconds)
  expect(await firstValue`select count(*) from courses where name = ${course}`).toBe(0)
  await sweepForAWeek(mark + SWEEP.markedSeconds)
  expect(await keysOf('output-packs/')).toEqual([])
})

test('an output whose pack is lost is not found', async () => {
  const { student, id } = await createJudged()
  await packOutputsLater()
  await env.BUCKET.delete((await outputsOf(id)) ?? '')
  expect((await student.get(`/submission/${id}/output/0/0`)).code).toBe('output_not_found')
})

describe('while a pack is written', () => {
  test('an output is read as before, also by who has read its row before that', async () => {
    const { student, id } = await createJudged()
    await packWhile(packOutputsLater, async () => expect(await read(student, id)).toBe('out 0'))
    expect(await outputsOf(id)).toMatch(/^output-packs\//)
    await runSql`delete from sweep_positions`
    const next = await createJudged()
    const get = vi.spyOn(env.BUCKET, 'get').mockImplementationOnce(async (key: string) => {
      get.mockRestore()
      await packOutputsLater()
      expect(await outputsOf(next.id)).toMatch(/^output-packs\//)
      return env.BUCKET.get(key)
    })
    expect(await read(next.student, next.id)).toBe('out 0')
  })

  test('a submission that is judged again keeps its new outputs, and the pack that nothing names goes', async () => {
    const { student, ta, token, id } = await createJudged()
    await packWhile(packOutputsLater, async () => {
      await ta.post(`/submission/${id}/rejudge`)
      await judgeNext(token, 'anew')
    })
    expect(await read(student, id)).toBe('anew')
    await sweepForAWeek()
    expect(await read(student, id)).toBe('anew')
    expect(await keysOf('output-packs/')).toEqual([])
    expect(await keysOf('outputs/')).toEqual([await outputsOf(id)])
    expect(await firstValue`select count(*) from packs`).toBe(0)
  })

  test('a submission that is purged leaves no row that names the pack', async () => {
    const { id } = await createJudged()
    await packWhile(packOutputsLater, () => runSql`delete from submissions where id = ${id}`)
    expect(await firstValue`select count(*) from packs`).toBe(0)
  })
})

describe('a packing that breaks off', () => {
  test.each([
    ['while outputs are read', 'get', 0],
    ['before the object', 'put', 0],
    ['between object and rows', 'batch', 0],
    ['between two transactions of rows', 'batch', 1],
    ['before the cursor moves', 'batch', 2],
  ] as const)('%s loses nothing and leaves nothing', async (_, method, after) => {
    const { ta, ids } = await createJudged(PACKING.slice + 2)
    const printed = ids.map((_id, n) => `out ${n}`)
    let calls = 0
    /** A stand-in that throws at a call of the method, after `after` calls. */
    const breaking = <Target extends object>(target: Target): Target =>
      new Proxy(target, {
        get(of, key) {
          if (key === method) {
            calls += 1
            if (calls > after) throw new Error('broken off')
          }
          const part: unknown = Reflect.get(of, key)
          return typeof part === 'function' ? part.bind(of) : part
        },
      })
    const bindings =
      method === 'batch'
        ? { ...workerEnv, DB: breaking(env.DB) }
        : { ...workerEnv, BUCKET: breaking(env.BUCKET) }
    const later = nowSeconds() + PACKING.outputsAfterDays * 86_400 + PACKING.everySeconds
    const broke = packOutputs(bindings, openDb(bindings.DB), later)
    if (method === 'batch' && after === 2) {
      await broke
      await runSql`delete from sweep_positions`
    } else await expect(broke).rejects.toThrow('broken off')
    expect(await readAll(ta, ids)).toEqual(printed)
    await packOutputsLater()
    expect(await readAll(ta, ids)).toEqual(printed)
    const named = new Set(await Promise.all(ids.map(outputsOf)))
    expect([...named].every((key) => key?.startsWith('output-packs/'))).toBe(true)
    await sweepForAWeek(later)
    expect(await keysOf('outputs/')).toEqual([])
    expect(new Set(await keysOf('output-packs/'))).toEqual(named)
    expect(await readAll(ta, ids)).toEqual(printed)
  })
})

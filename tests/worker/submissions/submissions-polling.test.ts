import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, test } from 'vitest'
import { app } from '../../../worker/app.ts'
import { claim, emptyQueue, report, reportOf } from '../support/judge.ts'
import { workerEnv } from '../support/step-queue.ts'
import {
  call,
  createCourse,
  createPerson,
  createProblem,
  fetchApi,
  registerRunner,
  submit,
  type Person,
} from '../support/world.ts'

beforeEach(emptyQueue)

/** Reads a submission as its page does while it waits. */
async function poll(as: Person, id: string, tag?: string): Promise<Response> {
  const headers: Record<string, string> = tag === undefined ? {} : { 'If-None-Match': tag }
  const response = await fetchApi('GET', `/submission/${id}`, { as, headers })
  await response.arrayBuffer()
  return response
}

/** The ETag of an answer. */
function tagOf(response: Response): string {
  return response.headers.get('ETag') ?? ''
}

/** Rows that D1 reads for one call and its round trips, without the session look-up. */
async function costOf(as: Person, id: string, tag: string) {
  const reads: number[] = []
  const db = new Proxy(env.DB, {
    get(target, name) {
      if (name !== 'prepare') return Reflect.get(target, name)
      return (text: string) => counted(target.prepare(text))
    },
  })
  function counted(statement: D1PreparedStatement): D1PreparedStatement {
    return new Proxy(statement, {
      get(target, name) {
        if (name === 'bind') return (...values: unknown[]) => counted(target.bind(...values))
        if (name !== 'all' && name !== 'raw' && name !== 'run') return Reflect.get(target, name)
        return async () => {
          const result = await target.all()
          reads.push(result.meta.rows_read)
          return name === 'raw' ? result.results.map((row) => Object.values(row)) : result
        }
      },
    })
  }
  const response = await app.request(
    `/api/submission/${id}`,
    { headers: { Cookie: as.cookie, 'If-None-Match': tag } },
    { ...workerEnv, DB: db },
  )
  return { status: response.status, reads: reads.slice(1) }
}

describe('polling a submission', () => {
  test('while nothing happens the answer is 304, from one statement that reads at most two rows [LO2]', async () => {
    const { student, ta, teacher, problemId } = await createProblem()
    const id = await submit(student, problemId)
    await claim(await registerRunner())
    for (const as of [student, ta, teacher, await createPerson(0)]) {
      const tag = tagOf(await poll(as, id))
      // A proxy that compresses an answer also changes its tag.
      for (const known of [tag, `W/${tag}`]) expect((await poll(as, id, known)).status).toBe(304)
      const cost = await costOf(as, id, tag)
      expect(cost.status).toBe(304)
      expect(cost.reads).toHaveLength(1)
      expect(cost.reads[0]).toBeLessThanOrEqual(2)
    }
  })

  test('every step of judging is a new answer', async () => {
    const { student, ta, problemId } = await createProblem()
    const token = await registerRunner()
    const id = await submit(student, problemId)
    const queued = tagOf(await poll(student, id))
    const job = (await claim(token)).data
    const compiling = await poll(student, id, queued)
    expect(compiling.status).toBe(200)
    const progress = { lease: job.lease, phase: 'running', done: 1, total: 3 }
    await call('POST', `/runner/jobs/${job.judgementId}/progress`, { token, json: progress })
    const running = await poll(student, id, tagOf(compiling))
    expect(running.status).toBe(200)
    await report(token, job.judgementId, reportOf(job.lease))
    const done = await poll(student, id, tagOf(running))
    expect(done.status).toBe(200)
    expect((await poll(student, id, tagOf(done))).status).toBe(304)
    await ta.post(`/submission/${id}/rejudge`)
    expect((await poll(student, id, tagOf(done))).status).toBe(200)
    expect((await poll(student, id, tagOf(running))).status).toBe(200)
  })

  test('the tag opens nothing: who may not read, or no longer, is refused', async () => {
    const { student, teacher, course, problemId } = await createProblem()
    const id = await submit(student, problemId)
    await claim(await registerRunner())
    const tag = tagOf(await poll(student, id))
    const outsider = (await createCourse()).teacher
    expect((await poll(outsider, id, tag)).status).toBe(404)
    await teacher.patch(`/course/${course}/members`, { remove: [student.username] })
    expect((await poll(student, id, tag)).status).toBe(404)
  })
})

import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { ROUTES, type Route } from '#contract/calls'
import { JUDGING } from '#contract/limits'
import { app } from '../../../worker/app.ts'
import type { Env } from '../../../worker/env.ts'
import { sweep } from '../../../worker/background/sweep.ts'
import { nowSeconds } from '../../../worker/lib/clock.ts'
import {
  claim,
  createClaimedJob,
  emptyQueue,
  expireLeases,
  outputOf,
  report,
  reportOf,
} from '../support/judge.ts'
import { makeCall, signatureOf } from '../support/roles-routes-calls.ts'
import { createFixture } from '../support/roles-routes-fixture.ts'
import { ROLES, ROLES_ROUTES, type Role } from '../support/roles-routes.ts'
import { workerEnv } from '../support/step-queue.ts'
import { firstValue, runSql } from '../support/sql.ts'
import {
  createProblem,
  registerRunner,
  requestOf,
  submit,
  type CallOptions,
} from '../support/world.ts'

/** A message of the platform that no answer may contain. */
const SECRET = 'D1_ERROR: no such table: /srv/secret.sqlite'

beforeEach(async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  await emptyQueue()
})

/** A binding whose every method fails. */
function failing<T extends object>(real: T): T {
  return new Proxy(real, {
    get(target, name) {
      const part: unknown = Reflect.get(target, name)
      if (typeof part !== 'function') return part
      // This method sends nothing before a part is sent.
      if (name === 'resumeMultipartUpload')
        return (...args: unknown[]) => failing<object>(Reflect.apply(part, target, args))
      return async () => {
        throw new Error(SECRET)
      }
    },
  })
}

/** The real D1; its round trips fail after this many. */
function failingD1(after: number): D1Database {
  const reals = new WeakMap<object, D1PreparedStatement>()
  let trips = 0
  async function trip<T>(send: () => Promise<T>): Promise<T> {
    trips += 1
    if (trips > after) throw new Error(SECRET)
    return send()
  }
  function wrap(real: D1PreparedStatement): D1PreparedStatement {
    const proxy = new Proxy(real, {
      get(target, name) {
        if (name === 'bind') return (...values: unknown[]) => wrap(target.bind(...values))
        const part: unknown = Reflect.get(target, name)
        if (typeof part !== 'function') return part
        return (...args: unknown[]) => trip(async () => part.apply(target, args))
      },
    })
    reals.set(proxy, real)
    return proxy
  }
  return new Proxy(env.DB, {
    get(target, name) {
      if (name === 'prepare') return (text: string) => wrap(target.prepare(text))
      if (name === 'batch')
        return (statements: D1PreparedStatement[]) =>
          trip(() => target.batch(statements.map((proxy) => reals.get(proxy) ?? proxy)))
      return Reflect.get(target, name)
    },
  })
}

/** A call with some bindings replaced. */
async function callWith(
  bindings: Partial<Env>,
  method: string,
  path: string,
  options: CallOptions = {},
) {
  const context = createExecutionContext()
  const request = requestOf(method, path, options)
  const response = await app.fetch(request, { ...workerEnv, ...bindings }, context)
  // A zip is made while it is sent, so a fault breaks the connection.
  const isZip = response.headers.get('Content-Type') === 'application/zip'
  const text = isZip ? await response.text().catch(() => 'broken off') : await response.text()
  await waitOnExecutionContext(context)
  return { status: response.status, text, id: response.headers.get('X-Request-Id') }
}

/** A role that may make the call. */
function callerOf(route: Route): Role {
  const order: Role[] = ['teacher', 'admin', 'runner', 'student']
  return order.find((role) => (ROLES_ROUTES[route][ROLES.indexOf(role)] ?? 500) < 300) ?? 'teacher'
}

/** Expects exactly the envelope of an internal fault: an id, and no word of the fault. */
function expectFault(answer: Awaited<ReturnType<typeof callWith>>, what: string): void {
  expect(answer.status, what).toBe(500)
  expect(JSON.parse(answer.text), what).toEqual({
    status: 'err',
    code: 'internal',
    message: 'Oops! Our server failed to respond.',
    data: { requestId: answer.id },
  })
}

describe('faults of the platform', () => {
  test('what a restore locks is answered with 503 and when to come again', async () => {
    const { student, problemId } = await createProblem()
    await runSql`create trigger locked before insert on submissions begin
      select raise(abort, 'A backup is being restored.'); end`
    const json = { problemId, languageType: 0, code: 'int main() {}' }
    const refused = await student.post('/submission', json)
    await runSql`drop trigger locked`
    expect([refused.status, refused.code]).toEqual([503, 'restoring'])
    expect(refused.headers.get('Retry-After')).toBe('60')
    expect((await student.post('/submission', json)).status).toBe(200)
  })

  test('D1 failing at the first, second or third round trip of any route: an id and no internals [PR3]', async () => {
    let faults = 0
    for (const route of ROUTES) {
      const fixture = await createFixture()
      const [method = ''] = route.split(' ')
      for (const after of [0, 1, 2]) {
        const signature = signatureOf(fixture, callerOf(route))
        const { path, ...made } = await makeCall(route, fixture, signature.as ?? null)
        const options = { ...made, ...signature }
        const answer = await callWith({ DB: failingD1(after) }, method, path, options)
        if (answer.status < 500) continue
        faults += 1
        // This call tells a monitor which part is down.
        if (route === 'GET /health') expect(JSON.parse(answer.text).code).toBe('unhealthy')
        else expectFault(answer, `${route} after ${after}`)
      }
    }
    // Each fixture has hosts, and their number in an installation is limited.
    await runSql`delete from runners`
    expect(faults).toBeGreaterThan(ROUTES.length)
    // After this loop, too, the hosts would reach the limit.
    await runSql`delete from judgements`
    await runSql`delete from runners`
  })

  test('R2 failing: an id and no internals, and the submission is judged all the same afterwards [PR3]', async () => {
    const { teacher, student, problemId, token, id, job } = await createClaimedJob()
    const broken = { BUCKET: failing(env.BUCKET) }
    const as = teacher
    expectFault(await callWith(broken, 'GET', `/problem/${problemId}/testcase`, { as }), 'testcase')
    const zip = job.testData.url.replace('/api', '')
    expectFault(await callWith(broken, 'GET', zip, { token }), 'test data')
    const json = { ...reportOf(job.lease), outputs: [outputOf({})] }
    const path = `/runner/jobs/${job.judgementId}/result`
    expectFault(await callWith(broken, 'PUT', path, { token, json }), 'result')
    expect((await student.get(`/submission/${id}`)).data.status).toBe(-1)
    expect((await report(token, job.judgementId, json)).status).toBe(200)
    expect((await student.get(`/submission/${id}`)).data.status).toBe(0)
  })

  test('R2 or the queues failing on any route: nothing, or an id and no internals [PR3]', async () => {
    const broken = {
      R2: { BUCKET: failing(env.BUCKET) },
      queues: {
        JUDGE_QUEUE: failing(workerEnv.JUDGE_QUEUE),
        STEP_QUEUE: failing(workerEnv.STEP_QUEUE),
      },
    }
    const faults = { R2: 0, queues: 0 }
    for (const route of ROUTES)
      for (const what of ['R2', 'queues'] as const) {
        const [method = ''] = route.split(' ')
        const fixture = await createFixture()
        const signature = signatureOf(fixture, callerOf(route))
        const { path, ...made } = await makeCall(route, fixture, signature.as ?? null)
        const answer = await callWith(broken[what], method, path, { ...made, ...signature })
        expect(answer.text, route).not.toContain(SECRET)
        if (what === 'R2' && route === 'GET /course/:name/archive')
          expect(answer.text).toBe('broken off')
        if (answer.status < 500) continue
        faults[what] += 1
        expectFault(answer, `${route} without ${what}`)
      }
    // These hosts would reach the limit, and a sweep would begin all of their jobs.
    await runSql`delete from judgements`
    await runSql`delete from runners`
    await runSql`delete from operations`
    expect(faults.R2).toBeGreaterThan(5)
    expect(faults.queues).toBe(0)
  })

  test('an answer to a fault has the headers of every answer [BR1]', async () => {
    const { teacher, problemId } = await createProblem()
    const request = requestOf('GET', `/problem/${problemId}`, { as: teacher })
    const context = createExecutionContext()
    const { status, headers } = await app.fetch(
      request,
      { ...workerEnv, DB: failingD1(1) },
      context,
    )
    await waitOnExecutionContext(context)
    expect(status).toBe(500)
    expect(Object.fromEntries(headers)).toMatchObject({
      'cache-control': 'no-store',
      'content-type': 'application/json',
      'cross-origin-opener-policy': 'same-origin',
      'referrer-policy': 'no-referrer',
      'strict-transport-security': 'max-age=31536000; includeSubDomains',
      'x-content-type-options': 'nosniff',
    })
    const policy = headers.get('Content-Security-Policy')
    for (const name of ['default-src', 'base-uri', 'frame-ancestors', 'form-action'])
      expect(policy).toContain(`${name} 'none'`)
  })

  test('the queue failing changes no answer; the sweeper sends the ticket within two minutes [QF7]', async () => {
    const { student, problemId } = await createProblem()
    const json = { problemId, languageType: 0, code: 'x' }
    const broken = {
      JUDGE_QUEUE: failing(workerEnv.JUDGE_QUEUE),
      STEP_QUEUE: failing(workerEnv.STEP_QUEUE),
    }
    const answer = await callWith(broken, 'POST', '/submission', { as: student, json })
    expect(answer.status).toBe(200)
    const { submissionId } = JSON.parse(answer.text).data
    const listed = await student.get('/submission')
    expect(listed.data.submissions[0]).toMatchObject({ submissionId, status: -1 })
    const sent: unknown[] = []
    const queue = { sendBatch: async (messages: unknown[]) => sent.push(...messages) }
    const bindings = Object.assign({ ...workerEnv }, { JUDGE_QUEUE: queue })
    const now = nowSeconds()
    await sweep({ ...bindings, ...broken }, now + JUDGING.ticketAgeSeconds + 1)
    await sweep(bindings, now + 120)
    expect(sent).toHaveLength(1)
    expect((await claim(await registerRunner())).data.submissionId).toBe(submissionId)
  })

  test('a sweep goes on with its other parts when one fails', async () => {
    const { student, problemId } = await createProblem()
    await submit(student, problemId)
    await sweep({ ...workerEnv, BUCKET: failing(env.BUCKET) }, nowSeconds())
    await expect(sweep({ ...workerEnv, DB: failingD1(0) }, nowSeconds())).resolves.toBeUndefined()
  })

  test('every answer has a request id: a success, a refusal, a path nobody serves', async () => {
    const paths = ['/health', '/auth/me', '/nothing']
    const ids = await Promise.all(paths.map(async (path) => (await callWith({}, 'GET', path)).id))
    expect(new Set(ids.filter((id) => id !== null)).size).toBe(paths.length)
  })
})

describe('a host that is gone', () => {
  test('a minute after its lease at most another one has a ticket for its job [QF2]', async () => {
    const { job } = await createClaimedJob()
    const sent: { body: { judgementId: string } }[] = []
    const queue = { sendBatch: async (messages: typeof sent) => sent.push(...messages) }
    const bindings = Object.assign({ ...workerEnv }, { JUDGE_QUEUE: queue })
    const lease = await firstValue<number>`select lease_until from judgements
      where id = ${job.judgementId}`
    await sweep(bindings, (lease ?? 0) - 1)
    expect(sent).toEqual([])
    await sweep(bindings, (lease ?? 0) + 60)
    expect(sent.map(({ body }) => body.judgementId)).toEqual([job.judgementId])
    await expireLeases()
    expect((await claim(await registerRunner())).data.judgementId).toBe(job.judgementId)
  })
})

describe('lost answers', () => {
  test('a claim whose answer was lost is taken again when its lease ends [QF4]', async () => {
    const { student, problemId } = await createProblem()
    const id = await submit(student, problemId)
    const lost = (await claim(await registerRunner())).data
    const other = await registerRunner()
    expect((await claim(other)).status).toBe(204)
    await expireLeases()
    const again = (await claim(other)).data
    expect(again).toMatchObject({ judgementId: lost.judgementId, attempt: 2 })
    expect((await report(other, again.judgementId, reportOf(again.lease))).status).toBe(200)
    expect((await student.get(`/submission/${id}`)).data.status).toBe(0)
  })
})

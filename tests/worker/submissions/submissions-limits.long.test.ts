import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test'
import { beforeEach, describe, expect, test } from 'vitest'
import { app } from '../../../worker/app.ts'
import { SUBMIT_LIMITS } from '../../../worker/features/submissions/target-queries.ts'
import { useUp } from '../support/buckets.ts'
import { claim, emptyQueue } from '../support/judge.ts'
import { workerEnv } from '../support/step-queue.ts'
import { firstRow, runSql } from '../support/sql.ts'
import {
  addStudents,
  call,
  createProblem,
  registerRunner,
  submit,
  type Person,
} from '../support/world.ts'

beforeEach(emptyQueue)

describe('how fast one may submit', () => {
  test('a student has a burst, then waits as long as the answer says; staff do not wait [LO3]', async () => {
    const { student, ta, problemId } = await createProblem()
    const json = { problemId, languageType: 0, code: 'x' }
    const { burst, perMinute } = SUBMIT_LIMITS
    await submit(student, problemId)
    const rule = { burst, intervalMs: 60_000 / perMinute }
    await useUp(`submit:user:${student.id}`, rule)
    const refused = await student.post('/submission', json)
    expect(refused).toMatchObject({ status: 429, code: 'too_many_submissions' })
    const wait = Number(refused.headers.get('Retry-After'))
    expect(wait).toBeGreaterThan(0)
    expect(wait).toBeLessThanOrEqual(3_600)
    await runSql`update rate_limits set full_at_ms = full_at_ms - ${wait * 1000}
      where key = ${`submit:user:${student.id}`}`
    await submit(student, problemId)
    await useUp(`submit:user:${ta.id}`, rule)
    await submit(ta, problemId)
  })

  test('a class of 60 behind one address is not blocked, a flood from one address is [LO3]', async () => {
    const { teacher, course, problemId } = await createProblem()
    const students = await addStudents({ course, teacher }, 60)
    const headers = { 'CF-Connecting-IP': '198.51.100.7' }
    const json = { problemId, languageType: 0, code: 'x' }
    const statuses: number[] = []
    for (const as of [...students, ...students])
      statuses.push((await as.post('/submission', json, headers)).status)
    expect(new Set(statuses)).toEqual(new Set([200]))
    const minute = 60_000
    await runSql`update rate_limits set full_at_ms = ${Date.now() + minute}
      where key like 'submit:address:198%'`
    const [as] = students
    const flood = await call('POST', '/submission', { as, json, headers })
    expect(flood.status).toBe(429)
    expect(Number(flood.headers.get('Retry-After'))).toBeGreaterThan(0)
    const elsewhere = await call('POST', '/submission', { as, json })
    expect(elsewhere.status).toBe(200)
  })

  test('who is refused, exempt or repeats a call takes nothing from others at the address', async () => {
    const { student, ta, problemId } = await createProblem()
    const json = { problemId, languageType: 0, code: 'x' }
    const ip = '192.0.2.77'
    const send = (as: Person, key?: string) =>
      as.post('/submission', json, {
        'CF-Connecting-IP': ip,
        ...(key && { 'Idempotency-Key': key }),
      })
    const shared = () =>
      firstRow`select full_at_ms from rate_limits where key = ${`submit:address:${ip}`}`
    await send(ta)
    expect(await shared()).toBeNull()
    await send(student, 'one')
    const afterOne = await shared()
    expect(afterOne).not.toBeNull()
    expect((await send(student, 'one')).status).toBe(200)
    expect(await shared()).toEqual(afterOne)
    await runSql`update rate_limits set full_at_ms = ${Date.now() + 3_600_000}
      where key = ${`submit:user:${student.id}`}`
    expect((await send(student)).status).toBe(429)
    expect(await shared()).toEqual(afterOne)
  })

  test('SUBMIT_LIMIT_PER_MINUTE=0 turns both off', async () => {
    const { student, problemId } = await createProblem()
    const body = JSON.stringify({ problemId, languageType: 0, code: 'x' })
    for (let count = 0; count <= SUBMIT_LIMITS.burst; count += 1) {
      const context = createExecutionContext()
      const response = await app.request(
        '/api/submission',
        {
          method: 'POST',
          body,
          headers: {
            Cookie: student.cookie,
            'Content-Type': 'application/json',
            'Sec-Fetch-Site': 'same-origin',
          },
        },
        { ...workerEnv, SUBMIT_LIMIT_PER_MINUTE: '0' },
        context,
      )
      await waitOnExecutionContext(context)
      expect(response.status).toBe(200)
    }
  })
})

describe('source code', () => {
  test.each(['\u{feff}int main(){}', 'a\r\nb\rc\n', 'x\0y', ' ', 'π\u{1f600}', 'x'.repeat(65_536)])(
    'reaches the runner byte for byte: %j [IV2]',
    async (code) => {
      const { student, problemId } = await createProblem()
      const token = await registerRunner()
      const answer = await student.post('/submission', { problemId, languageType: 1, code })
      expect(answer.status).toBe(200)
      const job = (await claim(token)).data
      expect(job.source).toBe(Buffer.from(code, 'utf8').toString('base64'))
      const read = await student.get(`/submission/${answer.data.submissionId}`)
      // A decoder that drops the byte order mark would change the code.
      expect(read.data.code).toBe(code)
    },
  )
})

describe('Idempotency-Key', () => {
  test('the same key is the same submission, also when both arrive at once; another body is refused', async () => {
    const { student, problemId } = await createProblem()
    const headers = { 'Idempotency-Key': 'once' }
    const json = { problemId, languageType: 0, code: 'x' }
    const send = () => student.post('/submission', json, headers)
    const answers = await Promise.all([send(), send(), send()])
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    expect(new Set(answers.map(({ data }) => data.submissionId)).size).toBe(1)
    const other = await student.post('/submission', { ...json, languageType: 1 }, headers)
    expect(other.code).toBe('idempotency_mismatch')
    const listed = await student.get('/submission')
    expect(listed.data.submissions).toHaveLength(1)
  })

  test('other code under the same key is refused, not dropped; without code the key stays good', async () => {
    const { student, problemId } = await createProblem()
    const send = (key: string, code?: string) =>
      student.post('/submission', { problemId, languageType: 0, code }, { 'Idempotency-Key': key })
    const first = await send('coded', 'x')
    expect((await send('coded', 'x')).data).toEqual(first.data)
    expect(await send('coded', 'y')).toMatchObject({ status: 409, code: 'idempotency_mismatch' })
    const claimed = await send('announced')
    expect((await send('announced')).data).toEqual(claimed.data)
    expect((await send('announced', 'x')).code).toBe('idempotency_mismatch')
  })

  test('a key longer than 128 characters is refused by its name', async () => {
    const { student, problemId } = await createProblem()
    const send = (length: number) =>
      student.post(
        '/submission',
        { problemId, languageType: 0, code: 'x' },
        { 'Idempotency-Key': 'k'.repeat(length) },
      )
    expect(await send(129)).toMatchObject({ status: 400, data: [{ path: ['Idempotency-Key'] }] })
    expect((await send(128)).status).toBe(200)
  })
})

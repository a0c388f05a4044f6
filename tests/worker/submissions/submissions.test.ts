import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test'
import { describe, expect, test } from 'vitest'
import { app } from '../../../worker/app.ts'
import { workerEnv } from '../support/step-queue.ts'
import { firstValue } from '../support/sql.ts'
import {
  addMember,
  call,
  createPerson,
  createProblem,
  problemForm,
  requestOf,
  submit,
  type Person,
} from '../support/world.ts'

describe('handing in code', () => {
  test('a submission waits in the queue and shows its code and position', async () => {
    const { student, problemId } = await createProblem()
    const id = await submit(student, problemId)
    const read = await student.get(`/submission/${id}`)
    expect(read.data).toMatchObject({
      status: -1,
      code: 'int main(){}',
      progress: { phase: 'queued', done: 0, total: 3, position: 1 },
      sampleTasks: [0],
      taskScores: [0, 100],
      tryNumber: 1,
      canRejudge: false,
    })
    expect(read.data).not.toHaveProperty('ipAddr')
  })

  test('a submission knows which try it is, of its person at its problem', async () => {
    const { course, teacher, student, ta, problemId } = await createProblem()
    const other = await createPerson(2)
    await addMember({ course, teacher }, other)
    const first = await submit(student, problemId)
    await submit(other, problemId)
    const second = await submit(student, problemId)
    const numberOf = async (as: Person, id: string) =>
      (await as.get(`/submission/${id}`)).data.tryNumber
    expect([await numberOf(student, first), await numberOf(ta, second)]).toEqual([1, 2])
  })

  test('the code of a two-step submission arrives as a file, byte for byte', async () => {
    const { student, problemId } = await createProblem()
    const claimed = await student.post('/submission', { problemId, languageType: 2 })
    const form = new FormData()
    form.set('code', new File(['\u{feff}print(1)\r\n\0'], 'main.py'))
    const path = `/submission/${claimed.data.submissionId}`
    expect((await call('PUT', path, { as: student, body: form })).status).toBe(200)
    expect((await call('PUT', path, { as: student, body: form })).code).toBe('code_already_sent')
    const listed = await student.get('/submission')
    expect(listed.data.submissions).toHaveLength(1)
  })

  test.each([
    ['no language', {}, undefined],
    ['a language there is not', { languageType: 9 }, undefined],
    ['code that is no text', { languageType: 0, code: 5 }, undefined],
    ['code that is half a surrogate pair', { languageType: 0, code: '\ud800' }, undefined],
    ['no code', { languageType: 0, code: '' }, undefined],
    ['a key that is too long', { languageType: 0, code: 'x' }, 'k'.repeat(129)],
  ])(
    'a body with %s is a 404 where the problem is out of sight, a 400 where it is not',
    async (_title, body, key) => {
      const { student, problemId } = await createProblem()
      const hidden = await createProblem({ status: 1 })
      const send = (as: Person, id: number) =>
        as.post(
          '/submission',
          { problemId: id, ...body },
          key === undefined ? {} : { 'Idempotency-Key': key },
        )
      expect((await send(student, problemId)).status).toBe(400)
      for (const id of [hidden.problemId, 999_999])
        expect(await send(hidden.student, id)).toMatchObject({
          status: 404,
          code: 'problem_not_found',
        })
      expect((await send(student, hidden.problemId)).code).toBe('problem_not_found')
    },
  )

  test('code that arrives several times at once is taken once; the others hear why', async () => {
    const { student, problemId } = await createProblem({ quota: 1 })
    const claimed = await student.post('/submission', { problemId, languageType: 0 })
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => {
        const form = new FormData()
        form.set('code', new File(['int main(){}'], 'main.c'))
        return call('PUT', `/submission/${claimed.data.submissionId}`, { as: student, body: form })
      }),
    )
    expect(answers.map(({ code }) => code ?? 'taken').toSorted()).toEqual([
      ...Array.from({ length: 4 }, () => 'code_already_sent'),
      'taken',
    ])
  })

  test('code whose upload goes on while its problem is hidden comes too late', async () => {
    const { student, teacher, problemId } = await createProblem()
    const claimed = await student.post('/submission', { problemId, languageType: 0 })
    const upload = new TransformStream<Uint8Array, Uint8Array>()
    const writer = upload.writable.getWriter()
    const path = `/submission/${claimed.data.submissionId}`
    const answer = call('PUT', path, {
      as: student,
      body: upload.readable,
      headers: { 'Content-Type': 'multipart/form-data; boundary=x' },
    })
    const encoder = new TextEncoder()
    await writer.write(encoder.encode('--x\r\nContent-Disposition: form-data; name="code"\r\n\r\n'))
    await teacher.put(`/problem/manage/${problemId}`, problemForm({ status: 1 }))
    await writer.write(encoder.encode('x\r\n--x--\r\n'))
    await writer.close()
    expect((await answer).code).toBe('submission_not_found')
  })

  test('a submission nobody waits for is answered before its body is read', async () => {
    const { student, problemId } = await createProblem()
    const put = (id: string) =>
      call('PUT', `/submission/${id}`, {
        as: student,
        body: 'no form',
        headers: { 'Content-Type': 'multipart/form-data; boundary=x' },
      })
    expect((await put('0'.repeat(24))).code).toBe('submission_not_found')
    expect((await put(await submit(student, problemId))).code).toBe('code_already_sent')
  })

  test('the code of a claimed submission comes too late once its problem is hidden', async () => {
    const { student, teacher, problemId } = await createProblem()
    const claimed = await student.post('/submission', { problemId, languageType: 0 })
    await teacher.put(`/problem/manage/${problemId}`, problemForm({ status: 1 }))
    const form = new FormData()
    form.set('code', new File(['int main(){}'], 'main.c'))
    const late = await call('PUT', `/submission/${claimed.data.submissionId}`, {
      as: student,
      body: form,
    })
    expect(late.code).toBe('submission_not_found')
  })

  test('a quota of ten takes exactly ten of fifty at once, with no rate limit in the way [LO1]', async () => {
    const { student, problemId } = await createProblem({ quota: 10 })
    const json = { problemId, languageType: 0, code: 'x' }
    const context = createExecutionContext()
    const bindings = { ...workerEnv, SUBMIT_LIMIT_PER_MINUTE: '0' }
    const send = async () => {
      const request = requestOf('POST', '/submission', { as: student, json })
      const response = await app.fetch(request, bindings, context)
      return { status: response.status, body: await response.json() }
    }
    const answers = await Promise.all(Array.from({ length: 50 }, send))
    await waitOnExecutionContext(context)
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(10)
    for (const refused of answers.filter(({ status }) => status !== 200))
      expect(refused).toMatchObject({
        status: 403,
        body: { code: 'quota_exceeded', data: { resetAt: expect.any(Number) } },
      })
    const stored =
      await firstValue`select count(*) n from submissions where user_id = ${student.id}`
    expect(stored).toBe(10)
    expect((await student.get(`/problem/${problemId}`)).data.quotaUsed).toBe(10)
  })

  test.each([
    [400, 'empty_code', 'Please paste your source code to submit.', { languageType: 0, code: '' }],
    [400, 'no_language', 'Please select the programming language.', { code: 'x' }],
    [400, 'no_language', 'Please select the programming language.', { languageType: 9, code: 'x' }],
    [
      403,
      'language_not_allowed',
      'This problem does not allow this programming language.',
      { languageType: 2, code: 'x' },
    ],
    [
      413,
      'code_too_large',
      'The source code is larger than 64 KiB.',
      { languageType: 0, code: 'x'.repeat(65_537) },
    ],
    [400, 'bad_body', 'Some fields are invalid.', { languageType: 0, code: '\ud800' }],
  ])('refuses with %i %s [IV2]', async (status, code, message, body) => {
    const { student, problemId } = await createProblem({ allowedLanguage: 1 })
    const answer = await student.post('/submission', { problemId, ...body })
    expect(answer).toMatchObject({ status, code, message })
  })

  test('another student does not see it, staff do, outsiders know nothing of it', async () => {
    const { student, ta, teacher, course, problemId } = await createProblem()
    const id = await submit(student, problemId)
    const other = await createPerson(2)
    expect((await other.get(`/submission/${id}`)).status).toBe(404)
    await addMember({ course, teacher }, other)
    expect((await other.get(`/submission/${id}`)).status).toBe(404)
    expect((await ta.get(`/submission/${id}`)).data.ipAddr).toBeTypeOf('string')
    expect((await ta.get(`/submission?course=${course}`)).data.submissions).toHaveLength(1)
    expect((await other.get(`/submission?course=${course}`)).data.submissions).toHaveLength(0)
  })
})

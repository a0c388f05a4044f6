import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, test } from 'vitest'
import { newProblem } from '#contract/problems'
import { sweep } from '../../../worker/background/sweep.ts'
import { openDb } from '../../../worker/db/client.ts'
import { storeZip } from '../../../worker/features/problems/test-data.ts'
import { nowSeconds } from '../../../worker/lib/clock.ts'
import { claim, emptyQueue, report, reportOf } from '../support/judge.ts'
import { workerEnv } from '../support/step-queue.ts'
import { firstRow, firstValue } from '../support/sql.ts'
import {
  addMember,
  call,
  createCourse,
  createProblem,
  fetchApi,
  FITTING_ENTRIES,
  problemForm,
  registerRunner,
  submit,
  uploadZip,
  type Person,
} from '../support/world.ts'
import { zipOf } from '../support/zip.ts'

beforeEach(emptyQueue)

/** Starts the upload of a zip; `send` sends its bytes. */
async function startUpload(as: Person, problemId: number, zip: Uint8Array<ArrayBuffer>) {
  const { data } = await as.post(`/problem/${problemId}/initiate-test-case-upload`, {
    length: zip.length,
  })
  const send = () =>
    call('PUT', data.urls[0].replace('/api', ''), {
      as,
      body: zip,
      headers: { 'Content-Length': String(zip.length) },
    })
  const complete = (parts: unknown) =>
    as.post(`/problem/${problemId}/complete-test-case-upload`, { uploadId: data.uploadId, parts })
  return { uploadId: String(data.uploadId), send, complete }
}

/** The active version of the test data. */
async function versionOf(as: Person, problemId: number): Promise<string | null> {
  return (await as.get(`/problem/${problemId}`)).data.testDataVersion
}

/** The number of a problem's objects in R2. */
async function objectCount(problemId: number): Promise<number> {
  return (await env.BUCKET.list({ prefix: `test-data/${problemId}/` })).objects.length
}

describe('uploads that get in each other’s way', () => {
  test('of two, the one completed last wins; until then the old data are served [UP3]', async () => {
    const { teacher, ta, problemId } = await createProblem()
    const old = await versionOf(teacher, problemId)
    const zips = await Promise.all([
      zipOf({ ...FITTING_ENTRIES, '0000.in': 'first' }),
      zipOf({ ...FITTING_ENTRIES, '0000.in': 'second' }),
    ])
    const first = await startUpload(teacher, problemId, zips[0])
    const second = await startUpload(ta, problemId, zips[1])
    const [secondPart, firstPart] = [await second.send(), await first.send()]
    expect(await versionOf(teacher, problemId)).toBe(old)
    const secondDone = await second.complete([secondPart.data])
    expect(await versionOf(teacher, problemId)).toBe(secondDone.data.testDataVersion)
    const firstDone = await first.complete([firstPart.data])
    expect(await versionOf(teacher, problemId)).toBe(firstDone.data.testDataVersion)
    const served = await fetchApi('GET', `/problem/${problemId}/testcase`, { as: teacher })
    expect(new Uint8Array(await served.arrayBuffer())).toEqual(zips[0])
  })

  test('completed twice at once, it counts once and its data stay [UP3]', async () => {
    const { teacher, problemId } = await createProblem()
    const upload = await startUpload(teacher, problemId, await zipOf(FITTING_ENTRIES))
    const part = (await upload.send()).data
    const answers = await Promise.all([upload.complete([part]), upload.complete([part])])
    expect(answers.map(({ status }) => status)).toEqual([201, 201])
    expect(answers[0]?.data).toEqual(answers[1]?.data)
    const versions = await firstValue`select count(*) n from test_data_versions
        where object_key = ${`test-data/${problemId}/${upload.uploadId}.zip`}`
    expect(versions).toBe(1)
    const served = await fetchApi('GET', `/problem/${problemId}/testcase`, { as: teacher })
    expect(served.status).toBe(200)
    await served.arrayBuffer()
  })

  test('completed and aborted at once, it is one of them, not half of both', async () => {
    const { teacher, problemId } = await createProblem()
    const upload = await startUpload(teacher, problemId, await zipOf(FITTING_ENTRIES))
    const part = (await upload.send()).data
    const path = `/problem/${problemId}/test-case-upload/${upload.uploadId}`
    const [completed] = await Promise.all([upload.complete([part]), teacher.delete(path)])
    const served = await fetchApi('GET', `/problem/${problemId}/testcase`, { as: teacher })
    expect(served.status).toBe(200)
    await served.arrayBuffer()
    if (completed.status === 201)
      expect(await versionOf(teacher, problemId)).toBe(completed.data.testDataVersion)
    expect((await upload.complete([part])).status).toBe(completed.status)
  })

  test('after an abort neither parts nor the end are taken [UP3]', async () => {
    const { teacher, problemId } = await createProblem()
    const before = await objectCount(problemId)
    const upload = await startUpload(teacher, problemId, await zipOf(FITTING_ENTRIES))
    const part = (await upload.send()).data
    await teacher.delete(`/problem/${problemId}/test-case-upload/${upload.uploadId}`)
    expect((await upload.send()).code).toBe('upload_not_found')
    expect((await upload.complete([part])).code).toBe('upload_not_found')
    expect(await objectCount(problemId)).toBe(before)
  })

  test('what nobody ends, the sweeper does after a day [UP3]', async () => {
    const { teacher, problemId } = await createProblem()
    const upload = await startUpload(teacher, problemId, await zipOf(FITTING_ENTRIES))
    await upload.send()
    await sweep(env as never, nowSeconds() + 86_000)
    expect((await upload.send()).status).toBe(200)
    await sweep(env as never, nowSeconds() + 86_500)
    expect((await upload.send()).code).toBe('upload_not_found')
  })

  test('a bad zip ends its upload and leaves nothing behind', async () => {
    const { teacher, problemId } = await createProblem()
    const before = await objectCount(problemId)
    const upload = await startUpload(teacher, problemId, await zipOf({ 'readme.txt': 'x' }))
    const part = (await upload.send()).data
    expect((await upload.complete([part])).code).toBe('bad_zip')
    expect((await upload.complete([part])).code).toBe('upload_not_found')
    expect(await objectCount(problemId)).toBe(before)
  })
})

describe('an upload that dies half way', () => {
  test('leaves the old data in force, and a second try at its end succeeds [UP4]', async () => {
    const { teacher, student, problemId } = await createProblem()
    const old = await versionOf(teacher, problemId)
    const upload = await startUpload(teacher, problemId, await zipOf(FITTING_ENTRIES))
    await submit(student, problemId)
    const job = await claim(await registerRunner())
    expect(job.data.testData.version).toBe(old)
    const part = (await upload.send()).data
    expect((await upload.complete([part])).status).toBe(201)
  })

  test('when the parts were put together and the answer got lost, the same call again succeeds', async () => {
    const { teacher, problemId } = await createProblem()
    const upload = await startUpload(teacher, problemId, await zipOf(FITTING_ENTRIES))
    const part = (await upload.send()).data
    const row = await firstRow<{ key: string; id: string }>`
      select object_key as key, r2_upload_id as id from test_data_uploads where id = ${upload.uploadId}`
    if (!row) throw new Error('no upload')
    await env.BUCKET.resumeMultipartUpload(row.key, row.id).complete([
      { partNumber: part.PartNumber, etag: part.ETag },
    ])
    const answer = await upload.complete([part])
    expect(answer.status).toBe(201)
    expect(await versionOf(teacher, problemId)).toBe(answer.data.testDataVersion)
  })

  test('when a zip in one request was stored and the database’s answer got lost, its data are there', async () => {
    const { teacher, problemId } = await createProblem()
    const old = await versionOf(teacher, problemId)
    const lossy = new Proxy(env.DB, {
      get(target, name) {
        const part: unknown = Reflect.get(target, name)
        if (name !== 'batch') return typeof part === 'function' ? part.bind(target) : part
        return async (statements: D1PreparedStatement[]) => {
          await target.batch(statements)
          throw new Error('the connection was lost')
        }
      },
    })
    const zip = await zipOf(FITTING_ENTRIES)
    const form = newProblem.parse({ ...problemForm(), course: 'Any' })
    const actor = {
      ...teacher,
      displayedName: '',
      role: 1,
      email: '',
      emailConfirmedAt: null,
      confirmDueAt: null,
      bio: '',
    } as const
    const change = { actor, ip: '', now: nowSeconds() }
    const problem = { id: problemId, subtasks: form.testCase }
    await expect(
      storeZip(workerEnv, openDb(lossy), problem, new Blob([zip]), null, change),
    ).rejects.toThrow()
    expect(await versionOf(teacher, problemId)).not.toBe(old)
    const answer = await fetchApi('GET', `/problem/${problemId}/testcase`, { as: teacher })
    expect(new Uint8Array(await answer.arrayBuffer())).toEqual(zip)
  })

  test('a zip that was checked against older subtasks is kept but not in force', async () => {
    const { teacher, problemId } = await createProblem()
    const oneCase = [{ caseCount: 1, taskScore: 100, memoryLimit: 65_536, timeLimit: 1000 }]
    const put = (changes: Record<string, unknown>) =>
      teacher.put(`/problem/manage/${problemId}`, problemForm(changes))
    const [uploaded] = await Promise.all([
      uploadZip(teacher, problemId, FITTING_ENTRIES),
      put({ testCase: oneCase }),
    ])
    expect([200, 400]).toContain(uploaded.status)
    expect(await versionOf(teacher, problemId)).toBeNull()
    await put({})
    expect(await versionOf(teacher, problemId)).not.toBeNull()
  })
})

describe('test data replaced while judging', () => {
  test('every result of twenty names the version it was judged with [UP5]', async () => {
    const { teacher, student, problemId } = await createProblem({ quota: -1 })
    const token = await registerRunner()
    const ids: string[] = []
    for (let index = 0; index < 20; index += 1) ids.push(await submit(student, problemId))
    const old = await versionOf(teacher, problemId)
    const claims = async (count: number) => {
      const jobs = []
      for (let index = 0; index < count; index += 1) jobs.push((await claim(token)).data)
      return jobs
    }
    const before = await claims(10)
    await uploadZip(teacher, problemId, { ...FITTING_ENTRIES, '0000.in': 'new' })
    const current = await versionOf(teacher, problemId)
    const after = await claims(10)
    for (const job of [...after, ...before])
      await report(token, job.judgementId, reportOf(job.lease))
    const expected = new Map([
      ...before.map((job) => [job.submissionId, old] as const),
      ...after.map((job) => [job.submissionId, current] as const),
    ])
    for (const id of ids) {
      const { judgements, status } = (await teacher.get(`/submission/${id}`)).data
      expect([status, judgements[0].testDataVersion]).toEqual([0, expected.get(id)])
    }
  })
})

describe('a problem in another course', () => {
  test('has the same statement, configuration and data, is hidden, and outlives the original [UP8]', async () => {
    const { teacher, problemId } = await createProblem({
      tags: ['math', 'easy'],
      quota: 7,
      allowedLanguage: 5,
      description: {
        description: '# Add',
        input: 'two',
        output: 'one',
        hint: 'plus',
        sampleInput: ['1 2'],
        sampleOutput: ['3'],
      },
    })
    const target = await createCourse()
    await addMember(target, teacher, 'ta')
    const json = { course: target.course }
    const copied = await teacher.post(`/problem/${problemId}/copy`, json)
    const read = async (id: number) => (await teacher.get(`/problem/manage/${id}`)).data
    const [source, copy] = [await read(problemId), await read(copied.data.problemId)]
    const { problemId: _a, course: _b, status: _c, testDataVersion: oldVersion, ...same } = source
    const { problemId: copyId, course, status, testDataVersion, ...copySame } = copy
    expect(copySame).toEqual({ ...same, owner: teacher.username })
    expect([course, status]).toEqual([target.course, 1])
    expect(testDataVersion).not.toBe(oldVersion)
    expect((await target.student.get(`/problem/${copyId}`)).status).toBe(404)

    const bytesOf = async (id: number) => {
      const answer = await fetchApi('GET', `/problem/${id}/testcase`, { as: teacher })
      expect(answer.status).toBe(200)
      return new Uint8Array(await answer.arrayBuffer())
    }
    const original = await bytesOf(problemId)
    expect(await bytesOf(copyId)).toEqual(original)
    await uploadZip(teacher, problemId, { ...FITTING_ENTRIES, '0000.in': 'changed' })
    expect(await bytesOf(copyId)).toEqual(original)
    expect((await teacher.delete(`/problem/manage/${problemId}`)).status).toBe(200)
    expect(await bytesOf(copyId)).toEqual(original)

    await submit(teacher, copyId)
    const job = (await claim(await registerRunner())).data
    expect(job.tasks).toEqual(source.testCase)
    expect(job.compare).toEqual(source.compare)
    expect(job.testData.size).toBe(original.length)
  })

  test('copying takes staff of both courses and a course that is there', async () => {
    const { teacher, student, problemId } = await createProblem()
    const own = await createCourse()
    const copy = (as: Person, json: object) => as.post(`/problem/${problemId}/copy`, json)
    expect((await copy(student, { course: own.course })).status).toBe(403)
    expect((await copy(own.teacher, { course: own.course })).code).toBe('problem_not_found')
    expect((await copy(teacher, { course: own.course })).code).toBe('course_not_found')
    expect((await copy(teacher, { course: 'Public' })).status).toBe(403)
    expect(await copy(teacher, {})).toMatchObject({ status: 400, data: [{ path: ['course'] }] })
  })
})

/** Test data: the rules in brief. Long tests beside this file cover lost, concurrent and forged uploads. */
import { env } from 'cloudflare:workers'
import { describe, expect, test } from 'vitest'
import { COUNT_LIMITS, TEST_DATA_LIMITS } from '#contract/limits'
import { openDb } from '../../../worker/db/client.ts'
import { insertTestData } from '../../../worker/features/problems/test-data-queries.ts'
import { nowSeconds } from '../../../worker/lib/clock.ts'
import { newHexId } from '../../../worker/lib/ids.ts'
import {
  call,
  createCourse,
  createPerson,
  createProblem,
  fetchApi,
  FITTING_ENTRIES,
  problemForm,
  uploadZip,
  type Person,
} from '../support/world.ts'

/** Begins an upload whose parts have the smallest allowed size. */
async function begin(as: Person, problemId: number, length: number) {
  const json = { length, partSize: TEST_DATA_LIMITS.partBytesMin }
  return as.post(`/problem/${problemId}/initiate-test-case-upload`, json)
}

/** Sends a part of this many zero bytes. */
function sendPart(as: Person, url: string, bytes: number) {
  const body = new Uint8Array(bytes)
  const headers = { 'Content-Length': String(bytes) }
  return call('PUT', url.replace('/api', ''), { as, body, headers })
}

describe('an upload in parts', () => {
  test('of more than a zip may have is refused', async () => {
    const { teacher, problemId } = await createProblem()
    expect((await begin(teacher, problemId, TEST_DATA_LIMITS.zipBytes + 1)).code).toBe('too_large')
    const path = `/problem/${problemId}/initiate-test-case-upload`
    const { data } = await teacher.post(path, { length: TEST_DATA_LIMITS.zipBytes })
    const partSize = 8 * 1024 ** 2
    expect(data).toEqual({
      uploadId: data.uploadId,
      partSize,
      urls: Array.from(
        { length: TEST_DATA_LIMITS.zipBytes / partSize },
        (_, index) => `/api/problem/${problemId}/test-case-upload/${data.uploadId}/${index + 1}`,
      ),
    })
  })

  test('has the parts that were announced, each with its length', async () => {
    const { teacher, problemId } = await createProblem()
    const { urls } = (await begin(teacher, problemId, 10)).data
    const beyond = await sendPart(teacher, urls[0].replace(/1$/, '2'), 10)
    expect(beyond).toMatchObject({
      code: 'bad_part',
      data: [{ path: ['PartNumber'], message: 'There is no part 2.' }],
    })
    const path = urls[0].replace('/api', '')
    const { body } = new Response(new Uint8Array(10)) as { body: ReadableStream }
    const unmeasured = await call('PUT', path, {
      as: teacher,
      body: body.pipeThrough(new TransformStream()),
    })
    expect(unmeasured).toMatchObject({ status: 411, code: 'length_required' })
  })

  test('takes parts of the announced size, and ends with all of them and not before', async () => {
    const { teacher, problemId } = await createProblem()
    const { uploadId, urls } = (await begin(teacher, problemId, TEST_DATA_LIMITS.partBytesMin + 10))
      .data
    expect((await sendPart(teacher, urls[1], 9)).code).toBe('bad_part')
    expect((await sendPart(teacher, urls[1], 11)).code).toBe('bad_part')
    const parts = [
      (await sendPart(teacher, urls[0], TEST_DATA_LIMITS.partBytesMin)).data,
      (await sendPart(teacher, urls[1], 10)).data,
    ]
    const complete = (named: unknown[]) =>
      teacher.post(`/problem/${problemId}/complete-test-case-upload`, { uploadId, parts: named })
    expect((await complete(parts.slice(0, 1))).code).toBe('bad_part')
    expect((await complete(parts)).code).toBe('bad_zip')
  })

  test('belongs to its problem', async () => {
    const { teacher, problemId } = await createProblem()
    const other = await createProblem()
    const { urls } = (await begin(teacher, problemId, 10)).data
    const url = urls[0].replace(`/problem/${problemId}/`, `/problem/${other.problemId}/`)
    expect((await sendPart(other.teacher, url, 10)).code).toBe('upload_not_found')
    expect((await sendPart(teacher, urls[0], 10)).status).toBe(200)
  })
})

describe('a zip', () => {
  test('with an entry that is none, or of another number of cases, leaves the old one in force', async () => {
    const { teacher, problemId } = await createProblem()
    const active = async () => (await teacher.get(`/problem/${problemId}`)).data.testDataVersion
    const before = await active()
    const { '0101.in': _in, '0101.out': _out, ...fewer } = FITTING_ENTRIES
    for (const entries of [{ ...FITTING_ENTRIES, 'readme.txt': '' }, fewer])
      expect((await uploadZip(teacher, problemId, entries)).code).toBe('bad_zip')
    expect(await active()).toBe(before)
  })

  test('with many bad entries is refused by some of them, one that is too large for one call by its size', async () => {
    const { teacher, problemId } = await createProblem()
    const names = Array.from({ length: COUNT_LIMITS.fieldErrors + 5 }, (_, index) => `x${index}`)
    const bad = await uploadZip(
      teacher,
      problemId,
      Object.fromEntries(names.map((name) => [name, ''])),
    )
    expect(bad).toMatchObject({ code: 'bad_zip', data: { length: COUNT_LIMITS.fieldErrors } })
    const form = new FormData()
    const limit = TEST_DATA_LIMITS.singleRequestBytes
    form.set('case', new File([new Uint8Array(limit + 1)], 'data.zip'))
    const large = await call('PUT', `/problem/manage/${problemId}`, { as: teacher, body: form })
    expect(large).toMatchObject({ status: 413, code: 'too_large', data: { limit } })
  })

  test('that does not fit the subtasks as they are by now is kept but not in force', async () => {
    const { teacher, problemId } = await createProblem()
    const active = async () => (await teacher.get(`/problem/${problemId}`)).data.testDataVersion
    const before = await active()
    const { id: userId, username } = teacher
    const person = {
      displayedName: '',
      role: 1,
      email: '',
      emailConfirmedAt: 0,
      confirmDueAt: null,
      bio: '',
    } as const
    const change = { actor: { id: userId, username, ...person }, ip: '', now: nowSeconds() }
    const store = async (caseCounts: number[]) => {
      const id = newHexId(Date.now())
      const data = { id, problemId, objectKey: `test-data/${id}.zip`, sizeBytes: 1, caseCounts }
      await insertTestData(openDb(env.DB), data, { basedOn: null }, change)
      return id
    }
    await store([1, 3])
    expect(await active()).toBe(before)
    const fitting = await store([1, 2])
    expect(await active()).toBe(fitting)
  })
})

test('students neither change nor download a problem, nor does staff of another course', async () => {
  const { teacher, student, problemId } = await createProblem()
  const other = await createCourse()
  const path = `/problem/${problemId}`
  const manage = `/problem/manage/${problemId}`
  expect((await student.put(manage, problemForm())).code).toBe('forbidden')
  expect((await student.delete(manage)).code).toBe('forbidden')
  expect((await uploadZip(student, problemId, FITTING_ENTRIES)).code).toBe('forbidden')
  expect((await student.get(`${path}/testcase`)).code).toBe('test_data_not_found')
  expect((await begin(student, problemId, 10)).code).toBe('forbidden')
  expect((await other.teacher.get(`${path}/testcase`)).code).toBe('problem_not_found')
  const download = await fetchApi('GET', `${path}/testcase`, { as: teacher })
  expect(download.status).toBe(200)
  await download.arrayBuffer()
})

test('a problem is copied only into a course whose staff one is', async () => {
  const { teacher, problemId } = await createProblem()
  const other = await createCourse()
  const copy = (as: Person, course: string) => as.post(`/problem/${problemId}/copy`, { course })
  await other.teacher.patch(`/course/${other.course}/members`, {
    add: [{ user: teacher.username, role: 'student' }],
  })
  expect((await copy(teacher, other.course)).code).toBe('forbidden')
  expect((await copy(await createPerson(1), other.course)).code).toBe('problem_not_found')
})

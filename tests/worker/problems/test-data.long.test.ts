import { env } from 'cloudflare:workers'
import { describe, expect, test } from 'vitest'
import { TEST_DATA_LIMITS } from '#contract/limits'
import { hashNextTestData } from '../../../worker/features/problems/test-data.ts'
import { openDb } from '../../../worker/db/client.ts'
import { toHex } from '../../../worker/lib/ids.ts'
import { firstRow } from '../support/sql.ts'
import {
  call,
  createCourse,
  createProblem,
  fetchApi,
  FITTING_ENTRIES,
  problemForm,
  uploadZip,
  type Person,
} from '../support/world.ts'
import { zipOf } from '../support/zip.ts'

const PART_BYTES = TEST_DATA_LIMITS.partBytesMin

/** Text that deflate cannot compress. */
function noise(length: number): string {
  const bytes = new Uint8Array(length)
  for (let offset = 0; offset < length; offset += 65_536)
    crypto.getRandomValues(bytes.subarray(offset, Math.min(length, offset + 65_536)))
  return Buffer.from(bytes).toString('base64')
}

/** A problem with one subtask of one case, worth 100, and its zip. */
async function createSingleCaseProblem() {
  const world = await createCourse()
  const testCase = [{ caseCount: 1, taskScore: 100, memoryLimit: 65_536, timeLimit: 1000 }]
  const made = await world.teacher.post('/problem/manage', {
    course: world.course,
    ...problemForm({ testCase }),
  })
  return { ...world, problemId: Number(made.data.problemId) }
}

/** Starts an upload of these bytes and sends every part. */
async function sendParts(as: Person, problemId: number, bytes: Uint8Array<ArrayBuffer>) {
  const started = await as.post(`/problem/${problemId}/initiate-test-case-upload`, {
    length: bytes.length,
    partSize: PART_BYTES,
  })
  const parts = []
  for (const [index, url] of started.data.urls.entries()) {
    const body = bytes.slice(index * PART_BYTES, (index + 1) * PART_BYTES)
    const headers = { 'Content-Length': String(body.length) }
    const part = await call('PUT', url.replace('/api', ''), { as, body, headers })
    expect(part.message).toBe('OK')
    expect(part.headers.get('ETag')).toContain(part.data.ETag)
    parts.push(part.data)
  }
  return { uploadId: started.data.uploadId as string, urls: started.data.urls as string[], parts }
}

async function sha256(bytes: ArrayBuffer): Promise<string> {
  return toHex(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)))
}

describe('an upload in parts', () => {
  test('comes back byte for byte, with a part sent twice and parts named out of order [UP3] [UP7]', async () => {
    const { teacher, problemId } = await createSingleCaseProblem()
    const zip = await zipOf({ '0000.in': noise(9_000_000), '0000.out': '1' })
    const { uploadId, urls, parts } = await sendParts(teacher, problemId, zip)
    expect(parts.length).toBeGreaterThan(1)
    const again = await call('PUT', (urls[0] ?? '').replace('/api', ''), {
      as: teacher,
      body: zip.slice(0, PART_BYTES),
      headers: { 'Content-Length': String(PART_BYTES) },
    })
    const completed = await teacher.post(`/problem/${problemId}/complete-test-case-upload`, {
      uploadId,
      parts: [...parts.slice(1), again.data],
    })
    expect(completed).toMatchObject({ status: 201, data: { tasks: [{ caseCount: 1 }] } })
    const download = await fetchApi('GET', `/problem/${problemId}/testcase`, { as: teacher })
    expect(download.headers.get('Content-Disposition')).toContain('attachment')
    expect(await sha256(await download.arrayBuffer())).toBe(await sha256(zip.buffer))
    await hashNextTestData(env as never, openDb(env.DB))
    const row = await firstRow<{ sha256: string }>`
      select sha256 from test_data_versions where id = ${completed.data.testDataVersion}`
    expect(row?.sha256).toBe(await sha256(zip.buffer))
  })

  test('completed twice is answered the same, and is over once aborted [UP3]', async () => {
    const { teacher, problemId } = await createProblem()
    const first = await sendParts(teacher, problemId, await zipOf(FITTING_ENTRIES))
    const complete = (json: unknown) =>
      teacher.post(`/problem/${problemId}/complete-test-case-upload`, json)
    const { uploadId, parts } = first
    const completed = await complete({ uploadId, parts })
    expect(completed.status).toBe(201)
    const again = await complete({ uploadId, parts })
    expect([again.status, again.data]).toEqual([201, completed.data])
    const ended = `/problem/${problemId}/test-case-upload/${uploadId}`
    expect((await teacher.delete(ended)).code).toBe('upload_not_found')
    const other = await createProblem()
    const alien = `/problem/${other.problemId}/complete-test-case-upload`
    expect((await other.teacher.post(alien, { uploadId, parts })).code).toBe('upload_not_found')
    const second = await sendParts(teacher, problemId, await zipOf(FITTING_ENTRIES))
    const path = `/problem/${problemId}/test-case-upload/${second.uploadId}`
    expect((await teacher.delete(path)).status).toBe(200)
    expect((await complete({ uploadId: second.uploadId, parts: second.parts })).code).toBe(
      'upload_not_found',
    )
  })

  test('with a wrong ETag or a missing part is refused and can still be completed [UP3]', async () => {
    const { teacher, problemId } = await createProblem()
    const { uploadId, parts } = await sendParts(teacher, problemId, await zipOf(FITTING_ENTRIES))
    const complete = (json: unknown) =>
      teacher.post(`/problem/${problemId}/complete-test-case-upload`, json)
    expect((await complete({ uploadId, parts: [{ PartNumber: 1, ETag: 'wrong' }] })).code).toBe(
      'bad_part',
    )
    expect(
      (await complete({ uploadId, parts: [...parts, { PartNumber: 2, ETag: 'x' }] })).code,
    ).toBe('bad_part')
    expect((await complete({ uploadId, parts })).status).toBe(201)
  })

  test('more than 1 GiB, or parts of the wrong size, are refused', async () => {
    const { teacher, problemId } = await createProblem()
    const start = `/problem/${problemId}/initiate-test-case-upload`
    const huge = await teacher.post(start, { length: TEST_DATA_LIMITS.zipBytes + 1 })
    expect(huge.status).toBe(413)
    const { data } = await teacher.post(start, { length: 100 })
    const short = await call('PUT', data.urls[0].replace('/api', ''), {
      as: teacher,
      body: 'short',
      headers: { 'Content-Length': '5' },
    })
    expect(short).toMatchObject({
      status: 400,
      code: 'bad_part',
      data: [{ message: 'Part 1 must have 100 bytes.' }],
    })
  })
})

describe('a bad zip', () => {
  test('is refused with every bad entry, and the old data stay [UP1]', async () => {
    const { teacher, problemId } = await createProblem()
    const before = (await teacher.get(`/problem/${problemId}`)).data.testDataVersion
    const bad = await uploadZip(teacher, problemId, {
      '0000.in': '1',
      '0000.out': '1',
      '0100.in': '1',
      '../0101.in': '1',
      'readme.txt': '1',
      '0102.in': '1',
      '0102.out': '1',
    })
    expect(bad).toMatchObject({ status: 400, code: 'bad_zip' })
    const names = bad.data.map((error: { path: string[] }) => error.path[1])
    expect(names.toSorted()).toEqual([
      '../0101.in',
      '0100.out',
      '0101.in',
      '0101.out',
      'readme.txt',
    ])
    expect((await teacher.get(`/problem/${problemId}`)).data.testDataVersion).toBe(before)
    const listed = await env.BUCKET.list({ prefix: `test-data/${problemId}/` })
    expect(listed.objects).toHaveLength(1)
  })

  test('whose case counts differ from the form names the subtask', async () => {
    const { teacher, problemId } = await createProblem()
    const { '0101.in': _in, '0101.out': _out, ...short } = FITTING_ENTRIES
    const answer = await uploadZip(teacher, problemId, short)
    expect(answer.data).toMatchObject([
      { path: ['testCase', 1, 'caseCount'], params: { found: 1, wanted: 2 } },
    ])
  })

  test('that is no zip at all is refused in words', async () => {
    const { teacher, problemId } = await createProblem()
    const form = new FormData()
    form.set('case', new File(['not a zip'], 'data.zip'))
    const answer = await call('PUT', `/problem/manage/${problemId}`, { as: teacher, body: form })
    expect(answer).toMatchObject({ status: 400, code: 'bad_zip' })
    expect(answer.data[0].message).toMatch(/not a zip/)
  })
})

describe('who may', () => {
  test('staff download the same bytes as an attachment that no browser renders or keeps [UP7]', async () => {
    const { ta, problemId } = await createProblem()
    const zip = await zipOf(FITTING_ENTRIES)
    await uploadZip(ta, problemId, FITTING_ENTRIES)
    const answer = await fetchApi('GET', `/problem/${problemId}/testcase`, { as: ta })
    expect(answer.headers.get('Content-Disposition')).toBe(
      `attachment; filename="problem-${problemId}-test-data.zip"`,
    )
    expect(answer.headers.get('X-Content-Type-Options')).toBe('nosniff')
    expect(answer.headers.get('Cache-Control')).toBe('no-store')
    expect(answer.headers.get('Content-Type')).toBe('application/zip')
    expect((await answer.arrayBuffer()).byteLength).toBe(zip.byteLength)
  })

  test('staff are told that the storage has lost them', async () => {
    const { ta, problemId } = await createProblem()
    await uploadZip(ta, problemId, FITTING_ENTRIES)
    const { objects } = await env.BUCKET.list({ prefix: `test-data/${problemId}/` })
    await env.BUCKET.delete(objects.map(({ key }) => key))
    expect(await ta.get(`/problem/${problemId}/testcase`)).toMatchObject({
      status: 404,
      code: 'object_lost',
    })
  })

  test('to students there are no test data; they upload none, and outsiders see no problem [UP7]', async () => {
    const { student, teacher, problemId } = await createProblem()
    const { teacher: stranger } = await createCourse()
    const path = `/problem/${problemId}/testcase`
    expect((await student.get(path)).code).toBe('test_data_not_found')
    expect((await uploadZip(student, problemId, FITTING_ENTRIES)).status).toBe(403)
    expect((await stranger.get(path)).code).toBe('problem_not_found')
    expect((await uploadZip(stranger, problemId, FITTING_ENTRIES)).status).toBe(404)
    await teacher.put(
      `/problem/manage/${problemId}`,
      problemForm({
        testCase: [{ caseCount: 9, taskScore: 100, memoryLimit: 65_536, timeLimit: 1000 }],
      }),
    )
    expect((await teacher.get(path)).code).toBe('test_data_not_found')
  })
})

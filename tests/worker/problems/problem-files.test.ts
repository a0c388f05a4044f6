/** Images and PDFs of statements: who may add and see them, which types are allowed, and when they are deleted. */
import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { fileTypeOf, PROBLEM_FILES } from '#contract/problems/problem-files'
import { deleteOrphans } from '../../../worker/background/stored-objects.ts'
import { openDb } from '../../../worker/db/client.ts'
import { SWEEP } from '../../../worker/db/retention.ts'
import { adoptBucket } from '../../../worker/features/storage/installation.ts'
import { nowSeconds } from '../../../worker/lib/clock.ts'
import { NAME_LENGTH } from '../../../worker/http/files.ts'
import { runSql } from '../support/sql.ts'
import { workerEnv } from '../support/step-queue.ts'
import {
  call,
  createCourse,
  createProblem,
  fetchApi,
  problemForm,
  type Person,
} from '../support/world.ts'

const PNG = '\x89PNG\r\n\x1a\nbytes'

function bytesOf(latin1: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(latin1, (letter) => letter.charCodeAt(0))
}

/** Adds a file to a problem's statement. */
function add(as: Person, problemId: number, content = PNG, name = 'Graph [1].png') {
  const body = new FormData()
  body.set('file', new File([bytesOf(content)], name, { type: 'text/html' }))
  return call('POST', `/problem/${problemId}/file`, { as, body })
}

test.each([
  ['image/png', PNG],
  ['image/jpeg', '\xff\xd8\xff\xe0'],
  ['image/gif', 'GIF89a'],
  ['image/webp', 'RIFF\x01\x02\x03\x04WEBP'],
  ['application/pdf', '%PDF-1.7'],
  [undefined, '<svg xmlns="http://www.w3.org/2000/svg">'],
  [undefined, '<html>'],
  [undefined, 'RIFF\x01\x02\x03\x04WAVE'],
  [undefined, ' %PDF-1.7'],
  [undefined, ''],
])('%s is told by the bytes alone [BR4]', async (type, content) => {
  expect(fileTypeOf(bytesOf(content))).toBe(type)
  const { teacher, problemId } = await createProblem()
  const added = await add(teacher, problemId, content, 'x.png')
  if (type === undefined) expect(added).toMatchObject({ status: 400, code: 'bad_file' })
  else expect(added.data).toMatchObject({ name: 'x.png', type, size: content.length })
})

test('staff add a file, who sees the problem sees it, with headers that let nothing run [BR4]', async () => {
  const { ta, student, problemId } = await createProblem()
  const { student: stranger } = await createCourse()
  expect((await add(student, problemId)).status).toBe(403)
  expect((await add(stranger, problemId)).status).toBe(404)
  const { fileId, ...file } = (await add(ta, problemId)).data
  expect(file).toEqual({ name: 'Graph  1 .png', type: 'image/png', size: PNG.length })
  expect((await student.get(`/problem/${problemId}`)).data.files).toEqual([{ fileId, ...file }])
  const shown = await fetchApi('GET', `/file/${fileId}`, { as: student })
  expect(new Uint8Array(await shown.arrayBuffer())).toEqual(bytesOf(PNG))
  expect(Object.fromEntries(shown.headers)).toMatchObject({
    'content-type': 'image/png',
    'content-disposition': "inline; filename*=UTF-8''Graph%20%201%20.png",
    'cache-control': 'private, no-cache',
    'x-content-type-options': 'nosniff',
    'cross-origin-resource-policy': 'same-site',
  })
  const pdf = (await add(ta, problemId, '%PDF-1.7', '題目 (1).pdf')).data
  await env.BUCKET.delete(`files/${fileId}`)
  expect(await student.get(`/file/${fileId}`)).toMatchObject({ status: 404, code: 'object_lost' })
  const saved = await fetchApi('GET', `/file/${pdf.fileId}`, { as: student })
  expect(saved.headers.get('Content-Disposition')).toBe(
    `attachment; filename*=UTF-8''${encodeURIComponent('題目')}%20%281%29.pdf`,
  )
  await saved.body?.cancel()
  // The limit falls inside a letter of two code units.
  const cut = (await add(ta, problemId, PNG, `${'a'.repeat(NAME_LENGTH - 1)}😀.png`)).data
  expect(cut.name).toHaveLength(NAME_LENGTH)
  expect((await fetchApi('GET', `/file/${cut.fileId}`, { as: ta })).status).toBe(200)
  expect(await stranger.get(`/file/${fileId}`)).toMatchObject({
    status: 404,
    code: 'file_not_found',
  })
  expect((await call('GET', `/file/${fileId}`)).status).toBe(401)
  await ta.put(`/problem/manage/${problemId}`, problemForm({ status: 1 }))
  expect((await student.get(`/file/${fileId}`)).code).toBe('file_not_found')
  expect((await student.delete(`/problem/${problemId}/file/${fileId}`)).status).toBe(404)
})

test('a browser asks for a file again each time, which costs no bytes while the right is there', async () => {
  const { student, teacher, ta, problemId } = await createProblem()
  const { fileId } = (await add(teacher, problemId)).data
  const shown = await fetchApi('GET', `/file/${fileId}`, { as: student })
  await shown.body?.cancel()
  const headers = { 'If-None-Match': shown.headers.get('ETag') ?? '' }
  const again = await fetchApi('GET', `/file/${fileId}`, { as: student, headers })
  expect(again.status).toBe(304)
  expect(again.headers.get('Cache-Control')).toBe('private, no-cache')
  expect(await again.text()).toBe('')
  await ta.put(`/problem/manage/${problemId}`, problemForm({ status: 1 }))
  expect((await call('GET', `/file/${fileId}`, { as: student, headers })).status).toBe(404)
})

test('a file that the stored statement shows stays', async () => {
  const { teacher, problemId } = await createProblem()
  const { fileId } = (await add(teacher, problemId)).data
  const hint = `![A graph](/api/file/${fileId})`
  await runSql`update problems set description = json_set(description, '$.hint', ${hint}) where id = ${problemId}`
  const refused = await teacher.delete(`/problem/${problemId}/file/${fileId}`)
  expect(refused).toMatchObject({ status: 409, code: 'file_shown' })
})

test('a statement takes so many files and bytes, and none once it is gone', async () => {
  const { teacher, problemId } = await createProblem()
  const large = await add(teacher, problemId, PNG + ' '.repeat(PROBLEM_FILES.imageBytes))
  expect(large).toMatchObject({ status: 413, data: { limit: PROBLEM_FILES.imageBytes } })
  const { fileId } = (await add(teacher, problemId)).data
  const left = PROBLEM_FILES.totalBytes - PNG.length
  await runSql`update problem_files set size_bytes = ${left} where file_id = ${fileId}`
  const { fileId: last } = (await add(teacher, problemId)).data
  expect(await add(teacher, problemId)).toMatchObject({ status: 409, code: 'too_many_files' })
  await runSql`update problem_files set size_bytes = 1 where file_id = ${fileId}`
  for (let index = 2; index < PROBLEM_FILES.perProblem; index += 1)
    await runSql`insert into problem_files (problem_id, file_id, name, type, size_bytes, created_at)
      values (${problemId}, ${`${index}`.padStart(24, '0')}, 'x', 'image/png', 1, 1)`
  expect((await add(teacher, problemId)).code).toBe('too_many_files')
  expect((await teacher.delete(`/problem/${problemId}/file/${last}`)).status).toBe(200)
  expect((await teacher.delete(`/problem/${problemId}/file/${last}`)).code).toBe('file_not_found')
  expect((await add(teacher, problemId)).status).toBe(201)
  expect((await env.BUCKET.list({ prefix: 'files/' })).objects.map(({ key }) => key)).toContain(
    `files/${fileId}`,
  )
})

test('a copy keeps the files by the same address; the bytes go a week after the last problem that has them', async () => {
  const { course, teacher, student, problemId } = await createProblem()
  const other = await createCourse()
  await runSql`update courses set teacher_id = ${teacher.id} where name = ${other.course}`
  const { fileId } = (await add(teacher, problemId)).data
  const copy = await teacher.post(`/problem/${problemId}/copy`, { course: other.course })
  await teacher.put(`/problem/manage/${copy.data.problemId}`, problemForm({ status: 0 }))
  const seen = async (as: Person) => {
    const answer = await fetchApi('GET', `/file/${fileId}`, { as })
    await answer.body?.cancel()
    return answer.status
  }
  expect(await seen(other.student)).toBe(200)
  await teacher.delete(`/problem/manage/${problemId}`)
  expect(await seen(student)).toBe(404)
  expect(await seen(other.student)).toBe(200)

  const db = openDb(env.DB)
  await adoptBucket(workerEnv, db)
  const later = nowSeconds() + 2 * SWEEP.orphanSeconds
  const sweepAt = async (now: number) => {
    await deleteOrphans(workerEnv, db, now)
    return (await env.BUCKET.head(`files/${fileId}`)) !== null
  }
  expect(await sweepAt(later)).toBe(true)
  expect(await sweepAt(later + SWEEP.markedSeconds)).toBe(true)
  await teacher.delete(`/problem/manage/${copy.data.problemId}`)
  await runSql`update installation set confirmed_at = ${later + SWEEP.markedSeconds}`
  expect(await sweepAt(later + SWEEP.markedSeconds + SWEEP.restSeconds)).toBe(true)
  await runSql`update installation set confirmed_at = ${later + 2 * SWEEP.markedSeconds}`
  expect(await sweepAt(later + 2 * SWEEP.markedSeconds + SWEEP.restSeconds)).toBe(false)
  expect((await teacher.get(`/course/${course}`)).status).toBe(200)
})

/** A whole course as a zip. */
import { env } from 'cloudflare:workers'
import { expect, test, vi } from 'vitest'
import { readZipDirectory, type ReadRange } from '../../../worker/lib/zip-directory.ts'
import { readEntryStart } from '../../../worker/lib/zip-entry.ts'
import type { ZipEntry } from '../../../worker/lib/zip-record.ts'
import { createDatedHomework, HOUR } from '../support/dated-homework.ts'
import { download, filesOf, handInScored, packAll } from '../support/archive.ts'
import { packOf } from '../support/packs.ts'
import { firstValue, numbersBelow, runSql } from '../support/sql.ts'
import {
  addStudents,
  call,
  createPerson,
  fetchApi,
  FITTING_ENTRIES,
  problemForm,
  submit,
  uploadZip,
  type Person,
} from '../support/world.ts'

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

/** A course with a homework, an announcement, a file, and a submission in each language. */
async function createTerm() {
  const world = await createDatedHomework({ name: 'Week 1: lists?' })
  const { course, teacher, student, problemId, now } = world
  await teacher.post('/ann', {
    courseName: course,
    title: 'Welcome / 歡迎',
    markdown: '# Hello',
    pinned: false,
  })
  const form = new FormData()
  form.set('file', new File([PNG], 'picture.png'))
  const file = await call('POST', `/problem/${problemId}/file`, { as: teacher, body: form })
  const first = await handInScored(student, problemId, { score: 60, at: now - 2 * HOUR })
  const second = await submit(student, problemId, 'print("程式")', 2)
  return {
    ...world,
    first,
    second,
    fileId: String(file.data.fileId),
    path: `/course/${course}/archive`,
  }
}

const namesOf = (files: Record<string, string>) => Object.keys(files).toSorted()

test('staff take home statements, test data, programs and marks', async () => {
  const { teacher, ta, student, course, problemId, first, second, fileId, path, homeworkId } =
    await createTerm()
  const { headers, files } = await download(ta, path)
  const folder = `problems/${problemId} A plus B`
  const programs = `programs/${problemId}/${student.username}`
  expect(namesOf(files)).toEqual(
    [
      'README.txt',
      'announcements/01 Welcome _ 歡迎.md',
      'course.json',
      'gradebook.csv',
      'homeworks/01 Week 1_ lists_/marks.csv',
      `${folder}/files/${fileId} picture.png`,
      `${folder}/problem.json`,
      `${folder}/statement.md`,
      `${folder}/test-data.zip`,
      `${programs}/${first}.c`,
      `${programs}/${second}.py`,
      'submissions.csv',
    ].toSorted(),
  )
  expect(headers.get('Content-Disposition')).toContain(encodeURIComponent(course))
  expect(JSON.parse(files['course.json'] ?? '')).toMatchObject({
    course,
    teacher: { username: teacher.username },
    students: [{ username: student.username }],
    budgets: [],
    homeworks: [{ id: homeworkId, problemIds: [problemId], points: [100] }],
  })
  expect(files['course.json']).not.toContain('@')
  expect(files[`${programs}/${second}.py`]).toBe('print("程式")')
  expect(files['announcements/01 Welcome _ 歡迎.md']).toBe('# Hello')
  expect(files[`${folder}/statement.md`]).toBe('# A plus B\n\nAdd two numbers.')
  expect(JSON.parse(files[`${folder}/problem.json`] ?? '')).toMatchObject({
    id: problemId,
    name: 'A plus B',
    description: { sampleInput: ['1 2'] },
    testCase: [{ caseCount: 1 }, { taskScore: 100 }],
    files: [{ fileId, name: 'picture.png' }],
  })
  expect(files['homeworks/01 Week 1_ lists_/marks.csv']).toContain(
    `${student.username},The ${student.username},60,,60`,
  )
  expect(files['gradebook.csv']).toMatch(
    /^\u{feff}username,displayed name,labels,Week 1: lists\? \(\d+\) \[100\]\r\n/u,
  )
  expect(files['gradebook.csv']).toContain(`${student.username},The ${student.username},,`)
  const [head, ...lines] = (files['submissions.csv'] ?? '').trimEnd().split('\r\n')
  expect(head).toBe('\u{feff}id,username,problemId,languageType,status,score,time')
  expect(lines).toEqual([
    expect.stringContaining(`${first},${student.username},${problemId},0,1,60,`),
    expect.stringContaining(`${second},${student.username},${problemId},2,-1,0,`),
  ])
})

test('test data and files are the bytes that were uploaded', async () => {
  const { ta, problemId, fileId, path } = await createTerm()
  const answer = await fetchApi('GET', path, { as: ta })
  const raw = await filesOf(new Uint8Array(await answer.arrayBuffer()), 'latin1')
  const folder = `problems/${problemId} A plus B`
  expect(Buffer.from(raw[`${folder}/files/${fileId} picture.png`] ?? '', 'latin1')).toEqual(PNG)
  const testData = Buffer.from(raw[`${folder}/test-data.zip`] ?? '', 'latin1')
  expect(await filesOf(new Uint8Array(testData))).toEqual(FITTING_ENTRIES)
})

test('all programs of a language in a pack are read at once', async () => {
  const { ta, student, problemId, first, second, path } = await createTerm()
  const third = await submit(student, problemId, '// third')
  await runSql`update submissions set status = 0 where status = -1`
  await packAll()
  expect(await packOf(first)).toMatch(/^packs/)
  const get = vi.spyOn(env.BUCKET, 'get')
  const { files } = await download(ta, path)
  const reads = get.mock.calls.filter(([key]) => key.startsWith('packs/'))
  get.mockRestore()
  const programs = `programs/${problemId}/${student.username}`
  expect(files[`${programs}/${first}.c`]).toBe('int main(){}')
  expect(files[`${programs}/${second}.py`]).toBe('print("程式")')
  expect(files[`${programs}/${third}.c`]).toBe('// third')
  expect(reads).toHaveLength(2)
})

test('what the bucket has lost is named, and the rest is there', async () => {
  const { ta, student, problemId, first, second, fileId, path } = await createTerm()
  await env.BUCKET.delete(`files/${fileId}`)
  const key =
    await firstValue<string>`select object_key from test_data_versions where problem_id = ${problemId}`
  await env.BUCKET.delete(key ?? '')
  await runSql`delete from submission_sources where submission_id = ${second}`
  const { files } = await download(ta, path)
  const folder = `problems/${problemId} A plus B`
  expect(files['LOST.txt']?.trim().split('\n')).toEqual([
    `${folder}/files/${fileId} picture.png`,
    `${folder}/test-data.zip`,
    `programs/${problemId}/${student.username}/${second}.py`,
  ])
  expect(files[`programs/${problemId}/${student.username}/${first}.c`]).toBe('int main(){}')
})

test('deleted problems, their submissions and other courses are left out', async () => {
  const { teacher, student, course, path, ...term } = await createTerm()
  const other = await createTerm()
  const made = await teacher.post('/problem/manage', {
    course,
    ...problemForm({ problemName: 'Gone' }),
  })
  const gone = Number(made.data.problemId)
  await uploadZip(teacher, gone, FITTING_ENTRIES)
  const submitted = await submit(student, gone)
  await runSql`update problems set deleted_at = 1 where id = ${gone}`
  await runSql`update announcements set deleted_at = 1 where title like 'Welcome%'`
  const { files } = await download(teacher, path)
  const all = namesOf(files).join('\n') + files['submissions.csv']
  expect(all).not.toContain('Gone')
  expect(all).not.toContain(submitted)
  expect(all).not.toContain('announcements')
  expect(all).not.toContain(other.first)
  expect(all).toContain(term.first)
})

test('a course of many pages comes whole', async () => {
  const { ta, course, problemId, path, ...term } = await createTerm()
  const [other] = (await addStudents({ ...term, course }, 1)) as [Person]
  await runSql`insert into submissions (id, problem_id, course_id, user_id, language_type, status, quota_used, ip, created_at, accepted_at)
    select printf('%012x%012x', s.created_at * 1000, value), s.problem_id, s.course_id, ${other.id}, 1, 0, 0, '', s.created_at, s.created_at
    from submissions s, json_each(${numbersBelow(2001)}) where s.id = ${term.first}`
  await runSql`insert into submission_sources select id, cast('// ' || id as blob) from submissions where user_id = ${other.id}`
  const answer = await fetchApi('GET', path, { as: ta })
  const zip = new Uint8Array(await answer.arrayBuffer())
  const read: ReadRange = async (offset, length) => zip.subarray(offset, offset + length)
  const { entries, dataEnd } = await readZipDirectory(read, zip.length)
  const textOf = async (entry: ZipEntry) =>
    Buffer.from(await readEntryStart(read, entry, dataEnd, 1_000_000)).toString()
  const folder = `programs/${problemId}/${other.username}/`
  const own = entries.filter(({ name }) => name.startsWith(folder))
  const texts = await Promise.all(own.map(textOf))
  expect(own).toHaveLength(2_001)
  expect(own.map(({ name }) => name)).toEqual(
    texts.map((text) => `${folder}${text.slice('// '.length)}.cpp`),
  )
  const list = entries.find(({ name }) => name === 'submissions.csv')
  const lines = (list && (await textOf(list)))?.trimEnd().split('\r\n')
  expect(lines).toHaveLength(1 + 2_001 + 2)
})

test('students and strangers get no archive', async () => {
  const { student, path } = await createTerm()
  const stranger = await createPerson(1)
  expect((await fetchApi('GET', path, { as: student })).status).toBe(403)
  expect((await fetchApi('GET', path, { as: stranger })).status).toBe(404)
})

/** A problem's whole answers, without anything of the problem beside it; and changes that leave neighbours unchanged. */
import { env } from 'cloudflare:workers'
import { beforeEach, expect, test } from 'vitest'
import { PROBLEM_FILES } from '#contract/problems/problem-files'
import { nowSeconds } from '../../../worker/lib/clock.ts'
import { emptyQueue, judgeAll } from '../support/judge.ts'
import { allRows, firstRow, firstValue, runSql } from '../support/sql.ts'
import {
  addMember,
  addStudents,
  call,
  createCourse,
  createProblem,
  FITTING_ENTRIES,
  problemForm,
  registerRunner,
  submit,
  uploadZip,
  type Person,
} from '../support/world.ts'

beforeEach(emptyQueue)

const limits = { memoryLimit: 65_536, timeLimit: 1_000, outputLimit: 100 }

/** A form that fills in every field. */
const FULL = {
  problemName: 'Sum',
  tags: ['math', 'easy'],
  quota: 5,
  allowedLanguage: 3,
  description: {
    description: '# Add',
    input: 'two',
    output: 'one',
    hint: 'plus',
    sampleInput: ['1 2'],
    sampleOutput: ['3'],
  },
  testCase: [
    { ...limits, caseCount: 1, taskScore: 0, sample: true },
    {
      caseCount: 2,
      taskScore: 100,
      sample: false,
      memoryLimit: 70_000,
      timeLimit: 2_000,
      outputLimit: 200,
    },
  ],
  compare: { mode: 'checker', language: 'py3', source: 'print()' },
}

/** Adds a problem to a course, with test data by default. */
async function addProblem(
  { course, teacher }: { course: string; teacher: Person },
  changes: object = {},
  hasTestData = true,
): Promise<number> {
  const made = await teacher.post('/problem/manage', { course, ...problemForm({ ...changes }) })
  const problemId = Number(made.data.problemId)
  if (hasTestData) await uploadZip(teacher, problemId, FITTING_ENTRIES)
  return problemId
}

/** Adds a file to a problem's statement. */
function addFile(as: Person, problemId: number, content = '%PDF-1.7', bytes = 0) {
  const body = new FormData()
  body.set('file', new File([content, new Uint8Array(bytes)], 'graph.pdf'))
  return call('POST', `/problem/${problemId}/file`, { as, body })
}

const readManaged = async (as: Person, problemId: number) =>
  (await as.get(`/problem/manage/${problemId}`)).data

test('a problem and its line in the list have each field, of this problem and this reader alone', async () => {
  const world = await createProblem({ ...FULL, tags: ['math', 'easy', 'math'] })
  const { course, teacher, student, problemId: first } = world
  const [classmate] = await addStudents(world, 1)
  if (!classmate) throw new Error('there is no classmate')
  const second = await addProblem(world, { problemName: 'Other', tags: ['other'], quota: 9 })
  const elsewhere = await createProblem()
  const third = await addProblem(world, { problemName: 'Third', allowedLanguage: 4 }, false)
  await addMember(elsewhere, student)
  const token = await registerRunner()
  const yesterday = await submit(student, first)
  await runSql`update submissions set accepted_at = accepted_at - 86400 where id = ${yesterday}`
  await submit(student, first)
  await judgeAll(token)
  await submit(student, first)
  await submit(student, second)
  await submit(classmate, first)
  await submit(student, elsewhere.problemId)
  const { fileId } = (await addFile(teacher, first)).data
  await addFile(teacher, second)

  const version = await firstRow<{
    id: string
  }>`select test_data_version as id from problems where id = ${first}`
  const item = {
    problemId: first,
    problemName: 'Sum',
    course,
    status: 0,
    type: 0,
    tags: ['math', 'easy'],
    quota: 5,
    ownQuota: 5,
    quotaUsed: 2,
    allowedLanguage: 3,
    submitCount: 3,
    highScore: 100,
    solved: true,
    hasTestData: true,
  }
  const untried = { quotaUsed: 0, submitCount: 0, highScore: null, solved: false }
  const others = [
    {
      ...item,
      ...untried,
      problemId: second,
      problemName: 'Other',
      tags: ['other'],
      quota: 9,
      ownQuota: 9,
      quotaUsed: 1,
      allowedLanguage: 7,
      submitCount: 1,
    },
    {
      ...item,
      ...untried,
      problemId: third,
      problemName: 'Third',
      tags: [],
      quota: -1,
      ownQuota: -1,
      allowedLanguage: 4,
      hasTestData: false,
    },
  ]
  const managed = {
    ...item,
    owner: teacher.username,
    description: FULL.description,
    testCase: FULL.testCase,
    compare: FULL.compare,
    files: [{ fileId, name: 'graph.pdf', type: 'application/pdf', size: 8 }],
    testDataVersion: version?.id,
    quotaResetAt: (Math.floor(nowSeconds() / 86_400) + 1) * 86_400,
    hasJudgeHost: true,
    homeworks: [],
    neighbours: { previous: null, next: { problemId: second, problemName: 'Other' } },
    canManage: false,
  }
  expect((await student.get(`/problem/${first}`)).data).toEqual({
    ...managed,
    compare: { mode: 'checker' },
  })
  const list = async (query: string, as = student) =>
    (await as.get(`/problem?course=${course}${query}`)).data
  expect(await list('')).toEqual({ items: [item, ...others], next: null })
  for (const [query, found] of [
    ['&name=sU', [item]],
    ['&name=O', [others[0]]],
    ['&tags=math', [item]],
    ['&tags=math, easy,', [item]],
    ['&tags=other', [others[0]]],
    ['&tags=math,other', []],
    ['&name=Sum&tags=other', []],
  ] as const)
    expect((await list(query)).items, query).toEqual(found)
  expect(await readManaged(teacher, first)).toEqual({ ...managed, ...untried, canManage: true })
  const seen = (await student.get(`/problem?course=${elsewhere.course}`)).data.items
  expect(seen.map(({ problemId }: { problemId: number }) => problemId)).toEqual([
    elsewhere.problemId,
  ])
  // A member of both courses moves from problem to problem within one course.
  const neighboursOf = async (id: number) => (await student.get(`/problem/${id}`)).data.neighbours
  expect([await neighboursOf(second), await neighboursOf(third)]).toEqual([
    {
      previous: { problemId: first, problemName: 'Sum' },
      next: { problemId: third, problemName: 'Third' },
    },
    { previous: { problemId: second, problemName: 'Other' }, next: null },
  ])
})

test('an edit stores all that its form says, and changes its problem alone', async () => {
  const world = await createProblem()
  const { teacher, problemId } = world
  const first = (await readManaged(teacher, problemId)).testDataVersion
  await uploadZip(teacher, problemId, { ...FITTING_ENTRIES, '0000.in': 'newer' })
  const newer = (await readManaged(teacher, problemId)).testDataVersion
  expect(newer).not.toBe(first)
  const neighbour = await addProblem(world, { ...FULL, status: 1 })
  await addFile(teacher, neighbour)
  const before = await readManaged(teacher, neighbour)
  const path = `/problem/manage/${problemId}`

  const one = { ...limits, caseCount: 3, taskScore: 100, sample: false }
  const form = { ...FULL, status: 1, testCase: [one], compare: { mode: 'float', absolute: 0.5 } }
  expect((await teacher.put(path, { ...form, tags: ['a', 'b', 'a'] })).status).toBe(200)
  expect(await readManaged(teacher, problemId)).toMatchObject({
    ...form,
    tags: ['a', 'b'],
    testDataVersion: null,
    hasTestData: false,
  })
  expect(await readManaged(teacher, neighbour)).toEqual({
    ...before,
    neighbours: { previous: { problemId, problemName: 'Sum' }, next: null },
  })
  // After a change back, the newest fitting test data of the problem itself count, although the neighbour has newer ones.
  expect((await teacher.put(path, problemForm())).status).toBe(200)
  expect((await readManaged(teacher, problemId)).testDataVersion).toBe(newer)
  const rows =
    await allRows`select test_data_version as version from problems where id = ${neighbour}`
  expect(rows).toEqual([{ version: before.testDataVersion }])
})

test('marks that wait for test data of one problem do not come with those of another', async () => {
  const world = await createProblem()
  const { teacher, problemId } = world
  const neighbour = await addProblem(world)
  const form = await readManaged(teacher, problemId)
  const [sample, scored] = form.testCase
  // A submission to the neighbour does not make this problem's tests visible.
  await submit(world.student, neighbour)
  const second = { ...scored, taskScore: 0, sample: true }
  const marked = { ...form, testCase: [sample, second, scored] }
  expect((await teacher.put(`/problem/manage/${problemId}`, marked)).status).toBe(200)
  expect((await teacher.put(`/problem/manage/${problemId}`, form)).status).toBe(200)
  const testCase = [sample, { ...scored, sample: true }]
  const waiting = { ...form, testCase, awaitsTestData: true, revealTests: true }
  expect((await teacher.put(`/problem/manage/${problemId}`, waiting)).status).toBe(200)
  await uploadZip(teacher, neighbour, FITTING_ENTRIES)
  const marks = async () =>
    (await readManaged(teacher, problemId)).testCase.map((each: { sample: boolean }) => each.sample)
  expect(await marks()).toEqual([true, false])
  await uploadZip(teacher, problemId, FITTING_ENTRIES)
  expect(await marks()).toEqual([true, true])
})

test('a problem is deleted alone: files and questions of others stay', async () => {
  const world = await createProblem()
  const { teacher, student, problemId } = world
  const neighbour = await addProblem(world)
  const ask = async (id: number) =>
    (await student.post(`/problem/${id}/questions`, { markdown: 'Why?' })).data.questionId
  const asked = [await ask(problemId), await ask(problemId), await ask(neighbour)]
  await teacher.patch(`/question/${asked[1]}`, { state: 'resolved' })
  for (const id of [problemId, neighbour]) await addFile(teacher, id)
  const questions = () => allRows`select id, state, version from questions
    where id in (select value from json_each(${JSON.stringify(asked)}))`
  const before = await questions()
  expect((await teacher.delete(`/problem/manage/${problemId}`)).status).toBe(200)
  expect(await questions()).toEqual(
    before.map((row) =>
      row['id'] === asked[0]
        ? { ...row, state: 'resolved', version: Number(row['version']) + 1 }
        : row,
    ),
  )
  const files = await allRows`select problem_id as id from problem_files
    where problem_id in (${problemId}, ${neighbour})`
  expect(files).toEqual([{ id: neighbour }])
  expect((await student.get(`/problem/${neighbour}`)).status).toBe(200)
})

test('a copy has the comparison, the hash and the files of its problem, and no others', async () => {
  const world = await createProblem(FULL)
  const { course, teacher, problemId } = world
  const neighbour = await addProblem(world)
  for (const id of [problemId, neighbour, problemId]) await addFile(teacher, id)
  const hash = () =>
    firstValue`select sha256 from test_data_versions where problem_id = ${problemId}`
  await expect.poll(hash).not.toBeNull()
  const { data } = await teacher.post(`/problem/${problemId}/copy`, { course })
  const [source, copy] = [
    await readManaged(teacher, problemId),
    await readManaged(teacher, data.problemId),
  ]
  expect(copy).toMatchObject({ compare: FULL.compare, testCase: FULL.testCase, status: 1 })
  expect(source.files).toHaveLength(2)
  expect(copy.files).toEqual(source.files)
  const ids = source.files.map((file: { fileId: string }) => file.fileId)
  expect(ids).toEqual(ids.toSorted())
  const versionOf = (id: number) => firstRow`select object_key, size_bytes, sha256, case_counts
    from test_data_versions where problem_id = ${id}`
  expect(await versionOf(data.problemId)).toEqual(await versionOf(problemId))
})

test('a file is taken from one problem alone, and only its own statement keeps it there', async () => {
  const { course, teacher, student, problemId } = await createProblem()
  const { fileId } = (await addFile(teacher, problemId)).data
  const copy = (await teacher.post(`/problem/${problemId}/copy`, { course })).data.problemId
  const description = { description: `[The file](/api/file/${fileId})` }
  await teacher.put(`/problem/manage/${problemId}`, problemForm({ description }))
  const remove = (id: number) => teacher.delete(`/problem/${id}/file/${fileId}`)
  expect((await remove(problemId)).code).toBe('file_shown')
  expect((await remove(copy)).status).toBe(200)
  expect((await remove(copy)).code).toBe('file_not_found')
  expect((await student.get(`/problem/${problemId}`)).data.files).toMatchObject([{ fileId }])
})

test('a file may be as large as its kind, and one that has no room leaves no object', async () => {
  const { teacher, problemId } = await createProblem()
  const { imageBytes } = PROBLEM_FILES
  expect((await addFile(teacher, problemId, 'GIF89a', imageBytes - 6)).status).toBe(201)
  expect(await addFile(teacher, problemId, 'GIF89a', imageBytes - 5)).toMatchObject({
    code: 'too_large',
    data: { limit: imageBytes },
  })
  expect((await addFile(teacher, problemId, '%PDF-1.7', imageBytes)).status).toBe(201)
  const objects = async () => (await env.BUCKET.list({ prefix: 'files/' })).objects.length
  const before = await objects()
  await runSql`update problem_files set size_bytes = ${PROBLEM_FILES.totalBytes} where problem_id = ${problemId}`
  expect(await addFile(teacher, problemId)).toMatchObject({
    status: 409,
    code: 'too_many_files',
    data: PROBLEM_FILES,
  })
  expect(await objects()).toBe(before)
})

test('the log says of each change of a problem what it was', async () => {
  const { course, teacher, problemId } = await createProblem()
  const target = await createCourse()
  await addMember(target, teacher, 'ta')
  const { fileId } = (await addFile(teacher, problemId)).data
  await teacher.delete(`/problem/${problemId}/file/${fileId}`)
  await teacher.delete(`/problem/${problemId}/file/${fileId}`)
  await teacher.put(`/problem/manage/${problemId}`, problemForm())
  const { testDataVersion: version } = await readManaged(teacher, problemId)
  await teacher.post(`/problem/${problemId}/copy`, { course: target.course })
  await teacher.delete(`/problem/manage/${problemId}`)
  const sizeBytes = await firstRow<{ n: number }>`select size_bytes as n from test_data_versions
    where id = ${version}`
  const entries = await allRows<{ action: string; subject: string; detail: string }>`
    select action, subject, detail from audit_entries
    where actor_id = ${teacher.id} and action like 'problem.%' order by id`
  const subject = String(problemId)
  expect(entries.map(({ detail, ...entry }) => ({ ...entry, detail: JSON.parse(detail) }))).toEqual(
    [
      { action: 'problem.create', subject: 'A plus B', detail: { course } },
      { action: 'problem.test_data', subject, detail: { version, sizeBytes: sizeBytes?.n } },
      { action: 'problem.file', subject, detail: { name: 'graph.pdf', sizeBytes: 8 } },
      { action: 'problem.file_delete', subject, detail: { file: fileId } },
      { action: 'problem.edit', subject, detail: { course } },
      { action: 'problem.copy', subject, detail: { from: course, to: target.course } },
      { action: 'problem.delete', subject, detail: { course } },
    ],
  )
})

test('of a deleted course there are neither problems nor files, nor anything to do with them', async () => {
  const { course, teacher, student, problemId } = await createProblem()
  const other = await createCourse()
  await addMember(other, teacher, 'ta')
  const id = await submit(student, problemId)
  const { fileId } = (await addFile(teacher, problemId)).data
  expect((await teacher.delete('/course', { course })).status).toBe(200)
  const run = { languageType: 0, code: 'int main(){}' }
  for (const [answer, code] of [
    [await student.get(`/problem/${problemId}`), 'problem_not_found'],
    [await teacher.get(`/problem/manage/${problemId}`), 'problem_not_found'],
    [await teacher.put(`/problem/manage/${problemId}`, problemForm()), 'problem_not_found'],
    [await teacher.delete(`/problem/manage/${problemId}`), 'problem_not_found'],
    [await teacher.get(`/problem/${problemId}/stats`), 'problem_not_found'],
    [await teacher.get(`/problem/${problemId}/testcase`), 'problem_not_found'],
    [
      await teacher.post(`/problem/${problemId}/copy`, { course: other.course }),
      'problem_not_found',
    ],
    [await student.post(`/problem/${problemId}/run`, run), 'problem_not_found'],
    [await teacher.post(`/problem/${problemId}/rejudge`, {}), 'problem_not_found'],
    [await student.get(`/file/${fileId}`), 'file_not_found'],
    [await student.get(`/submission/${id}`), 'submission_not_found'],
    [await teacher.post(`/submission/${id}/rejudge`), 'submission_not_found'],
    [await student.get(`/submission/${id}/output/0/0`), 'submission_not_found'],
    [await teacher.get(`/problem?course=${course}`), 'course_not_found'],
    [await teacher.get(`/submission?course=${course}`), 'course_not_found'],
  ] as const)
    expect([answer.status, answer.code]).toEqual([404, code])
})

import { env } from 'cloudflare:workers'
import { describe, expect, test } from 'vitest'
import { TEST_DATA_LIMITS } from '#contract/limits'
import { BadZip } from '../../../worker/lib/zip-record.ts'
import { hostileZip, readCounted } from '../support/hostile-zips.ts'
import { firstRow } from '../support/sql.ts'
import { call, createCourse, createProblem, problemForm, type Person } from '../support/world.ts'
import { zipOf } from '../support/zip.ts'

/** Uploads these bytes as a problem's test data. */
async function upload(as: Person, problemId: number, bytes: Uint8Array<ArrayBuffer>) {
  const form = new FormData()
  form.set('case', new File([bytes], 'data.zip'))
  return call('PUT', `/problem/manage/${problemId}`, { as, body: form })
}

/** The number of a problem's objects in R2, and of its rows in D1. */
async function stored(problemId: number): Promise<[number, number]> {
  const { objects } = await env.BUCKET.list({ prefix: `test-data/${problemId}/` })
  const rows = await firstRow<{ n: number }>`
    select count(*) as n from test_data_versions where problem_id = ${problemId}`
  return [objects.length, rows?.n ?? 0]
}

test('every bad entry is listed, nothing is stored and the old data stay in force [UP1]', async () => {
  const { teacher, problemId } = await createProblem()
  const before = await stored(problemId)
  const { testDataVersion } = (await teacher.get(`/problem/${problemId}`)).data
  const honest = ['0000.in', '0000.out']
  const names = ['../a', 'b', '0000.IN', '/c', 'd\\e']
  const answer = await upload(
    teacher,
    problemId,
    hostileZip([...honest, ...names].map((name) => ({ name }))),
  )
  expect(answer).toMatchObject({ status: 400, code: 'bad_zip' })
  expect(answer.data.map((error: { path: string[] }) => error.path[1])).toEqual(names)
  expect(await stored(problemId)).toEqual(before)
  const after = (await teacher.get(`/problem/${problemId}`)).data
  expect(after.testDataVersion).toBe(testDataVersion)
})

describe('a zip of very many entries', () => {
  test('a hundred thousand entries are refused after their number was read [UP2]', async () => {
    const entries = Array.from({ length: 100_000 }, (_, index) => ({
      name: `${String(index % 10_000).padStart(4, '0')}.in`,
    }))
    const zip = hostileZip(entries, { count: 0xffff, zip64: {} })
    const { result, bytesFetched } = await readCounted(zip)
    expect(result).toMatchObject({ message: expect.stringContaining('files at most') })
    expect(bytesFetched).toBeLessThanOrEqual(64 * 1024)
    const few = await readCounted(hostileZip(entries, { count: 10 }))
    expect(few.result).toBeInstanceOf(BadZip)
    expect(few.bytesFetched).toBeLessThanOrEqual(64 * 1024)
  })

  test('the largest problem of the form fits', async () => {
    const names = Array.from({ length: 10_000 }, (_, index) => String(index).padStart(4, '0'))
    const zip = hostileZip(
      names.flatMap((name) => [{ name: `${name}.in` }, { name: `${name}.out` }]),
    )
    const { result } = await readCounted(zip)
    expect(result).toMatchObject({ entries: { length: TEST_DATA_LIMITS.entries } })
  })
})

describe('the subtasks of a problem', () => {
  const subtask = { caseCount: 1, taskScore: 100, memoryLimit: 65_536, timeLimit: 1000 }

  test.each([
    ['a negative score', [{ ...subtask, taskScore: -1 }], ['testCase', 0, 'taskScore']],
    ['a score above 100', [{ ...subtask, taskScore: 101 }], ['testCase', 0, 'taskScore']],
    ['half a point', [{ ...subtask, taskScore: 99.5 }], ['testCase', 0, 'taskScore']],
    ['a total of 99', [{ ...subtask, taskScore: 99 }], ['testCase']],
    ['a total of 200', [subtask, subtask], ['testCase']],
    ['no subtask', [], ['testCase']],
    ['no case', [{ ...subtask, caseCount: 0 }], ['testCase', 0, 'caseCount']],
    ['too many cases', [{ ...subtask, caseCount: 101 }], ['testCase', 0, 'caseCount']],
    ['no time', [{ ...subtask, timeLimit: 0 }], ['testCase', 0, 'timeLimit']],
    ['endless time', [{ ...subtask, timeLimit: 1e12 }], ['testCase', 0, 'timeLimit']],
    ['no memory', [{ ...subtask, memoryLimit: 0 }], ['testCase', 0, 'memoryLimit']],
    ['all memory', [{ ...subtask, memoryLimit: 1e12 }], ['testCase', 0, 'memoryLimit']],
    ['no output', [{ ...subtask, outputLimit: 0 }], ['testCase', 0, 'outputLimit']],
    ['text for a number', [{ ...subtask, timeLimit: '1000' }], ['testCase', 0, 'timeLimit']],
    ['no list', {}, ['testCase']],
  ])('%s is refused by field [UP6]', async (_title, testCase, path) => {
    const { course, teacher } = await createCourse()
    const json = { course, ...problemForm({ testCase }) }
    const answer = await teacher.post('/problem/manage', json)
    expect(answer.status).toBe(400)
    expect(answer.data.map((error: { path: unknown }) => error.path)).toContainEqual(path)
  })

  test('a zip whose counts differ names every subtask that does [UP6]', async () => {
    const { teacher, problemId } = await createProblem()
    const zip = await zipOf({ '0000.in': '', '0000.out': '', '0001.in': '', '0001.out': '' })
    const answer = await upload(teacher, problemId, zip)
    expect(answer).toMatchObject({
      status: 400,
      data: [
        { path: ['testCase', 0, 'caseCount'], params: { found: 2, wanted: 1 } },
        { path: ['testCase', 1, 'caseCount'], params: { found: 0, wanted: 2 } },
      ],
    })
  })
})

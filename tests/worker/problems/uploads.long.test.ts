import { env } from 'cloudflare:workers'
import { describe, expect, test } from 'vitest'
import { TEST_DATA_LIMITS } from '#contract/limits'
import { checkTestData } from '#contract/test-data'
import { readZipDirectory } from '../../../worker/lib/zip-directory.ts'
import { BadZip } from '../../../worker/lib/zip-record.ts'
import {
  hostileZip,
  zip64Extra,
  type HostileEnd,
  type HostileEntry,
} from '../support/hostile-zips.ts'
import { firstRow } from '../support/sql.ts'
import { call, createCourse, createProblem, problemForm, type Person } from '../support/world.ts'
import { zipOf } from '../support/zip.ts'

const HONEST: HostileEntry[] = [
  { name: '0000.in', data: '1 2\n' },
  { name: '0000.out', data: '3\n' },
]

/** Reads a zip's directory out of memory, or out of a larger file of which only the end is there. */
async function readCounted(bytes: Uint8Array, size = bytes.length) {
  const fetched: [offset: number, length: number][] = []
  const missing = size - bytes.length
  const read = (offset: number, length: number): Promise<Uint8Array> => {
    fetched.push([offset, length])
    return Promise.resolve(bytes.subarray(offset - missing, offset - missing + length))
  }
  const result = await readZipDirectory(read, size).catch((error: unknown) => {
    if (!(error instanceof BadZip)) throw error
    return error
  })
  return { result, bytesFetched: fetched.reduce((sum, [, length]) => sum + length, 0) }
}

/** The errors a zip is refused with: names and codes, or the sentence about the whole. */
async function refusal(entries: HostileEntry[], end?: HostileEnd): Promise<string[]> {
  const { result } = await readCounted(hostileZip(entries, end))
  if (result instanceof BadZip) return [result.message]
  const { errors } = checkTestData(result.entries, result.dataEnd)
  return errors.map((error) => `${error.path.at(-1)} ${error.code}`)
}

/** Sends these bytes as a problem's test data. */
async function upload(as: Person, problemId: number, bytes: Uint8Array<ArrayBuffer>) {
  const form = new FormData()
  form.set('case', new File([bytes], 'data.zip'))
  return call('PUT', `/problem/manage/${problemId}`, { as, body: form })
}

/** What is stored for a problem: objects in R2 and rows in D1. */
async function stored(problemId: number): Promise<[number, number]> {
  const { objects } = await env.BUCKET.list({ prefix: `test-data/${problemId}/` })
  const rows = await firstRow<{ n: number }>`
    select count(*) as n from test_data_versions where problem_id = ${problemId}`
  return [objects.length, rows?.n ?? 0]
}

describe('names in a zip', () => {
  test('an honest zip passes, so what is refused below is refused for its fault', async () => {
    expect(await refusal(HONEST)).toEqual([])
  })

  test.each([
    ['a parent folder', { name: '../0001.in' }, '../0001.in name'],
    ['an absolute path', { name: '/0001.in' }, '/0001.in name'],
    ['a backslash', { name: '..\\0001.in' }, '..\\0001.in name'],
    ['a drive letter', { name: 'C:0001.in' }, 'C:0001.in name'],
    ['a NUL', { name: '0001.in\0.sh' }, '0001.in\u{fffd}.sh name'],
    ['a folder', { name: '01/' }, '01/ directory'],
    ['a name in a folder', { name: 'data/0001.in' }, 'data/0001.in name'],
    ['the other case', { name: '0000.IN' }, '0000.IN name'],
    ['another name', { name: 'readme.md' }, 'readme.md name'],
    ['another zip', { name: 'inner.zip' }, 'inner.zip name'],
    ['digits of another script', { name: '٠٠٠١.in' }, '٠٠٠١.in name'],
    ['white space at its end', { name: '0001.in ' }, '0001.in  name'],
    ['a line break at its end', { name: '0001.in\n' }, '0001.in\u{fffd} name'],
    ['a link', { name: '0001.in', data: '/etc/passwd', unixMode: 0o120777 }, '0001.in symlink'],
    ['a name that occurs twice', { name: '0000.in' }, '0000.in duplicate'],
    ['encryption', { name: '0001.in', flags: 1 }, '0001.in encrypted'],
    ['a method nobody reads', { name: '0001.in', method: 99 }, '0001.in method'],
    ['an input without its output', { name: '0001.in' }, '0001.out missing'],
    ['a case after a gap', { name: '0002.in' }, '0001.in missing'],
    ['a subtask after a gap', { name: '0200.in' }, '0100.in missing'],
  ])('%s is refused by name [UP1]', async (_title, entry, expected) => {
    expect(await refusal([...HONEST, entry])).toContain(expected)
  })

  test('every bad entry is listed, nothing is stored and the old data stay in force [UP1]', async () => {
    const { teacher, problemId } = await createProblem()
    const before = await stored(problemId)
    const { testDataVersion } = (await teacher.get(`/problem/${problemId}`)).data
    const names = ['../a', 'b', '0000.IN', '/c', 'd\\e']
    const answer = await upload(
      teacher,
      problemId,
      hostileZip([...HONEST, ...names.map((name) => ({ name }))]),
    )
    expect(answer).toMatchObject({ status: 400, code: 'bad_zip' })
    expect(answer.data.map((error: { path: string[] }) => error.path[1])).toEqual(names)
    expect(await stored(problemId)).toEqual(before)
    const after = (await teacher.get(`/problem/${problemId}`)).data
    expect(after.testDataVersion).toBe(testDataVersion)
  })
})

describe('zips that lie', () => {
  const gibibyte = 1024 ** 3

  test.each<[string, HostileEntry[], HostileEnd | undefined, RegExp]>([
    [
      'ten gigabytes out of ten megabytes',
      [
        {
          name: '0000.in',
          method: 8,
          packedBytes: 10 * 1024 ** 2,
          sizeBytes: 0xffffffff,
          extra: zip64Extra(10 * gibibyte),
        },
      ],
      undefined,
      /^0000\.in size$/,
    ],
    [
      'more than deflate can do',
      [{ name: '0000.in', data: 'x', method: 8, sizeBytes: 100_000 }],
      undefined,
      /^0000\.in ratio$/,
    ],
    [
      'a stored entry larger than its bytes',
      [{ name: '0000.in', data: 'x', sizeBytes: 2 }],
      undefined,
      /^0000\.in ratio$/,
    ],
    [
      'many entries over the same bytes',
      [
        { name: '0000.in', data: 'x'.repeat(100) },
        { name: '0000.out', data: 'x'.repeat(100), offset: 10 },
      ],
      undefined,
      /^0000\.out overlap$/,
    ],
    [
      'an entry inside the directory',
      [...HONEST, { name: '0001.in', offset: 140 }, { name: '0001.out' }],
      undefined,
      /beyond$/,
    ],
    ['an entry beyond the file', [{ name: '0000.in', offset: 100_000 }], undefined, /beyond$/],
    ['fewer entries than the directory has', HONEST, { count: 1 }, /cannot|can read/],
    ['more entries than the directory has', HONEST, { count: 3 }, /can read/],
    ['a directory that is longer than it is', HONEST, { length: 5000 }, /contradict/],
    ['a directory that is somewhere else', HONEST, { offset: 3 }, /contradict/],
    [
      'bytes after the end',
      HONEST,
      { comment: new Uint8Array((70_000 % 65_536) + 20_000) },
      /end is missing/,
    ],
    ['a zip64 mark without its record', HONEST, { count: 0xffff }, /zip64 record is missing/],
    [
      'a zip64 record that is somewhere else',
      HONEST,
      { count: 0xffff, zip64: { at: 0 } },
      /zip64 record is missing/,
    ],
    [
      'a zip64 record that contradicts the end',
      HONEST,
      { count: 0xffff, zip64: { length: 10 } },
      /contradict/,
    ],
    [
      'a zip64 record with absurd numbers',
      HONEST,
      { offset: 0xffffffff, zip64: { offset: 2 ** 52, length: 2 ** 52 } },
      /contradict/,
    ],
  ])('%s is refused [UP2]', async (_title, entries, end, expected) => {
    expect((await refusal(entries, end)).join('\n')).toMatch(new RegExp(expected, 'm'))
  })

  test('an honest zip64 is read', async () => {
    expect(await refusal(HONEST, { count: 0xffff, zip64: { count: 2 } })).toEqual([])
  })

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

  test('a directory swollen by extra fields or comments is refused before it is read', async () => {
    const extra = new Uint8Array(60_000)
    const zip = hostileZip([...HONEST, ...HONEST].map((entry) => ({ ...entry, extra })))
    const { result, bytesFetched } = await readCounted(zip)
    expect(result).toMatchObject({ message: expect.stringContaining('too large') })
    expect(bytesFetched).toBeLessThanOrEqual(64 * 1024)
  })

  test('of a gigabyte no more is read than the directory and 64 KB [UP2]', async () => {
    const data = 'x'.repeat(300)
    const entries = Array.from({ length: 50 }, (_, index) => [
      { name: `00${String(index).padStart(2, '0')}.in`, data },
      { name: `00${String(index).padStart(2, '0')}.out`, data },
    ]).flat()
    // The same file behind a gigabyte that nobody reads.
    const tail = hostileZip(entries, { offset: 1024 ** 3 + directoryOffset(hostileZip(entries)) })
    const { result, bytesFetched } = await readCounted(tail, 1024 ** 3 + tail.length)
    expect(result).toMatchObject({ entries: { length: 100 } })
    expect(bytesFetched).toBeLessThanOrEqual(64 * 1024 + 100 * 64)
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

/** Where a zip without comment says that its directory begins. */
function directoryOffset(zip: Uint8Array): number {
  return new DataView(zip.buffer).getUint32(zip.length - 6, true)
}

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

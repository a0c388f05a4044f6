/** A folder to replay: its expected results, and how a result differs from them. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { STATUS } from '#contract/verdicts'
import type { ApiClient, CallOptions } from '../../scripts/api-client.ts'
import { differences, row } from '../../scripts/replay/compare-result.ts'
import { createProblem, submit, untilJudged } from '../../scripts/replay/send.ts'
import { readProblemFolder } from '../../scripts/replay/problem-folder.ts'

const PROBLEM = {
  name: 'sum',
  limits: { timeMs: 1_000, memoryMb: 64 },
  subtasks: [
    { cases: 1, score: 0 },
    { cases: 2, score: 100, limits: { timeMs: 2_500, outputKb: 7 } },
  ],
  compare: { mode: 'checker', language: 'py3', file: 'checker.py' },
  solutions: [
    {
      file: 'half.py',
      language: 'py3',
      allowed: ['WA', 'RTE'],
      score: 0,
      subtasks: ['AC', ['WA', 'RE']],
    },
    { file: 'right.py', language: 'py3', allowed: ['AC'], subtasks: [null, 'AC'] },
  ],
}

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'replay-'))
  mkdirSync(join(folder, 'tests'))
  writeFileSync(join(folder, 'problem.json'), JSON.stringify(PROBLEM))
  for (const name of ['0000', '0100', '0101'])
    for (const ending of ['in', 'out'])
      writeFileSync(join(folder, 'tests', `${name}.${ending}`), `${ending} of ${name}`)
  for (const name of ['half.py', 'right.py', 'checker.py'])
    writeFileSync(join(folder, name), `# ${name}`)
})
afterEach(() => rmSync(folder, { recursive: true }))

test('each field of a folder arrives in its own place, a subtask’s limits before the problem’s', async () => {
  const testCase = (name: string) => ({
    input: Buffer.from(`in of ${name}`),
    output: Buffer.from(`out of ${name}`),
  })
  expect(await readProblemFolder(folder)).toEqual({
    name: 'sum',
    title: 'sum',
    subtasks: [
      { score: 0, timeMs: 1_000, memoryKb: 64 * 1_024, outputKb: undefined },
      { score: 100, timeMs: 2_500, memoryKb: 64 * 1_024, outputKb: 7 },
    ],
    cases: [[testCase('0000')], [testCase('0100'), testCase('0101')]],
    compare: { mode: 'checker', language: 'py3', source: '# checker.py' },
    solutions: [
      {
        file: 'half.py',
        language: 'py3',
        code: Buffer.from('# half.py'),
        allowed: [STATUS.WA, STATUS.RE],
        score: 0,
        subtasks: [[STATUS.AC], [STATUS.WA, STATUS.RE]],
      },
      {
        file: 'right.py',
        language: 'py3',
        code: Buffer.from('# right.py'),
        allowed: [STATUS.AC],
        score: undefined,
        subtasks: [null, [STATUS.AC]],
      },
    ],
  })
})

test.each([
  ['a case without an answer', (at: string) => rmSync(join(at, 'tests/0101.out')), '0101.out is'],
  [
    'a case too many',
    (at: string) => writeFileSync(join(at, 'tests/0102.in'), ''),
    '0102.in belongs to no case',
  ],
  [
    'scores that do not add up',
    (at: string) =>
      writeFileSync(
        join(at, 'problem.json'),
        JSON.stringify({ ...PROBLEM, subtasks: [{ cases: 1, score: 99 }] }),
      ),
    'total 99, not 100',
  ],
  [
    'a program that is not there',
    (at: string) => rmSync(join(at, 'right.py')),
    'names right.py, which cannot be read',
  ],
])('%s is told before anything is sent', async (_, damage, message) => {
  damage(folder)
  await expect(readProblemFolder(folder)).rejects.toThrow(message)
})

test('verdict, score and each subtask are compared, and what may end as it likes is not', async () => {
  const [half, right] = (await readProblemFolder(folder)).solutions
  if (!half || !right) throw new Error('The folder has two programs.')
  const task = (status: number) => ({ status, score: 0, exeTime: 0, memoryUsage: 0, results: [] })
  const result = (status: number, score: number, tasks: number[]) =>
    ({ status, score, tasks: tasks.map(task) }) as unknown as Parameters<typeof differences>[1]
  expect(differences(half, result(STATUS.RE, 0, [STATUS.AC, STATUS.RE]))).toEqual([])
  expect(differences(half, result(STATUS.TLE, 20, [STATUS.WA, STATUS.TLE]))).toEqual([
    'verdict TLE, not WA/RE',
    'score 20, not 0',
    'subtask 0 WA, not AC',
    'subtask 1 TLE, not WA/RE',
  ])
  expect(differences(half, result(STATUS.WA, 0, []))).toEqual([
    'subtask 0 –, not AC',
    'subtask 1 –, not WA/RE',
  ])
  expect(differences(right, result(STATUS.AC, 100, [STATUS.WA, STATUS.AC]))).toEqual([])
})

test('a row says what was expected, what came, and why it differs', async () => {
  const [half, right] = (await readProblemFolder(folder)).solutions
  if (!half || !right) throw new Error('The folder has two programs.')
  const result = {
    status: STATUS.WA,
    score: 0,
    runTime: 12,
    memoryUsage: null,
    tasks: [{ status: STATUS.AC }, { status: STATUS.WA }],
    judgements: [{ reason: 'the checker’s words' }],
  } as unknown as Parameters<typeof row>[1]
  expect(row(half, result, []).replace(/ +/g, ' ')).toBe(
    ' ok half.py expected WA/RE 0 got WA 0 [AC WA] 12 ms, – KB',
  )
  expect(row(right, result, ['score 0, not 100']).replace(/ +/g, ' ')).toBe(
    ' DIFF right.py expected AC got WA 0 [AC WA] 12 ms, – KB\n score 0, not 100\n the checker’s words',
  )
  expect(row(right, null, ['no verdict in time']).replace(/ +/g, ' ')).toBe(
    ' DIFF right.py expected AC got nothing\n no verdict in time',
  )
})

/** An API that gives these answers in turn, and the calls that it got. */
function recording(...answers: unknown[]) {
  const calls: { method: string; path: string; options: CallOptions | undefined }[] = []
  const uploads: { problemId: number; bytes: number }[] = []
  const api = {
    async call(method: string, path: string, _schema: unknown, options?: CallOptions) {
      calls.push({ method, path, options })
      return answers.length > 1 ? answers.shift() : answers[0]
    },
    async uploadTestData(problemId: number, zip: Uint8Array) {
      uploads.push({ problemId, bytes: zip.length })
    },
  } as unknown as ApiClient
  return { api, calls, uploads }
}

test('a folder becomes a problem with its limits, scores, samples and test data', async () => {
  const { api, calls, uploads } = recording({ problemId: 7 })
  const problem = { ...(await readProblemFolder(folder)), title: 'T'.repeat(65) }
  expect(await createProblem(api, problem, 'One')).toBe(7)
  const limits = { memoryLimit: 65_536 }
  expect(calls).toEqual([
    {
      method: 'POST',
      path: '/problem/manage',
      options: {
        json: {
          course: 'One',
          problemName: 'T'.repeat(64),
          status: 0,
          description: { description: 'Replay of `sum`.' },
          testCase: [
            { caseCount: 1, taskScore: 0, sample: true, timeLimit: 1_000, ...limits },
            {
              caseCount: 2,
              taskScore: 100,
              sample: false,
              timeLimit: 2_500,
              outputLimit: 7,
              ...limits,
            },
          ],
          compare: { mode: 'checker', language: 'py3', source: '# checker.py' },
        },
      },
    },
  ])
  expect(uploads).toEqual([{ problemId: 7, bytes: expect.any(Number) }])
})

test.each([
  ['text', Buffer.from('print("字")'), true],
  ['nothing', Buffer.alloc(0), false],
  ['bytes that are no text', Buffer.from([0x23, 0xff]), false],
])('a program of %s is handed in byte for byte', async (_, code, isText) => {
  const { api, calls } = recording({ submissionId: 'x' })
  const rest = { allowed: [], score: undefined, subtasks: undefined }
  const solution = { file: 'a.py', language: 'py3' as const, code, ...rest }
  expect(await submit(api, 7, solution)).toBe('x')
  const json = { problemId: 7, languageType: 2, ...(isText && { code: code.toString() }) }
  expect(calls[0]).toEqual({ method: 'POST', path: '/submission', options: { json } })
  if (isText) return expect(calls).toHaveLength(1)
  expect(calls[1]).toMatchObject({ method: 'PUT', path: '/submission/x' })
  const file = calls[1]?.options?.form?.get('code') as File
  expect(file.name).toBe('main.py')
  expect(Buffer.from(await file.arrayBuffer())).toEqual(code)
})

test('a verdict is waited for until it is there or it is too late', async () => {
  const pending = { status: STATUS.PENDING }
  const judged = recording(pending, { status: STATUS.AC })
  expect(await untilJudged(judged.api, 'x', Date.now() + 60_000)).toEqual({ status: STATUS.AC })
  expect(judged.calls.map(({ path }) => path)).toEqual(['/submission/x', '/submission/x'])
  const late = recording(pending)
  expect(await untilJudged(late.api, 'x', Date.now() - 1)).toBeNull()
  expect(late.calls).toHaveLength(1)
})

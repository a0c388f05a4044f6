/** A folder to replay: what it says, and what of a result differs from that. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { STATUS } from '#contract/verdicts'
import { differences } from '../../scripts/replay/compare-result.ts'
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

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type CaseResult, STATUS } from '#contract/verdicts'
import { CaseCache } from '../../../runner/judge/case-cache.ts'
import { CaseGate } from '../../../runner/judge/case-gate.ts'
import { judge, type Judgement } from '../../../runner/judge/judge.ts'
import { ProgramCache } from '../../../runner/compile/program-cache.ts'
import { openSlot, type Slot } from '../../../runner/sandbox/slot.ts'
import { TestDataCache } from '../../../runner/test-data/store.ts'
import { JudgeServer, type ZipJob } from '../fixtures/judge-server.ts'
import { testDataZip } from '../fixtures/zip-builder.ts'

const REJUDGE = 'a'.repeat(24)
const SUM = 'print(sum(map(int, input().split())))'

let root = ''
let slot: Slot
let runs = 0
let cases: CaseCache
let compiler: ProgramCache
const zips = new Map<string, Buffer>()

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'case-cache-'))
  slot = await openSlot({ index: 0 })
  const versions = { py3: '3' }
  compiler = await ProgramCache.open({ directory: join(root, 'programs'), versions, log: () => {} })
})
afterAll(async () => {
  await slot.close()
  await rm(root, { recursive: true })
})
beforeEach(() => void (cases = new CaseCache()))

interface Given {
  inputs?: [string, string][]
  source?: string
  change?: Partial<ZipJob>
}

const TASK = {
  caseCount: 3,
  taskScore: 100,
  sample: false,
  timeLimit: 2_000,
  memoryLimit: 65_536,
  outputLimit: 64,
}

/** Judges on the real sandbox and counts the cases that ran. */
async function judged({ inputs, source = SUM, change }: Given = {}): Promise<{
  result: Judgement
  ran: number
}> {
  const data = await TestDataCache.open(join(root, 'data'), 1024 ** 3, async (ref, path) => {
    await writeFile(path, zips.get(ref.version) ?? '')
    return ''
  })
  const zip = testDataZip([inputs ?? ONE_TWO_THREE])
  const job = new JudgeServer().job(
    1,
    {
      rejudge: REJUDGE,
      source: Buffer.from(source).toString('base64'),
      tasks: [{ ...TASK, caseCount: inputs?.length ?? 3 }],
      ...change,
    },
    zip,
  )
  zips.set(job.testData.version, zip)
  runs = 0
  const result = await judge(job, {
    slot: {
      ...slot,
      async openBox() {
        const box = await slot.openBox()
        return {
          ...box,
          run(request) {
            if (request.argv.includes('/usr/bin/python3')) runs++
            return box.run(request)
          },
        }
      },
    },
    acquireTestData: (ref) => data.acquire(ref),
    gate: new CaseGate(),
    compiler,
    cases,
    scratchDir: root,
    onProgress: () => {},
    signal: new AbortController().signal,
  })
  return { result, ran: runs }
}

const ONE_TWO_THREE: [string, string][] = [
  ['1 0', '1'],
  ['2 0', '2'],
  ['3 0', '3'],
]

describe('within one rejudge', () => {
  it('the same program is run once on each case, and gets the same result', async () => {
    const first = await judged()
    const second = await judged()
    expect([first.ran, second.ran]).toEqual([3, 0])
    expect(second.result).toEqual(first.result)
    expect(second.result.status).toBe(STATUS.AC)
  })

  it('test data that differ in one case make it run on that case only', async () => {
    await judged()
    const changed: [string, string][] = [
      ['1 0', '1'],
      ['2 3', '5'],
      ['3 0', '3'],
    ]
    const { ran, result } = await judged({ inputs: changed })
    expect({ ran, status: result.status }).toEqual({ ran: 1, status: STATUS.AC })
    const wrong: [string, string][] = [
      ['1 0', '1'],
      ['2 0', '9'],
      ['3 0', '3'],
    ]
    const other = await judged({ inputs: wrong })
    expect({ ran: other.ran, status: other.result.status }).toEqual({ ran: 1, status: STATUS.WA })
  })

  it('another program runs', async () => {
    await judged()
    expect((await judged({ source: `${SUM}\n# more` })).ran).toBe(3)
  })

  it.each<[string, Partial<ZipJob>]>([
    [
      'time limit',
      {
        tasks: [{ ...TASK, timeLimit: 2_001 }],
      },
    ],
    ['comparison', { compare: { mode: 'tokens' } }],
    ['rejudge', { rejudge: 'b'.repeat(24) }],
  ])('another %s makes it run', async (_what, change) => {
    await judged()
    expect((await judged({ change })).ran).toBe(3)
  })
})

describe('always run', () => {
  it.each<[string, Given]>([
    ['live submissions', { change: { rejudge: undefined } }],
    [
      'sample cases, whose output is kept for people',
      {
        change: { tasks: [{ ...TASK, sample: true }] },
      },
    ],
    ['cases that came close to a limit', { source: `touched = b"x" * 40_000_000\n${SUM}` }],
  ])('%s', async (_what, given) => {
    expect((await judged(given)).result.status).toBe(STATUS.AC)
    expect((await judged(given)).ran).toBe(3)
  })

  it('failures, which may be chance', async () => {
    const given = { source: 'print(1)' }
    expect((await judged(given)).ran).toBe(2)
    // The first program's right result is known; the second program's wrong one is judged again.
    expect((await judged(given)).ran).toBe(1)
  })
})

it('a case whose file is missing is still the test data’s fault', async () => {
  const tasks = [{ ...TASK, caseCount: 4 }]
  const { result } = await judged({ change: { tasks } })
  expect(result).toMatchObject({ status: STATUS.JE, reason: expect.stringContaining('0003') })
})

describe('which case is the same, and which result is kept', () => {
  const limits = { timeMs: 1_000, memoryKb: 10_000, outputKb: 64 }
  const right: CaseResult = { status: STATUS.AC, runTime: 500, memoryUsage: 5_000 }

  it.each<[string, Partial<CaseResult>, boolean]>([
    ['half of both limits', {}, true],
    ['more time', { runTime: 501 }, false],
    ['more memory', { memoryUsage: 5_001 }, false],
    ['another verdict', { status: STATUS.WA }, false],
    ['no time', { runTime: null }, false],
    ['no memory', { memoryUsage: null }, false],
  ])('a right answer with %s', (_what, change, isKept) => {
    const result = { ...right, ...change }
    cases.keep('key', result, limits)
    expect(cases.find('key')).toEqual(isKept ? result : null)
    expect(cases.find('other')).toBeNull()
  })

  it('of more than 4,096 results the oldest go', () => {
    for (let n = 0; n <= 4_096; n += 1) cases.keep(String(n), right, limits)
    expect([cases.find('0'), cases.find('1')]).toEqual([null, right])
  })

  it('every part of a case names it, and an interactor, or a program that is not known, leaves it unnamed', async () => {
    for (const name of ['a', 'b']) await writeFile(join(root, name), name)
    const job = { rejudge: REJUDGE, language: 'c', compare: { mode: 'lines' } } as const
    const [inputPath, expectedPath] = [join(root, 'a'), join(root, 'b')]
    const one = { job, program: 'p', subtask: TASK, inputPath, expectedPath }
    type Identity = Parameters<CaseCache['keyOf']>[0]
    const others: Identity[] = [
      one,
      { ...one, job: { ...job, rejudge: 'b'.repeat(24) } },
      { ...one, job: { ...job, language: 'cpp' } },
      { ...one, job: { ...job, compare: { mode: 'exact' } } },
      { ...one, program: 'q' },
      { ...one, subtask: { ...TASK, timeLimit: 1 } },
      { ...one, subtask: { ...TASK, memoryLimit: 1 } },
      { ...one, subtask: { ...TASK, outputLimit: 1 } },
      { ...one, inputPath: expectedPath },
      { ...one, expectedPath: inputPath },
      { ...one, inputPath: expectedPath, expectedPath: inputPath },
    ]
    const keys = await Promise.all(others.map((other) => cases.keyOf(other)))
    expect(keys).not.toContain(null)
    expect(new Set(keys).size).toBe(others.length)
    expect(await cases.keyOf({ ...one, subtask: { ...TASK, taskScore: 7 } })).toBe(keys[0])
    const compare = { mode: 'interactor', language: 'py3', source: 'exit(0)' } as const
    for (const unnamed of [
      { ...one, job: { ...job, compare } },
      { ...one, program: null },
      { ...one, inputPath: join(root, 'none') },
      { ...one, expectedPath: join(root, 'none') },
    ])
      expect(await cases.keyOf(unnamed)).toBeNull()
  })
})

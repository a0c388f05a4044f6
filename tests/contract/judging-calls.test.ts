/** The bounds of what runners send to the server: each last value that is allowed, and the first that is not. */
import { describe, expect, test } from 'vitest'
import type * as z from 'zod'
import {
  claimRequest,
  heartbeat,
  heartbeatAnswer,
  hostInfo,
  job,
  jobRelease,
  progressReport,
  reportedOutput,
  resultReport,
  runnerRegistration,
  ticket,
} from '#contract/judging'

const ID = 'a'.repeat(24)
const ids = (count: number) => Array.from({ length: count }, () => ID)
const text = (length: number) => 'x'.repeat(length)
const HOST = { hostname: '', kernel: '', cpu: '', cores: 1, memoryKb: 0, cgroup: 'v2' }
const BEAT = { active: [], slots: 1, free: 0, load: 0 }
const PROGRESS = { lease: 'l', phase: 'running', done: 0, total: 0 }
const OUTPUT = {
  task: 0,
  case: 0,
  stdout: '',
  stdoutSize: 0,
  stderr: '',
  stderrSize: 0,
  expected: '',
  expectedSize: 0,
}
const CASE = { status: 0, runTime: 0, memoryUsage: 0 }
const SUBTASK = { ...CASE, score: 0, cases: [CASE] }
const RESULT = {
  ...SUBTASK,
  cases: undefined,
  lease: 'l',
  tasks: [SUBTASK],
  compileMessage: null,
  reason: null,
  outputs: [],
}
const RELEASE = { lease: 'l', drained: true, reason: null }
const list = (item: unknown, count: number) => Array.from({ length: count }, () => item)
/** The length in base64 of the most bytes that are kept of a stream. */
const STREAM = Math.ceil((64 * 1_024) / 3) * 4

type Field = [field: string, good: unknown[], bad: unknown[]]

const CALLS: [call: string, schema: z.ZodType, body: object, fields: Field[]][] = [
  [
    'registration',
    runnerRegistration,
    { name: 'one', slots: 1, version: '', host: HOST },
    [
      ['name', [text(64)], [text(65), '', ' ', 'a\u200bb']],
      ['slots', [256], [0, 257, 1.5]],
      ['version', [text(64)], [text(65), null]],
      ['host', [HOST], [undefined, { ...HOST, cores: 0 }]],
    ],
  ],
  [
    'host',
    hostInfo,
    HOST,
    [
      ['hostname', [text(255)], [text(256)]],
      ['kernel', [text(255)], [text(256)]],
      ['cpu', [text(255)], [text(256)]],
      ['cores', [1], [0, 1.5]],
      ['memoryKb', [0], [-1]],
      ['cgroup', ['v1'], ['v3']],
      ['languages', [undefined, { c: text(255), cobol: 1 }], [{ c: text(256) }]],
      ['calibrationMs', [undefined, 0.5], [-1]],
    ],
  ],
  [
    'heartbeat',
    heartbeat,
    BEAT,
    [
      ['active', [ids(1_024)], [ids(1_025), ['x']]],
      ['slots', [256], [0, 257]],
      ['free', [0, 256], [-1, 257]],
      ['load', [0.5], [-0.1]],
      ['started', [undefined, true], ['true']],
    ],
  ],
  ['answer to it', heartbeatAnswer, { state: 'active' }, [['state', ['draining'], ['gone', null]]]],
  ['ticket', ticket, { v: 1, judgementId: ID }, [['v', [1], [2, '1']]]],
  [
    'claim',
    claimRequest,
    {},
    [
      ['ahead', [undefined, true], [1]],
      ['takesRuns', [undefined, true], [1]],
    ],
  ],
  [
    'progress',
    progressReport,
    PROGRESS,
    [
      ['lease', [text(64)], ['', text(65)]],
      ['phase', ['compiling'], ['queued']],
      ['done', [10_000], [-1, 10_001]],
      ['total', [10_000], [-1, 10_001]],
    ],
  ],
  [
    'kept output',
    reportedOutput,
    OUTPUT,
    [
      ['task', [0], [-1]],
      ['case', [0], [-1]],
      ...['stdout', 'stderr', 'expected'].flatMap((stream): Field[] => [
        [stream, [text(STREAM)], [text(STREAM + 4), 'x']],
        [`${stream}Size`, [2 ** 40], [-1, 0.5]],
      ]),
    ],
  ],
  [
    'result',
    resultReport,
    RESULT,
    [
      ['lease', [text(64)], ['', text(65)]],
      ['status', [0, 7], [-1, 8, null]],
      ['score', [0, 100], [-1, 101]],
      ['runTime', [0, null], [-1, 0.5]],
      ['memoryUsage', [0, null], [-1, 0.5]],
      ['tasks', [list(SUBTASK, 100)], [list(SUBTASK, 101)]],
      ['tasks', [[{ ...SUBTASK, score: 100 }]], [[{ ...SUBTASK, score: 101 }]]],
      [
        'tasks',
        [[{ ...SUBTASK, cases: list(CASE, 100) }]],
        [[{ ...SUBTASK, cases: list(CASE, 101) }]],
      ],
      ['compileMessage', [text(65_536)], [text(65_537)]],
      ['reason', [text(2_000)], [text(2_001)]],
      ['outputs', [list(OUTPUT, 10_000)], [list(OUTPUT, 10_001)]],
      ['judgedMs', [undefined, 0], [-1, 0.5]],
    ],
  ],
  [
    'release',
    jobRelease,
    RELEASE,
    [
      ['lease', [text(64)], ['', text(65)]],
      ['drained', [false], [undefined]],
      ['reason', [text(2_000)], [text(2_001), undefined]],
      ['fault', [undefined, 'host', 'job'], ['disk']],
      ['began', [undefined, false], ['no']],
    ],
  ],
]

describe.each(CALLS)('a %s', (_call, schema, body, fields) => {
  test.each(fields)('has bounds of %s', (field, good, bad) => {
    const fits = (value: unknown) => schema.safeParse({ ...body, [field]: value }).success
    expect(good.map(fits)).toEqual(good.map(() => true))
    expect(bad.map(fits)).toEqual(bad.map(() => false))
  })
})

test('what is left out of a claim is no', () => {
  expect(claimRequest.parse({})).toEqual({ takesRuns: false, ahead: false })
})

test('a job keeps all that a runner needs of it, of a submission and of a run', () => {
  const submission = {
    judgementId: ID,
    submissionId: ID,
    attempt: 1,
    lease: 'l',
    leaseSeconds: 60,
    language: 'c',
    source: 'aW50',
    testData: { version: 'v', sha256: null, size: 1, url: '/x' },
    tasks: [
      {
        caseCount: 1,
        taskScore: 100,
        sample: false,
        timeLimit: 1_000,
        memoryLimit: 65_536,
        outputLimit: 64,
      },
    ],
    compare: { mode: 'lines' },
    rank: 0,
    rejudge: ID,
    more: false,
  }
  expect(job.parse(submission)).toEqual(submission)
  const run = { ...submission, testData: { inputs: [{ input: '1', expected: null }] } }
  expect(job.parse(run)).toEqual(run)
})

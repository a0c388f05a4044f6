/** The bounds of problems, submissions, hosts and searches: the last value that is accepted, and the first that is refused. */
import { describe, expect, test } from 'vitest'
import type * as z from 'zod'
import { copycatStart } from '#contract/copycat'
import {
  claimRequest,
  heartbeat,
  hostInfo,
  jobRelease,
  progressReport,
  reportedOutput,
  resultReport,
  runnerRegistration,
} from '#contract/judging'
import { bulkRejudge, rejudgedChangesParams, requeue } from '#contract/judging/rejudges'
import { newRunner, runnerEdit } from '#contract/judging/runners'
import { newSampleRun } from '#contract/judging/sample-runs'
import {
  newProblem,
  problemForm,
  problemListParams,
  uploadCompletion,
  uploadPart,
  uploadStart,
} from '#contract/problems'
import { scoreboardParams } from '#contract/problems/stats'
import { newSubmission, submissionListParams } from '#contract/submissions'

const subtask = { caseCount: 1, taskScore: 100, memoryLimit: 65_536, timeLimit: 1_000 }
const form = {
  problemName: 'Sum',
  description: { description: '' },
  testCase: [subtask],
}
const id = '0'.repeat(24)
const result = {
  lease: 'x',
  status: 0,
  score: 100,
  runTime: 1,
  memoryUsage: 1,
  tasks: [],
  compileMessage: null,
  reason: null,
  outputs: [],
}
const stream = {
  stdout: '',
  stdoutSize: 0,
  stderr: '',
  stderrSize: 0,
  expected: '',
  expectedSize: 0,
}
const output = { task: 0, case: 0, ...stream }
const host = { hostname: 'h', kernel: 'k', cpu: 'c', cores: 1, memoryKb: 0, cgroup: 'v2' }
const beat = { active: [], slots: 1, free: 0, load: 0 }
const registration = { name: 'n', slots: 1, version: '1', host }
const text = (length: number) => 'x'.repeat(length)
const many = (count: number, item: unknown) => Array.from({ length: count }, () => item)

/** A schema, a function that puts a number into its input, and the least and greatest number allowed. */
type Bounds = [schema: z.ZodType, inputOf: (number: number) => unknown, min: number, max: number]

const taken = (schema: z.ZodType, input: unknown) => schema.safeParse(input).success

const ofForm = (inputOf: (number: number) => object) => (number: number) => ({
  ...form,
  ...inputOf(number),
})
const ofSubtask = (key: string) =>
  ofForm((number) => ({ testCase: [{ ...subtask, [key]: number }] }))

const NUMBERS: Record<string, Bounds> = {
  'cases of a subtask': [problemForm, ofSubtask('caseCount'), 1, 100],
  'memory of a subtask': [problemForm, ofSubtask('memoryLimit'), 1_024, 4_194_304],
  'time of a subtask': [problemForm, ofSubtask('timeLimit'), 1, 60_000],
  'output of a subtask': [problemForm, ofSubtask('outputLimit'), 1, 1_048_576],
  'points of a subtask': [
    problemForm,
    ofForm((points) => ({
      testCase: [
        { ...subtask, taskScore: points },
        { ...subtask, taskScore: 100 - points, sample: false },
      ],
    })),
    0,
    100,
  ],
  quota: [problemForm, ofForm((quota) => ({ quota })), -1, 10_000],
  languages: [problemForm, ofForm((allowedLanguage) => ({ allowedLanguage })), 1, 7],
  visibility: [problemForm, ofForm((status) => ({ status })), 0, 1],
  'bytes of an upload': [uploadStart, (length) => ({ length }), 1, Number.MAX_SAFE_INTEGER],
  'bytes of a part': [uploadStart, (partSize) => ({ length: 1, partSize }), 5_242_880, 67_108_864],
  'number of a part': [uploadPart, (PartNumber) => ({ ETag: 'x', PartNumber }), 1, 10_000],
  'language of a submission': [
    newSubmission,
    (languageType) => ({ problemId: 1, languageType }),
    0,
    2,
  ],
  'slots of a host': [runnerRegistration, (slots) => ({ ...registration, slots }), 1, 256],
  'slots of a heartbeat': [heartbeat, (slots) => ({ ...beat, slots }), 1, 256],
  'free slots': [heartbeat, (free) => ({ ...beat, free }), 0, 256],
  'slot limit': [runnerEdit, (slotLimit) => ({ slotLimit }), 1, 256],
  'cases that are done': [
    progressReport,
    (done) => ({ lease: 'x', phase: 'running', done, total: 0 }),
    0,
    10_000,
  ],
  'score of a result': [resultReport, (score) => ({ ...result, score }), 0, 100],
  'verdict of a result': [resultReport, (status) => ({ ...result, status }), 0, 7],
}

test.each(Object.entries(NUMBERS))('%s is a whole number within its bounds', (_, bounds) => {
  const [schema, inputOf, min, max] = bounds
  for (const [number, isTaken] of [
    [min, true],
    [max, true],
    [min - 1, false],
    [max + 1, false],
    [min + 0.5, false],
  ] as const)
    expect([number, taken(schema, inputOf(number))]).toEqual([number, isTaken])
})

const ofText = (inputOf: (text: string) => object) => (length: number) => inputOf(text(length))
const described = (key: string) =>
  ofText((value) => ({ ...form, description: { description: '', [key]: value } }))

/** A schema, a function that puts a text or list of a given length into its input, and the least and greatest length allowed. */
const LENGTHS: Record<string, Bounds> = {
  'name of a problem': [problemForm, ofText((problemName) => ({ ...form, problemName })), 1, 64],
  'name of a new problem': [
    newProblem,
    ofText((problemName) => ({ ...form, problemName, course: 'C' })),
    1,
    64,
  ],
  'part of a statement': [problemForm, described('description'), 0, 50_000],
  'input of a statement': [problemForm, described('input'), 0, 50_000],
  'output of a statement': [problemForm, described('output'), 0, 50_000],
  'hint of a statement': [problemForm, described('hint'), 0, 50_000],
  'sample of a statement': [
    problemForm,
    ofText((sample) => ({
      ...form,
      description: { description: '', sampleInput: [sample], sampleOutput: [sample] },
    })),
    0,
    16_384,
  ],
  'samples of a statement': [
    problemForm,
    (count) => ({
      ...form,
      description: {
        description: '',
        sampleInput: many(count, '1'),
        sampleOutput: many(count, '1'),
      },
    }),
    0,
    20,
  ],
  tag: [problemForm, ofText((tag) => ({ ...form, tags: [tag] })), 1, 16],
  tags: [problemForm, (count) => ({ ...form, tags: many(count, 'a') }), 0, 16],
  subtasks: [
    problemForm,
    (count) => ({
      ...form,
      testCase: [
        ...many(Math.max(0, count - 1), { ...subtask, taskScore: 0 }),
        ...many(Math.min(1, count), subtask),
      ],
    }),
    1,
    100,
  ],
  'search for a problem': [problemListParams, ofText((name) => ({ course: 'C', name })), 0, 64],
  'tags to search': [problemListParams, ofText((tags) => ({ course: 'C', tags })), 0, 512],
  'tag of a part': [uploadPart, ofText((ETag) => ({ ETag, PartNumber: 1 })), 1, 256],
  'id of an upload': [
    uploadCompletion,
    ofText((uploadId) => ({ uploadId, parts: [{ ETag: 'x', PartNumber: 1 }] })),
    1,
    2_048,
  ],
  'parts of an upload': [
    uploadCompletion,
    (count) => ({ uploadId: 'x', parts: many(count, { ETag: 'x', PartNumber: 1 }) }),
    1,
    205,
  ],
  'name of a host': [newRunner, ofText((name) => ({ name })), 1, 64],
  'new name of a host': [runnerEdit, ofText((name) => ({ name })), 1, 64],
  'name of a host that registers': [
    runnerRegistration,
    ofText((name) => ({ ...registration, name })),
    1,
    64,
  ],
  'version of a host': [
    runnerRegistration,
    ofText((version) => ({ ...registration, version })),
    0,
    64,
  ],
  'jobs of a heartbeat': [heartbeat, (count) => ({ ...beat, active: many(count, id) }), 0, 1_024],
  lease: [
    progressReport,
    ofText((lease) => ({ lease, phase: 'running', done: 0, total: 0 })),
    1,
    64,
  ],
  'reason of a hand-back': [
    jobRelease,
    ofText((reason) => ({ lease: 'x', drained: true, reason })),
    0,
    2_000,
  ],
  'reason of a result': [resultReport, ofText((reason) => ({ ...result, reason })), 0, 2_000],
  'message of a compiler': [
    resultReport,
    ofText((compileMessage) => ({ ...result, compileMessage })),
    0,
    65_536,
  ],
  'verdicts to judge again': [bulkRejudge, (count) => ({ status: many(count, 1) }), 1, 8],
  'inputs of a run': [
    newSampleRun,
    (count) => ({ languageType: 0, code: '', inputs: many(count, '1') }),
    0,
    10,
  ],
  'characters of the inputs of a run': [
    newSampleRun,
    (length) => ({
      languageType: 0,
      code: '',
      inputs: ['x', text(Math.max(0, length - 1))],
    }),
    1,
    262_144,
  ],
  'people of a search for copies': [
    copycatStart,
    (count) => ({ course: 'C', problemId: 1, usernames: many(count, 'a') }),
    2,
    2_000,
  ],
}

test.each(Object.entries(LENGTHS))('%s has a length within its bounds', (name, bounds) => {
  const [schema, inputOf, min, max] = bounds
  expect([name, taken(schema, inputOf(min)), taken(schema, inputOf(max))]).toEqual([
    name,
    true,
    true,
  ])
  expect([name, taken(schema, inputOf(max + 1))]).toEqual([name, false])
  if (min > 0 && !name.startsWith('characters'))
    expect([name, taken(schema, inputOf(min - 1))]).toEqual([name, false])
})

/** Query parameters arrive as texts. */
const QUERIES: Record<string, Bounds> = {
  'problems of a page': [
    problemListParams,
    (limit) => ({ course: 'C', limit: String(limit) }),
    1,
    200,
  ],
  'submissions of a page': [submissionListParams, (limit) => ({ limit: String(limit) }), 1, 200],
  'submissions of an older page': [
    submissionListParams,
    (count) => ({ count: String(count) }),
    1,
    200,
  ],
  'submissions to pass over': [
    submissionListParams,
    (offset) => ({ offset: String(offset) }),
    0,
    1_000,
  ],
  'status of a list': [submissionListParams, (status) => ({ status: String(status) }), -1, 7],
  'language of a list': [
    submissionListParams,
    (languageType) => ({ languageType: String(languageType) }),
    0,
    2,
  ],
  'changes of a page': [rejudgedChangesParams, (limit) => ({ limit: String(limit) }), 1, 200],
  'begin of a scoreboard': [
    scoreboardParams,
    (start) => ({ start: String(start) }),
    0,
    8_640_000_000_000,
  ],
}

test.each(Object.entries(QUERIES))('%s is a number within its bounds', (_, bounds) => {
  const [schema, inputOf, min, max] = bounds
  const results = [min, max, min - 1, max + 1].map((number) => taken(schema, inputOf(number)))
  expect(results).toEqual([true, true, false, false])
})

describe('what is left out of a form', () => {
  test('of a problem has its default', () => {
    expect(problemForm.parse(form)).toEqual({
      ...form,
      status: 1,
      type: 0,
      tags: [],
      quota: -1,
      allowedLanguage: 7,
      description: {
        description: '',
        input: '',
        output: '',
        hint: '',
        sampleInput: [],
        sampleOutput: [],
      },
      testCase: [{ ...subtask, outputLimit: 65_536, sample: false }],
      compare: { mode: 'lines' },
      revealTests: false,
      awaitsTestData: false,
    })
  })

  test('of a claim and a run has its default', () => {
    expect(claimRequest.parse({})).toEqual({ takesRuns: false, ahead: false })
    expect(newSampleRun.parse({ languageType: 0, code: '' })).toEqual({
      languageType: 0,
      code: '',
      inputs: [],
    })
  })
})

test('only Judge Errors are queued again, and figures of hosts and outputs are none below 0', () => {
  for (const status of [0, 5, 6, 7]) expect(taken(requeue, { status })).toBe(status === 6)
  for (const [schema, input, keys] of [
    [reportedOutput, output, ['task', 'case', 'stdoutSize', 'stderrSize', 'expectedSize']],
    [resultReport, result, ['runTime', 'memoryUsage', 'judgedMs']],
    [heartbeat, beat, ['load']],
    [hostInfo, host, ['memoryKb', 'calibrationMs']],
  ] as const)
    for (const key of keys)
      expect([
        key,
        taken(schema, { ...input, [key]: 0 }),
        taken(schema, { ...input, [key]: -1 }),
      ]).toEqual([key, true, false])
  expect([taken(hostInfo, { ...host, cores: 0 }), taken(hostInfo, host)]).toEqual([false, true])
})

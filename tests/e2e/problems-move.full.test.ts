/** A problem leaves one installation and arrives in an empty one, by calls of the API alone. */
import { createHash } from 'node:crypto'
import { TextReader, Uint8ArrayWriter, ZipWriter } from '@zip.js/zip.js'
import { expect, test } from 'vitest'
import { courseItem } from '#contract/courses'
import { managedProblem, problemCreated, type NewProblem } from '#contract/problems'
import { submissionCreated, submissionDetail } from '#contract/submissions'
import { STATUS, type SubmissionStatus } from '#contract/verdicts'
import type { ApiClient } from '../../scripts/api-client.ts'
import { clientOf, startTestStack } from '../support/stack.ts'
import { VERDICT_PROGRAMS } from './verdict-programs.ts'

const COURSE = 'Moving'

const FORM: NewProblem = {
  course: COURSE,
  problemName: 'Twice $n$',
  status: 0,
  tags: ['arithmetic'],
  quota: 50,
  description: {
    description: 'Read *n*, print $2n$.',
    input: 'One integer.',
    output: 'Its double.',
    hint: '`long` is enough.',
    sampleInput: ['1\n'],
    sampleOutput: ['2\n'],
  },
  testCase: [
    { caseCount: 1, taskScore: 0, memoryLimit: 262_144, timeLimit: 1_000 },
    { caseCount: 2, taskScore: 100, memoryLimit: 262_144, timeLimit: 1_000 },
  ],
}

async function zipOfDoubles(): Promise<Uint8Array<ArrayBuffer>> {
  const writer = new ZipWriter(new Uint8ArrayWriter(), { useWebWorkers: false })
  for (const [name, n] of [
    ['0000', 1],
    ['0100', 21],
    ['0101', -7],
  ] as const) {
    await writer.add(`${name}.in`, new TextReader(`${n}\n`))
    await writer.add(`${name}.out`, new TextReader(`${2 * n}\n`))
  }
  return new Uint8Array(await writer.close())
}

/** An administrator of an installation with an empty course. */
async function signIn(url: string): Promise<ApiClient> {
  const admin = await clientOf(url, 'admin')
  await admin.call('POST', '/course', courseItem.pick({ course: true }), {
    json: { course: COURSE, teacher: 'admin' },
  })
  return admin
}

/** The parts of a problem that move: the form and the zip. */
async function exported(admin: ApiClient, problemId: number) {
  const form = await admin.call('GET', `/problem/manage/${problemId}`, managedProblem)
  const { problemName, status, type, tags, quota, allowedLanguage } = form
  const { description, testCase, compare } = form
  const zip = await admin.send('GET', `/problem/${problemId}/testcase`)
  return {
    form: {
      course: COURSE,
      problemName,
      status,
      type,
      tags,
      quota,
      allowedLanguage,
      description,
      testCase,
      compare,
    },
    zip: new Uint8Array(await zip.arrayBuffer()),
  }
}

async function imported(admin: ApiClient, form: NewProblem, zip: Uint8Array<ArrayBuffer>) {
  const { problemId } = await admin.call('POST', '/problem/manage', problemCreated, { json: form })
  await admin.uploadTestData(problemId, zip)
  return problemId
}

/** The verdict of every reference program, in order. */
async function verdicts(admin: ApiClient, problemId: number): Promise<SubmissionStatus[]> {
  const ids: string[] = []
  for (const { languageType, code } of VERDICT_PROGRAMS) {
    const json = { problemId, languageType, code }
    ids.push((await admin.call('POST', '/submission', submissionCreated, { json })).submissionId)
  }
  const read = () =>
    Promise.all(
      ids.map(
        async (id) => (await admin.call('GET', `/submission/${id}`, submissionDetail)).status,
      ),
    )
  await expect.poll(read, { interval: 500 }).not.toContain(STATUS.PENDING)
  return read()
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

test('a problem taken to an empty installation has the same statement, configuration, data and nine verdicts [UP8]', async () => {
  const [home, away] = await Promise.all([startTestStack(), startTestStack()])
  try {
    const [admin, elsewhere] = await Promise.all([signIn(home.url), signIn(away.url)])
    const problemId = await imported(admin, FORM, await zipOfDoubles())
    const taken = await exported(admin, problemId)
    const arrivedId = await imported(elsewhere, taken.form, taken.zip)
    const arrived = await exported(elsewhere, arrivedId)
    expect(taken.form).toMatchObject(FORM)
    expect(arrived.form).toEqual(taken.form)
    expect(sha256(arrived.zip)).toBe(sha256(taken.zip))
    const expected = VERDICT_PROGRAMS.map(({ status }) => status)
    expect(await verdicts(admin, problemId)).toEqual(expected)
    expect(await verdicts(elsewhere, arrivedId)).toEqual(expected)
  } finally {
    await Promise.all([home.stop(), away.stop()])
  }
})

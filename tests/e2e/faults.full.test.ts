/** Faults that must lose nothing: a runner dies with a job, and parts of test data are sent again. */
import { createHash, randomBytes } from 'node:crypto'
import { TextReader, Uint8ArrayReader, Uint8ArrayWriter, ZipWriter } from '@zip.js/zip.js'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { courseItem } from '#contract/courses'
import { problemCreated, testDataAccepted, uploadPart, uploadStarted } from '#contract/problems'
import { submissionCreated, submissionDetail, type SubmissionDetail } from '#contract/submissions'
import { STATUS } from '#contract/verdicts'
import type { ApiClient } from '../../scripts/api-client.ts'
import { clientOf, startTestStack, type TestStack } from '../support/stack.ts'

const COURSE = 'Faults'
const CASES = 10

let stack: TestStack
let admin: ApiClient

beforeAll(async () => {
  stack = await startTestStack({ runners: 2 })
  admin = await clientOf(stack.url, 'admin')
  await admin.call('POST', '/course', courseItem.pick({ course: true }), {
    json: { course: COURSE, teacher: 'admin' },
  })
})

afterAll(() => stack.stop())

/** A zip with one subtask; all its cases have this input. */
async function zipOf(caseCount: number, input: Uint8Array<ArrayBuffer>) {
  const writer = new ZipWriter(new Uint8ArrayWriter(), { useWebWorkers: false })
  for (let index = 0; index < caseCount; index += 1) {
    const name = String(index).padStart(4, '0')
    await writer.add(`${name}.in`, new Uint8ArrayReader(input))
    await writer.add(`${name}.out`, new TextReader('done\n'))
  }
  return new Uint8Array(await writer.close())
}

/** A problem of one subtask, without its test data. */
async function createProblem(caseCount: number): Promise<number> {
  const { problemId } = await admin.call('POST', '/problem/manage', problemCreated, {
    json: {
      course: COURSE,
      problemName: 'Patience',
      status: 0,
      description: { description: 'Print done.' },
      testCase: [{ caseCount, taskScore: 100, memoryLimit: 65_536, timeLimit: 2_000 }],
    },
  })
  return problemId
}

function read(submissionId: string): Promise<SubmissionDetail> {
  return admin.call('GET', `/submission/${submissionId}`, submissionDetail)
}

test('a runner killed in the middle of a submission loses nothing: another one finishes it [QF2]', async () => {
  const problemId = await createProblem(CASES)
  await admin.uploadTestData(problemId, await zipOf(CASES, new Uint8Array(0)))
  // Each case burns half a second, so the kill comes in the middle.
  const code = `#include <stdio.h>
#include <time.h>
int main(void) {
  while (clock() < CLOCKS_PER_SEC / 2) {}
  puts("done");
}`
  const { submissionId } = await admin.call('POST', '/submission', submissionCreated, {
    json: { problemId, languageType: 0, code },
  })
  await expect
    .poll(async () => (await read(submissionId)).progress?.done ?? 0, {
      interval: 100,
    })
    .toBeGreaterThan(0)
  // Either runner may have the job; if the other one dies, nothing is lost either.
  stack.killRunner(0)
  stack.killRunner(1)
  await expect
    .poll(async () => (await read(submissionId)).status, { interval: 500 })
    .toBe(STATUS.AC)
  const judged = await read(submissionId)
  expect(judged.score).toBe(100)
  expect(judged.tasks?.[0]?.cases).toHaveLength(CASES)
  expect(judged.judgements).toHaveLength(1)
})

test('a 25 MB zip sent in parts, each of them twice, comes back byte for byte', async () => {
  const problemId = await createProblem(1)
  const zip = await zipOf(1, new Uint8Array(randomBytes(25_000_000)))
  const upload = await admin.call(
    'POST',
    `/problem/${problemId}/initiate-test-case-upload`,
    uploadStarted,
    {
      json: { length: zip.length },
    },
  )
  expect(upload.urls.length).toBeGreaterThan(2)
  const parts = []
  for (const [index, url] of upload.urls.entries()) {
    const bytes = zip.slice(index * upload.partSize, (index + 1) * upload.partSize)
    const path = url.replace('/api', '')
    await admin.call('PUT', path, uploadPart, { bytes })
    parts.push(await admin.call('PUT', path, uploadPart, { bytes }))
  }
  await admin.call('POST', `/problem/${problemId}/complete-test-case-upload`, testDataAccepted, {
    json: { uploadId: upload.uploadId, parts },
  })
  const response = await admin.send('GET', `/problem/${problemId}/testcase`)
  const downloaded = new Uint8Array(await response.arrayBuffer())
  expect(createHash('sha256').update(downloaded).digest('hex')).toBe(
    createHash('sha256').update(zip).digest('hex'),
  )
})

/** For some seconds the database is locked, the bucket is gone, or the queue has ended. */
import { readdirSync } from 'node:fs'
import { rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as delay } from 'node:timers/promises'
import { beforeAll, expect, test } from 'vitest'
import { errorEnvelope, okEnvelope } from '#contract/errors'
import { uploadStarted } from '#contract/problems'
import * as z from 'zod'
import { databaseFile } from '../../scripts/stack/local-database.ts'
import { testDataZip } from '../runner/fixtures/zip-builder.ts'
import { FaultStack, isFull } from './support/fault-stack.ts'

/** How long each failure lasts. */
const FAILURE_MS = isFull ? 20_000 : 5_000
const IN_FLIGHT = 9
const PART = new Uint8Array(testDataZip([[['1', '2']]]))

let faults: FaultStack
let problemId = 0

beforeAll(async () => {
  faults = await FaultStack.start()
  await faults.startRunners(2)
  problemId = await faults.createProblem('storage')
})

interface Failure {
  what: string
  /** Starts the failure; answers a function that ends it. */
  begin: () => Promise<() => Promise<void>>
  /** Whether callers notice the failure. A failing queue only costs time. */
  isSeen: boolean
}

/** Another process holds the lock, so nothing can be written. */
async function lockDatabase(): Promise<() => Promise<void>> {
  const database = new DatabaseSync(databaseFile(join(faults.stack.stateDir, 'worker')))
  database.exec('pragma busy_timeout = 30000')
  database.exec('begin exclusive')
  return async () => {
    database.exec('rollback')
    database.close()
  }
}

/** A file replaces the bucket's folder, so nothing can be read or written. */
async function hideBucket(): Promise<() => Promise<void>> {
  const root = join(faults.stack.stateDir, 'worker/v3/r2')
  const bucket = readdirSync(root).find((name) => !name.startsWith('miniflare-')) ?? ''
  const blobs = join(root, bucket, 'blobs')
  await rename(blobs, `${blobs}.hidden`)
  await writeFile(blobs, '')
  return async () => {
    await rm(blobs)
    await rename(`${blobs}.hidden`, blobs)
  }
}

async function endQueue(): Promise<() => Promise<void>> {
  await faults.stack.killQueue()
  return () => faults.stack.startQueue()
}

const FAILURES: Failure[] = [
  { what: 'the database', begin: lockDatabase, isSeen: true },
  { what: 'the bucket', begin: hideBucket, isSeen: true },
  { what: 'the queue', begin: endQueue, isSeen: false },
]

/** Begins an upload of test data; answers the address of its only part. */
async function beginUpload(): Promise<string> {
  const path = `/problem/${problemId}/initiate-test-case-upload`
  const json = { length: PART.length }
  const { urls } = await faults.admin.call('POST', path, uploadStarted, { json })
  return urls[0]?.replace('/api', '') ?? ''
}

/** Calls during the failure: they read and write rows, and write an object. */
async function callMeanwhile(what: string, part: string): Promise<Response[]> {
  const { admin } = faults
  return [
    await admin.send('POST', '/course', { json: { course: `During ${what}`, teacher: 'admin' } }),
    await admin.send('PUT', part, { bytes: PART }),
    await admin.send('GET', '/submission'),
  ]
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Whether a call succeeded; a failed call must carry the API's own error. */
async function succeeded(response: Response): Promise<boolean> {
  const text = await response.text()
  const answer = (response.ok ? okEnvelope(z.unknown()) : errorEnvelope).safeParse(readJson(text))
  expect(answer.success, `${response.url}: ${response.status} ${text.slice(0, 200)}`).toBe(true)
  return response.ok
}

test.each(FAILURES)(
  '$what fails for some seconds: callers get an answer of the API, everything is judged once [QF3]',
  async ({ what, begin, isSeen }) => {
    const sent = await faults.submitAll(problemId, IN_FLIGHT, { mark: `before ${what}`, ms: 50 })
    const part = await beginUpload()
    const end = await begin()
    const failsUntilMs = performance.now() + FAILURE_MS
    const late = faults.submitAll(problemId, IN_FLIGHT, { mark: `during ${what}`, ms: 50 })
    const refused = []
    try {
      do {
        for (const response of await callMeanwhile(what, part))
          if (!(await succeeded(response))) refused.push(response.status)
        // The length of the failure is part of the test.
        await delay(500)
      } while (performance.now() < failsUntilMs)
    } finally {
      await end()
    }
    await faults.expectOneResultEach([...sent, ...(await late)])
    expect(refused.includes(500)).toBe(isSeen)
  },
)

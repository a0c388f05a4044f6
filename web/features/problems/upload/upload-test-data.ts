/** Sends a test-data zip in parts: initiate, PUT the parts, complete. */
import {
  testDataAccepted,
  uploadStarted,
  type TestDataAccepted,
  type UploadPart,
} from '#contract/problems'
import { call } from '../../../lib/api/call.ts'
import { ApiError, isLimited, isNotFound, isTransient } from '../../../lib/api/api-error.ts'
import { pause, callWithRetries, type OnWait } from '../../../lib/api/patient-call.ts'
import { putPart } from './put-part.ts'
import {
  findUnfinished,
  fingerprintOf,
  forgetUnfinished,
  keepUnfinished,
  type UnfinishedUpload,
} from './unfinished-upload.ts'

/** Parts uploaded in parallel. */
const PARALLEL_PARTS = 3
/** Retries of a part after server or network failures. */
const PART_RETRIES = 4

interface PartRange {
  number: number
  start: number
  end: number
}

/** Splits a file into equal parts and a shorter last one; numbers start at 1. */
export function partRanges(size: number, partSize: number): PartRange[] {
  return Array.from({ length: Math.ceil(size / partSize) }, (_, index) => ({
    number: index + 1,
    start: index * partSize,
    end: Math.min(size, (index + 1) * partSize),
  }))
}

/** Milliseconds before a part's next retry: 1 s, 2 s, 4 s … */
export function retryDelayMs(failures: number): number {
  return 1_000 * 2 ** (failures - 1)
}

/** Sends a part until it has arrived, is refused, or has no retries left. */
async function sendPart(
  put: () => Promise<UploadPart>,
  signal: AbortSignal,
  onWait: OnWait,
  failures = 0,
): Promise<UploadPart> {
  try {
    return await callWithRetries(put, { signal, onWait })
  } catch (error) {
    if (!isTransient(error) || failures >= PART_RETRIES) throw error
    await pause(retryDelayMs(failures + 1), signal)
    return sendPart(put, signal, onWait, failures + 1)
  }
}

interface UploadOptions {
  problemId: number
  file: File
  signal: AbortSignal
  /** Share of the file that has been sent, 0–1. */
  onProgress: (share: number) => void
  onWait: OnWait
}

/** Starts an upload, or resumes the interrupted one of this file. */
async function begin(options: UploadOptions): Promise<UnfinishedUpload> {
  const { problemId, file, signal, onWait } = options
  const found = await findUnfinished(problemId, file)
  if (found) return found
  function initiate() {
    return call('POST /problem/:id/initiate-test-case-upload', {
      params: { id: problemId },
      body: { length: file.size },
      signal,
      as: uploadStarted,
    })
  }
  const started = await callWithRetries(initiate, { signal, onWait })
  return { ...started, fingerprint: await fingerprintOf(file), parts: [] }
}

/** Sends the missing parts, and remembers each that arrives. */
async function sendParts(upload: UnfinishedUpload, options: UploadOptions): Promise<void> {
  const { problemId, file, signal, onProgress, onWait } = options
  const { partSize, urls, parts } = upload
  const arrived = new Set(parts.map(({ PartNumber }) => PartNumber))
  const ranges = partRanges(file.size, partSize)
  const sent = ranges.map(({ number, start, end }) => (arrived.has(number) ? end - start : 0))
  const waiting = ranges.filter(({ number }) => !arrived.has(number)).values()

  async function work(): Promise<void> {
    for (const { number, start, end } of waiting) {
      function noteSent(bytes: number) {
        sent[number - 1] = bytes
        onProgress(sent.reduce((sum, one) => sum + one, 0) / file.size)
      }
      function put() {
        return putPart(urls[number - 1] ?? '', file.slice(start, end), signal, noteSent)
      }
      // Each worker sends one part after the other.
      parts.push(await sendPart(put, signal, onWait))
      keepUnfinished(problemId, upload)
    }
  }

  await Promise.all(Array.from({ length: PARALLEL_PARTS }, work))
}

/** Whether an upload can resume after this failure: server, network, limit or ended session. */
function mayGoOn(error: unknown): boolean {
  return (
    isTransient(error) || isLimited(error) || (error instanceof ApiError && error.status === 401)
  )
}

/** Deletes an upload and its parts. @returns false if the upload no longer existed */
async function discard(problemId: number, uploadId: string): Promise<boolean> {
  try {
    const params = { id: problemId, uploadId }
    await call('DELETE /problem/:id/test-case-upload/:uploadId', { params })
    return true
  } catch {
    return false
  }
}

/**
 * Completes the upload, which activates the zip. Only the server knows whether the user stopped the upload in time: the
 * stop counts if the server could still delete the upload, otherwise the server's answer counts.
 */
function complete(
  { uploadId, parts }: UnfinishedUpload,
  { problemId, signal, onWait }: UploadOptions,
): Promise<TestDataAccepted> {
  return new Promise((resolve, reject) => {
    async function stop() {
      if (await discard(problemId, uploadId)) reject(signal.reason)
    }
    function stopOnce() {
      void stop()
    }
    signal.throwIfAborted()
    signal.addEventListener('abort', stopOnce)
    function put() {
      return call('POST /problem/:id/complete-test-case-upload', {
        params: { id: problemId },
        body: { uploadId, parts: parts.toSorted((a, b) => a.PartNumber - b.PartNumber) },
        as: testDataAccepted,
      })
    }
    callWithRetries(put, { signal, onWait })
      .finally(() => signal.removeEventListener('abort', stopOnce))
      .then(resolve, reject)
  })
}

/**
 * Uploads a zip; the old test data stay active until it is accepted. An interrupted upload resumes where it stopped.
 * Aborting takes effect at once.
 * @throws ApiError; for a bad zip its `fieldErrors` name every bad entry
 */
export async function uploadTestData(options: UploadOptions): Promise<TestDataAccepted> {
  const { problemId, signal } = options
  const upload = await begin(options)
  const wasInterrupted = upload.parts.length > 0
  // The first part that fails for good aborts the other parts.
  const ours = new AbortController()
  try {
    await sendParts(upload, { ...options, signal: AbortSignal.any([signal, ours.signal]) })
  } catch (error) {
    ours.abort(error)
    // Deletes the stored parts of an aborted upload, without waiting for the answer.
    if (signal.aborted) void discard(problemId, upload.uploadId)
    return giveUp(error, wasInterrupted, options)
  }
  try {
    const accepted = await complete(upload, options)
    forgetUnfinished(problemId)
    return accepted
  } catch (error) {
    return giveUp(error, wasInterrupted, options)
  }
}

/** Keeps the upload if it can resume; starts over if the server has forgotten it. */
async function giveUp(
  error: unknown,
  wasInterrupted: boolean,
  options: UploadOptions,
): Promise<TestDataAccepted> {
  const { problemId, signal } = options
  if (!signal.aborted && mayGoOn(error)) throw error
  forgetUnfinished(problemId)
  if (!signal.aborted && wasInterrupted && isNotFound(error)) return uploadTestData(options)
  throw error
}

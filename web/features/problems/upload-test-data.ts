/** Sends a test-data zip in parts: initiate, PUT the parts, complete. */
import {
  testDataAccepted,
  uploadStarted,
  type TestDataAccepted,
  type UploadPart,
} from '#contract/problems'
import { anything, apiPath, callApi } from '../../lib/api.ts'
import { ApiError, isLimited, isNotFound, isTransient } from '../../lib/api-error.ts'
import { pause, whenTaken, type OnWait } from './patient-call.ts'
import { putPart } from './put-part.ts'
import {
  findUnfinished,
  fingerprintOf,
  forgetUnfinished,
  keepUnfinished,
  type UnfinishedUpload,
} from './unfinished-upload.ts'

/** Parts that travel at the same time. */
const PARALLEL_PARTS = 3
/** Further tries of a part that failed for reasons of ours or the network's. */
const PART_RETRIES = 4

interface PartRange {
  number: number
  start: number
  end: number
}

/** How a file is cut: equal parts, a shorter last one; numbers count from 1. */
export function partRanges(size: number, partSize: number): PartRange[] {
  return Array.from({ length: Math.ceil(size / partSize) }, (_, index) => ({
    number: index + 1,
    start: index * partSize,
    end: Math.min(size, (index + 1) * partSize),
  }))
}

/** Milliseconds before a part's next try: 1 s, 2 s, 4 s … */
export function retryDelayMs(failures: number): number {
  return 1_000 * 2 ** (failures - 1)
}

/** Tries until the part is there, it is refused, or patience ends. */
async function sendPart(
  put: () => Promise<UploadPart>,
  signal: AbortSignal,
  onWait: OnWait,
  failures = 0,
): Promise<UploadPart> {
  try {
    return await whenTaken(put, signal, onWait)
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

/** Begins an upload, or goes on with the one of this very file that was interrupted. */
async function begin(options: UploadOptions): Promise<UnfinishedUpload> {
  const { problemId, file, signal, onWait } = options
  const found = await findUnfinished(problemId, file)
  if (found) return found
  function initiate() {
    return callApi(apiPath`/problem/${problemId}/initiate-test-case-upload`, uploadStarted, {
      method: 'POST',
      body: { length: file.size },
      signal,
    })
  }
  const started = await whenTaken(initiate, signal, onWait)
  return { ...started, fingerprint: await fingerprintOf(file), parts: [] }
}

/** Sends the parts that have not arrived yet, and remembers each that does. */
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
      // A worker sends one part after the other; three of them run side by side.
      parts.push(await sendPart(put, signal, onWait))
      keepUnfinished(problemId, upload)
    }
  }

  await Promise.all(Array.from({ length: PARALLEL_PARTS }, work))
}

/** Whether the parts that have arrived are of use after this failure: ours, the network's, a limit, or an ended session. */
function mayGoOn(error: unknown): boolean {
  return (
    isTransient(error) || isLimited(error) || (error instanceof ApiError && error.status === 401)
  )
}

/** Throws an upload and its parts away; answers whether there was still something to throw away. */
async function discard(problemId: number, uploadId: string): Promise<boolean> {
  try {
    await callApi(apiPath`/problem/${problemId}/test-case-upload/${uploadId}`, anything, {
      method: 'DELETE',
    })
    return true
  } catch {
    return false
  }
}

/**
 * Puts the zip in force. Once this is asked for only the server knows whether a stop came in time: who stops here has
 * stopped it if the server says so; otherwise the answer counts.
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
      return callApi(apiPath`/problem/${problemId}/complete-test-case-upload`, testDataAccepted, {
        method: 'POST',
        body: { uploadId, parts: parts.toSorted((a, b) => a.PartNumber - b.PartNumber) },
      })
    }
    whenTaken(put, signal, onWait)
      .finally(() => signal.removeEventListener('abort', stopOnce))
      .then(resolve, reject)
  })
}

/**
 * Uploads a zip; the old test data stay in force until it is accepted. What was interrupted goes on where it stopped.
 * A stop takes effect at once, whatever is on its way.
 * @throws ApiError; for a bad zip its `fieldErrors` name every bad entry
 */
export async function uploadTestData(options: UploadOptions): Promise<TestDataAccepted> {
  const { problemId, signal } = options
  const upload = await begin(options)
  const wasInterrupted = upload.parts.length > 0
  // The first part that fails for good stops the others.
  const ours = new AbortController()
  try {
    await sendParts(upload, { ...options, signal: AbortSignal.any([signal, ours.signal]) })
  } catch (error) {
    ours.abort(error)
    // Whoever stops an upload frees the parts already stored, and need not wait for that.
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

/** Keeps what has arrived if it is of use later; begins anew where the server knows nothing of it any more. */
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

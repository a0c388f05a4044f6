/** Sends a test-data zip in parts (contract §6): initiate, PUT the parts, complete. */
import {
  testDataAccepted,
  uploadPart,
  uploadStarted,
  type TestDataAccepted,
  type UploadPart,
} from '#contract/problems'
import { okEnvelope } from '#contract/errors'
import { anything, apiHref, apiPath, callApi, noteRefusal, toApiError } from '../../lib/api.ts'
import { ApiError, isNotFound, isTransient, LOCAL_ERROR_CODES } from '../../lib/api-error.ts'
import { noteAnswer, noteNoAnswer } from '../../lib/connection.ts'
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

export interface PartRange {
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

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** One PUT. XMLHttpRequest, because fetch does not tell how much has been sent. */
function putPart(
  url: string,
  bytes: Blob,
  signal: AbortSignal,
  onSent: (bytes: number) => void,
): Promise<UploadPart> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    const sentAtMs = performance.now()
    function abort() {
      request.abort()
    }
    function fail(error: unknown) {
      signal.removeEventListener('abort', abort)
      reject(error)
    }
    request.open('PUT', apiHref(url))
    request.withCredentials = true
    request.setRequestHeader('Content-Type', 'application/octet-stream')
    request.upload.addEventListener('progress', (event) => onSent(event.loaded))
    request.addEventListener('abort', () => fail(signal.reason))
    request.addEventListener('error', () => {
      noteNoAnswer()
      fail(
        new ApiError({
          status: 0,
          code: LOCAL_ERROR_CODES.network,
          message: 'No answer to a part.',
        }),
      )
    })
    request.addEventListener('load', () => {
      noteAnswer(request.status, sentAtMs)
      const body = parseJson(request.responseText)
      const part = okEnvelope(uploadPart).safeParse(body)
      if (!part.success) return fail(noteRefusal(toApiError(request.status, body, null)))
      signal.removeEventListener('abort', abort)
      onSent(bytes.size)
      resolve(part.data.data)
    })
    signal.addEventListener('abort', abort)
    if (signal.aborted) fail(signal.reason)
    else request.send(bytes)
  })
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      reject(signal.reason)
    })
  })
}

/** Tries until the part is there, it is refused, or patience ends. */
async function sendPart(
  url: string,
  bytes: Blob,
  signal: AbortSignal,
  onSent: (bytes: number) => void,
  failures = 0,
): Promise<UploadPart> {
  try {
    return await putPart(url, bytes, signal, onSent)
  } catch (error) {
    onSent(0)
    if (!isTransient(error) || failures >= PART_RETRIES) throw error
    await pause(retryDelayMs(failures + 1), signal)
    return sendPart(url, bytes, signal, onSent, failures + 1)
  }
}

interface UploadOptions {
  problemId: number
  file: File
  signal: AbortSignal
  /** Share of the file that has been sent, 0–1. */
  onProgress: (share: number) => void
}

/** Begins an upload, or goes on with the one of this very file that was interrupted. */
async function begin({ problemId, file, signal }: UploadOptions): Promise<UnfinishedUpload> {
  const found = await findUnfinished(problemId, file)
  if (found) return found
  const started = await callApi(
    apiPath`/problem/${problemId}/initiate-test-case-upload`,
    uploadStarted,
    { method: 'POST', body: { length: file.size }, signal },
  )
  return { ...started, fingerprint: await fingerprintOf(file), parts: [] }
}

/** Sends the parts that have not arrived yet, and remembers each that does. */
async function sendParts(upload: UnfinishedUpload, options: UploadOptions): Promise<void> {
  const { problemId, file, signal, onProgress } = options
  const { partSize, urls, parts } = upload
  const arrived = new Set(parts.map(({ PartNumber }) => PartNumber))
  const ranges = partRanges(file.size, partSize)
  const sent = ranges.map(({ number, start, end }) => (arrived.has(number) ? end - start : 0))
  const waiting = ranges.filter(({ number }) => !arrived.has(number)).values()

  async function work(): Promise<void> {
    for (const { number, start, end } of waiting) {
      // A worker sends one part after the other; three of them run side by side.
      const part = await sendPart(
        urls[number - 1] ?? '',
        file.slice(start, end),
        signal,
        (bytes) => {
          sent[number - 1] = bytes
          onProgress(sent.reduce((sum, one) => sum + one, 0) / file.size)
        },
      )
      parts.push(part)
      keepUnfinished(problemId, upload)
    }
  }

  await Promise.all(Array.from({ length: PARALLEL_PARTS }, work))
}

/** Whether the parts that have arrived are of use after this failure: ours, the network's, or an ended session. */
function mayGoOn(error: unknown): boolean {
  return isTransient(error) || (error instanceof ApiError && error.status === 401)
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
  { problemId, signal }: UploadOptions,
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
    callApi(apiPath`/problem/${problemId}/complete-test-case-upload`, testDataAccepted, {
      method: 'POST',
      body: { uploadId, parts: parts.toSorted((a, b) => a.PartNumber - b.PartNumber) },
    })
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

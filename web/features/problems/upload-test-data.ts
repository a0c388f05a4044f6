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
import { ApiError, isTransient, LOCAL_ERROR_CODES } from '../../lib/api-error.ts'
import { noteAnswer, noteNoAnswer } from '../../lib/connection.ts'

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
  file: Blob
  signal: AbortSignal
  /** Share of the file that has been sent, 0–1. */
  onProgress: (share: number) => void
}

/**
 * Uploads a zip; the old test data stay in force until it is accepted.
 * @throws ApiError; for a bad zip its `fieldErrors` name every bad entry
 */
export async function uploadTestData(options: UploadOptions): Promise<TestDataAccepted> {
  const { problemId, file, signal, onProgress } = options
  const { uploadId, partSize, urls } = await callApi(
    apiPath`/problem/${problemId}/initiate-test-case-upload`,
    uploadStarted,
    { method: 'POST', body: { length: file.size }, signal },
  )
  const ranges = partRanges(file.size, partSize)
  const sent = ranges.map(() => 0)
  const parts: UploadPart[] = []
  const waiting = ranges.values()
  // The first part that fails for good stops the others.
  const ours = new AbortController()
  const either = AbortSignal.any([signal, ours.signal])

  async function work(): Promise<void> {
    for (const { number, start, end } of waiting) {
      // A worker sends one part after the other; three of them run side by side.
      // eslint-disable-next-line no-await-in-loop
      const part = await sendPart(
        urls[number - 1] ?? '',
        file.slice(start, end),
        either,
        (bytes) => {
          sent[number - 1] = bytes
          onProgress(sent.reduce((sum, one) => sum + one, 0) / file.size)
        },
      )
      parts.push(part)
    }
  }

  try {
    await Promise.all(Array.from({ length: PARALLEL_PARTS }, work))
    return await callApi(
      apiPath`/problem/${problemId}/complete-test-case-upload`,
      testDataAccepted,
      {
        method: 'POST',
        body: { uploadId, parts: parts.toSorted((a, b) => a.PartNumber - b.PartNumber) },
        signal,
      },
    )
  } catch (error) {
    ours.abort(error)
    // Frees the parts already stored; without it they go after a week.
    await callApi(apiPath`/problem/${problemId}/test-case-upload/${uploadId}`, anything, {
      method: 'DELETE',
    }).catch(() => undefined)
    throw error
  }
}

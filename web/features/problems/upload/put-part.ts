/** Sends one part of a test-data zip. */
import { okEnvelope } from '#contract/errors'
import { uploadPart, type UploadPart } from '#contract/problems'
import { ApiError, LOCAL_ERROR_CODES } from '../../../lib/api/api-error.ts'
import { apiHref, noteRefusal, retryAfterSeconds, toApiError } from '../../../lib/api/api.ts'
import { noteAnswer, noteNoAnswer } from '../../../lib/api/connection.ts'
import { parseJson } from '../../../lib/api/parse-json.ts'

/** PUTs a part. XMLHttpRequest, because fetch reports no upload progress. @throws ApiError */
export function putPart(
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
      onSent(0)
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
      noteAnswer(sentAtMs)
      const text = request.responseText
      const part = okEnvelope(uploadPart).safeParse(parseJson(text))
      const retryAfter = retryAfterSeconds(request.getResponseHeader('Retry-After'))
      if (!part.success) return fail(noteRefusal(toApiError(request.status, text, retryAfter)))
      signal.removeEventListener('abort', abort)
      onSent(bytes.size)
      resolve(part.data.data)
    })
    signal.addEventListener('abort', abort)
    if (signal.aborted) fail(signal.reason)
    else request.send(bytes)
  })
}

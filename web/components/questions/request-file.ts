/** The file with the reason of a request. */
import { REQUEST_LIMITS } from '#contract/limits'
import { fileTypeOf, SIGNATURE_BYTES } from '#contract/problems/problem-files'
import { call } from '../../lib/api/call.ts'

/** The types of files that the browser's dialog offers. */
export const REQUEST_FILES = 'image/png,image/jpeg,image/gif,image/webp,application/pdf'

/** Whether the API would take a file. */
export async function isRequestFile(file: File): Promise<boolean> {
  const bytes = new Uint8Array(await file.slice(0, SIGNATURE_BYTES).arrayBuffer())
  return file.size <= REQUEST_LIMITS.fileBytes && fileTypeOf(bytes) !== undefined
}

/** POST /question/{id}/file. */
export function addRequestFile(questionId: string, file: File) {
  const body = new FormData()
  body.set('file', file)
  return call('POST /question/:id/file', { params: { id: questionId }, body })
}

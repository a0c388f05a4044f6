/** A file of its own, because the other calls are loaded only with pages that manage problems. */
import { addressOfCall } from '../../lib/api/call.ts'

/** Path of POST /problem/{id}/rejudge. */
export function rejudgePath(problemId: number): string {
  return addressOfCall('POST /problem/:id/rejudge', { params: { id: problemId } })
}

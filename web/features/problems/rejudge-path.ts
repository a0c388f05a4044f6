/** Apart from the other calls: those come with pages that manage problems. */
import { addressOfCall } from '../../lib/api/call.ts'

/** Path of POST /problem/{id}/rejudge. */
export function rejudgePath(problemId: number): string {
  return addressOfCall('POST /problem/:id/rejudge', { params: { id: problemId } })
}

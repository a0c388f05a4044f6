/** Apart from the other calls: those come with pages that manage problems. */
import { apiPath } from '../../lib/api/api.ts'

/** Path of POST /problem/{id}/rejudge. */
export function rejudgePath(problemId: number): string {
  return apiPath`/problem/${problemId}/rejudge`
}

/** Reads that begin while a page's own file is still on its way. */
import type { LoaderFunctionArgs } from 'react-router'
import { courseQuery } from './course.ts'
import { problemQuery } from './problems.ts'
import { queryClient } from './query-client.ts'
import { sessionQuery } from './session.ts'

/** The reads of every page in a course. Guests would be refused, and need not ask. */
export async function beginCourseReads({ params }: LoaderFunctionArgs): Promise<void> {
  const { name, problemId } = params
  if (!(await queryClient.ensureQueryData(sessionQuery).catch(() => null))) return
  if (name !== undefined) void queryClient.prefetchQuery(courseQuery(name))
  // Pages about a problem read it anyway; it need not wait for the course.
  if (/^\d+$/.test(problemId ?? '')) void queryClient.prefetchQuery(problemQuery(Number(problemId)))
}

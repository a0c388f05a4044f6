/** Reads that start while a page's code is still loading. */
import type { LoaderFunctionArgs } from 'react-router'
import { courseQuery } from './course.ts'
import { problemQuery } from './problems.ts'
import { queryClient } from '../api/query-client.ts'
import { sessionQuery } from '../session/session.ts'

/** Starts the reads that every page of a course needs; not for guests, who would be refused. */
export async function beginCourseReads({ params }: LoaderFunctionArgs): Promise<void> {
  const { name, problemId } = params
  if (!(await queryClient.ensureQueryData(sessionQuery).catch(() => null))) return
  if (name !== undefined) void queryClient.prefetchQuery(courseQuery(name))
  // Pages about a problem read it anyway: do not wait for the course.
  if (/^\d+$/.test(problemId ?? '')) void queryClient.prefetchQuery(problemQuery(Number(problemId)))
}

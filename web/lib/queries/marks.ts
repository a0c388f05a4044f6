/** Marks that a page explains, and the columns that they are in. */
import { gradebookColumns, gradebookMark, ownMarks } from '#contract/gradebook'
import { apiQuery } from '../api/api-query.ts'
import { refresh } from '../api/query-client.ts'

/** GET /course/{name}/gradebook/columns, for staff. */
export function columnsQuery(course: string) {
  return apiQuery(['gradebook', course, 'columns'], 'GET /course/:name/gradebook/columns', {
    params: { name: course },
    as: gradebookColumns,
  })
}

/** GET /course/{name}/gradebook/{columnId}/{username}, for staff. */
export function markQuery(course: string, columnId: number, username: string) {
  return apiQuery(
    ['gradebook', course, 'mark', columnId, username],
    'GET /course/:name/gradebook/:columnId/:username',
    { params: { name: course, columnId, username }, as: gradebookMark },
  )
}

/** GET /course/{name}/marks, of oneself. */
export function marksQuery(course: string) {
  return apiQuery(['gradebook', course, 'own'], 'GET /course/:name/marks', {
    params: { name: course },
    as: ownMarks,
  })
}

/** GET /course/{name}/marks/{username}: the marks as that student sees them, for staff. */
export function studentMarksQuery(course: string, username: string) {
  return apiQuery(
    ['gradebook', course, 'seen', username],
    'GET /course/:name/marks/:username',
    { params: { name: course, username }, as: ownMarks },
    // Each read is an entry of the audit log, so a visit of the page reads once.
    { staleTime: Infinity, gcTime: 0 },
  )
}

/** Reads everything about marks again. */
export function refreshMarks(): Promise<void> {
  return refresh(['gradebook'])
}

/** The element id of a mark on a page of marks. */
export function markId(columnId: number | string): string {
  return `mark-${columnId}`
}

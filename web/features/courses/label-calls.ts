/** Calls that change the labels of a course and of its students. */
import { overridesChanged } from '#contract/homework-overrides'
import { labelsChanged, type LabelList, type MemberLabels } from '#contract/labels'
import { COUNT_LIMITS } from '#contract/limits'
import { etagOf } from '../../lib/api/api.ts'
import { addressOfCall, call } from '../../lib/api/call.ts'
import { refresh } from '../../lib/api/query-client.ts'
import { courseQuery } from '../../lib/queries/course.ts'

/** The ETag of the course as it was last read. */
export function courseEtag(course: string): string | null {
  return etagOf(addressOfCall('GET /course/:name', { params: { name: course } }))
}

/** PUT /course/{name}/labels. */
export function saveLabels(course: string, labels: LabelList['labels'], etag: string | null) {
  return call('PUT /course/:name/labels', {
    params: { name: course },
    body: { labels },
    ifMatch: etag,
    as: labelsChanged,
  })
}

/** PATCH /course/{name}/labels/members, in parts. @returns how many marks are kept */
export async function giveLabels(
  course: string,
  members: MemberLabels['members'],
  etag: string | null,
): Promise<number> {
  const part = members.slice(0, COUNT_LIMITS.membersPerRequest)
  if (part.length === 0) return 0
  const { kept } = await call('PATCH /course/:name/labels/members', {
    params: { name: course },
    body: { members: part },
    ifMatch: etag,
    as: overridesChanged,
  })
  // This change itself has made a new version.
  return kept + (await giveLabels(course, members.slice(part.length), null))
}

/** Reads again what labels change: the course, and dates and marks in its homeworks. */
export function refreshLabels(course: string): Promise<void> {
  return refresh(
    courseQuery(course).queryKey,
    ['homework'],
    ['homework-dates'],
    ['homeworks'],
    ['board'],
  )
}

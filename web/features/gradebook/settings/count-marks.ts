/** How many people lose a mark when a column is deleted. */
import { gradebookPage } from '#contract/gradebook'
import { GRADEBOOK_LIMITS } from '#contract/limits'
import { call } from '../../../lib/api/call.ts'

/** Counts the people with a mark in a column, or who are excused from it; reads the gradebook page by page. */
export async function countMarks(course: string, columnId: number, cursor = ''): Promise<number> {
  const { columnIds, people, next } = await call('GET /course/:name/gradebook', {
    params: { name: course },
    query: { cursor, limit: GRADEBOOK_LIMITS.pagePeople },
    as: gradebookPage,
  })
  const index = columnIds.indexOf(columnId)
  const here = people.filter(({ cells }) => {
    const [points = null, states = ''] = cells[index] ?? []
    return points !== null || states.includes('e')
  }).length
  return next === null ? here : here + (await countMarks(course, columnId, next))
}

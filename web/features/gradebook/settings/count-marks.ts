/** How many people lose a mark when a column is deleted. */
import { queryClient } from '../../../lib/api/query-client.ts'
import { wholeGradebookQuery } from '../api.ts'

/** Counts the people with a mark in a column, or who are excused from it. */
export async function countMarks(course: string, columnId: number): Promise<number> {
  const pages = await queryClient.fetchQuery({ ...wholeGradebookQuery(course), staleTime: 0 })
  return pages.flatMap(({ columnIds, people }) => {
    const index = columnIds.indexOf(columnId)
    return people.filter(({ cells }) => {
      const [points = null, states = ''] = cells[index] ?? []
      return points !== null || states.includes('e')
    })
  }).length
}

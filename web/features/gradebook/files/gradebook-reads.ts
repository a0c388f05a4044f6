/** What the pages of files read of the gradebook: its columns, and everybody's marks. */
import { queryOptions } from '@tanstack/react-query'
import { gradebookColumns, gradebookPage, type GradebookPage } from '#contract/gradebook'
import { GRADEBOOK_LIMITS } from '#contract/limits'
import { apiQuery } from '../../../lib/api/api-query.ts'
import { call } from '../../../lib/api/call.ts'
import type { HereMark, MarkedPerson } from '../../../lib/gradebook-files/fill.ts'

/** The key below which all reads of a gradebook are. */
export const gradebookKey = (course: string) => ['gradebook', course] as const

/** GET /course/{name}/gradebook/columns. */
export function gradebookColumnsQuery(course: string) {
  return apiQuery([...gradebookKey(course), 'columns'], 'GET /course/:name/gradebook/columns', {
    params: { name: course },
    as: gradebookColumns,
  })
}

/** GET /course/{name}/gradebook, all pages in the order of names. */
export function wholeGradebookQuery(course: string) {
  return queryOptions({
    queryKey: [...gradebookKey(course), 'everybody'],
    queryFn: async ({ signal }) => {
      const pages: GradebookPage[] = []
      let cursor: string | null = ''
      while (cursor !== null) {
        const page: GradebookPage = await call('GET /course/:name/gradebook', {
          params: { name: course },
          query: { cursor, limit: GRADEBOOK_LIMITS.pagePeople },
          signal,
          as: gradebookPage,
        })
        pages.push(page)
        cursor = page.next
      }
      return pages
    },
  })
}

/** The students with their marks. @param emails as `CourseDetail` has them */
export function markedPeople(
  pages: readonly GradebookPage[],
  emails: ReadonlyMap<string, string> | undefined,
): MarkedPerson[] {
  return pages.flatMap(({ columnIds, people }) =>
    people.map(({ user: { username, displayedName }, cells }) => ({
      username,
      displayedName,
      email: emails?.get(username),
      marks: new Map(
        cells.flatMap(([points, letters], index): [number, HereMark][] => {
          const hundredths = points === null ? null : Math.round(points * 100)
          const isExcused = letters.includes('e')
          return [[columnIds[index] ?? 0, { hundredths, isExcused, isHeld: letters.includes('h') }]]
        }),
      ),
    })),
  )
}

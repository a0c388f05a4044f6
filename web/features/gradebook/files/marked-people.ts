import type { GradebookPage } from '#contract/gradebook'
import type { HereMark, MarkedPerson } from '../../../lib/gradebook-files/fill.ts'

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

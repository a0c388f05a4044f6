import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useCourse } from '../../lib/queries/course.ts'
import { homeworksQuery } from '../../lib/queries/course-homeworks.ts'
import type { WithLateDatesProps } from './with-late-dates.tsx'

/** The homeworks with the closing times that the user's late days give; loaded only for homeworks that are past due. */
export function LateDates({ homeworks, children }: WithLateDatesProps): ReactNode {
  const { course } = useCourse()
  const { data = [] } = useQuery(homeworksQuery(course))
  const ownOf = new Map(data.map(({ id, own }) => [id, own]))
  return children(homeworks.map((each) => ({ ...each, own: ownOf.get(each.id) ?? each.own })))
}

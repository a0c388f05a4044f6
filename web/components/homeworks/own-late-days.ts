import { useQuery } from '@tanstack/react-query'
import type { LateDayRule, LateDays } from '#contract/late-days'
import { useCourse } from '../../lib/queries/course.ts'
import { homeworksQuery } from '../../lib/queries/course-homeworks.ts'
import { useSession } from '../../lib/session/session.ts'

/** The user's late days in a homework, and their rule; null where there are none, and until they are read. */
export function useOwnLateDays(homeworkId: string): { rule: LateDayRule; days: LateDays } | null {
  const { course } = useCourse()
  const { user } = useSession()
  const { data = [] } = useQuery(homeworksQuery(course))
  const homework = data.find(({ id }) => id === homeworkId)
  const rule = homework?.lateDays
  const days = homework?.marks.get(user?.username ?? '')?.lateDays
  return rule && days ? { rule, days } : null
}

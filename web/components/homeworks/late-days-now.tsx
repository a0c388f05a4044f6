import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useCourse } from '../../lib/queries/course.ts'
import { lateDaysQuery } from '../../lib/queries/late-days.ts'
import { useSession } from '../../lib/session/session.ts'
import { lateDaysIn, lateDaysSentence } from './late-days.ts'

/** The late days that the user has in a homework whose due time is past. */
export function LateDaysNow({ homeworkId }: { homeworkId: string }) {
  const { t } = useTranslation()
  const { course } = useCourse()
  const { user } = useSession()
  const { data } = useQuery(lateDaysQuery(course))
  const own = lateDaysIn(data, homeworkId, user?.username)
  if (own === null) return null
  const { rule, days } = own
  const uses = t(`lateDays.uses.${rule.spending}`)
  return (
    <div>{t('lateDays.now', { name: rule.name, uses, left: lateDaysSentence(rule, days, t) })}</div>
  )
}

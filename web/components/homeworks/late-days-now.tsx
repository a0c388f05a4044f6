import { useTranslation } from 'react-i18next'
import { lateDaysSentence } from './late-days.ts'
import { useOwnLateDays } from './own-late-days.ts'

/** The late days that the user has in a homework whose due time is past. */
export function LateDaysNow({ homeworkId }: { homeworkId: string }) {
  const { t } = useTranslation()
  const own = useOwnLateDays(homeworkId)
  if (own === null) return null
  const { rule, days } = own
  const uses = t(`lateDays.uses.${rule.spending}`)
  return (
    <div>{t('lateDays.now', { name: rule.name, uses, left: lateDaysSentence(rule, days, t) })}</div>
  )
}

import { useTranslation } from 'react-i18next'
import { formatDeadline, zoneName } from '../../lib/format/format.ts'
import { parseDeadline } from '../../lib/format/parse-time.ts'
import { useCourse } from '../../lib/queries/course.ts'

/** What a clock in the course shows at a deadline that was typed; null where the reader's clock shows the same. */
export function useTimeInCourse(): (text: string) => string | null {
  const { t } = useTranslation()
  const { timeZone } = useCourse()
  return (text) => {
    const at = parseDeadline(text)
    if (Number.isNaN(at) || formatDeadline(at, timeZone) === formatDeadline(at)) return null
    const time = `${formatDeadline(at, timeZone)} ${zoneName(at, timeZone)}`
    return t('homeworks.dueInCourse', { time })
  }
}

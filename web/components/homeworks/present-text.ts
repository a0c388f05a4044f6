import type { TFunction } from 'i18next'
import type { OwnDates } from '#contract/homework-dates'
import { formatDeadline } from '../../lib/format/format.ts'

/** When a homework is due and closes, and whether it is excused. @param first the sentence of the due time */
export function presentText(
  { due, closes, excused }: OwnDates,
  first: 'dates.presentDue' | 'dates.saved',
  t: TFunction,
): string {
  return [
    t(first, { time: formatDeadline(due) }),
    ...(closes > due ? [t('dates.presentCloses', { time: formatDeadline(closes) })] : []),
    ...(excused ? [t('dates.isExcused')] : []),
  ].join(' ')
}

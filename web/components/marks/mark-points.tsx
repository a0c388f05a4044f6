import { useTranslation } from 'react-i18next'
import type { ExplainedMark } from '#contract/gradebook'
import { useNumberText } from '../../lib/format/number-text.ts'

/** The points of a mark with their maximum; or that the student is excused, or has no mark. */
export function MarkPoints({
  mark,
}: {
  mark: Pick<ExplainedMark, 'points' | 'excused' | 'column'>
}) {
  const { t } = useTranslation()
  const { points } = useNumberText()
  if (mark.excused) return t('marks.excused')
  const most = points(mark.column.max)
  return mark.points === null
    ? t('marks.noneOf', { most })
    : t('marks.pointsOf', { points: points(mark.points), most })
}

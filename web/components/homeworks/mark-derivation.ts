import type { TFunction } from 'i18next'
import {
  arrivalOf,
  deductionOf,
  lateStep,
  percentLeft,
  pointsFor,
  valueOf,
  type Scored,
} from '#contract/homework-dates'
import type { ProblemHomework } from '#contract/problems'
import { formatDuration } from '../../lib/format/format.ts'

export type Submission = Omit<Scored, 'id'>
export type Terms = Pick<ProblemHomework, 'own' | 'lateRule' | 'points'>

/**
 * How the points of a submission follow from its score, step by step; null if it counts nothing.
 * @param dateTag as in `LOCALES`
 */
export function derivationOf(
  submission: Submission,
  terms: Terms,
  t: TFunction,
  dateTag: string,
): string | null {
  const { own, lateRule, points } = terms
  const { at, score } = submission
  const value = valueOf(submission, { ...own, quota: null }, lateRule)
  if (value === null) return null
  const worth = points === 100 ? '' : ` × ${points} / 100`
  const result = `${worth} = ${pointsFor(value, points)}`
  if (arrivalOf(at, own) === 'inTime')
    return worth === ''
      ? t('late.derive.full', { score })
      : t('late.derive.inTime', { score, steps: `${score}${result}` })
  const { left, units } = percentLeft(lateRule, own.latePercent, at - own.due)
  const step = lateStep(score, left, deductionOf(lateRule, own.latePercent))
  const calculation = `${worth === '' ? step : `(${step})`}${result}`
  const begun =
    units === null || lateRule.kind !== 'units'
      ? []
      : [
          t('late.derive.units', {
            count: units,
            unit: formatDuration(lateRule.unitMinutes * 60, dateTag),
          }),
        ]
  return t('late.derive.late', {
    score,
    time: formatDuration(at - own.due, dateTag),
    steps: [...begun, calculation].join(' → '),
  })
}

import type { TFunction } from 'i18next'
import {
  arrivalOf,
  deductionOf,
  percentLeft,
  pointsFor,
  valueOf,
  type Scored,
} from '#contract/homework-dates'
import type { ProblemHomework } from '#contract/problems'
import { formatDuration } from '../../lib/format/format.ts'

export type Submission = Omit<Scored, 'id'>
export type Terms = Pick<ProblemHomework, 'own' | 'lateRule' | 'points'>

/** What the late rule makes of a score, as a calculation without its result. */
function lateStep({ at, score }: Submission, { own, lateRule }: Terms): string {
  const { left } = percentLeft(lateRule, own.latePercent, at - own.due)
  const how = deductionOf(lateRule, own.latePercent)
  const off = 100 - left
  if (how === 'subtract') return score < off ? `max(0, ${score} − ${off})` : `${score} − ${off}`
  return how === 'cap' ? `min(${score}, ${left})` : `${score} × ${left / 100}`
}

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
  const { units } = percentLeft(lateRule, own.latePercent, at - own.due)
  const step = lateStep(submission, terms)
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

/** What late days mean, and how a student uses them, in sentences that students and staff share. */
import type { TFunction } from 'i18next'
import { arrivalOf } from '#contract/homework-dates'
import { withLateDays } from '#contract/late-day-spending'
import type { LateDayRule, LateDays } from '#contract/late-days'
import { formatDeadline } from '../../lib/format/format.ts'
import { derivationOf, type Submission, type Terms } from './mark-derivation.ts'

/** A student's late days in a homework. */
export type UsedDays = Pick<LateDays, 'used' | 'left' | 'gain'>

/** How many late days a student has left, and how many a homework uses. */
export function lateDaysSentence(
  { size }: Pick<LateDayRule, 'size'>,
  { used, left, gain }: UsedDays,
  t: TFunction,
): string {
  if (used === 0) return t('lateDays.left', { left, count: size })
  if (gain === null) return t('lateDays.leftUsed', { left, count: size, used })
  const points = t('common.points', { count: gain })
  return t('lateDays.leftAndUsed', { left, count: size, used, points })
}

/** When late days are used, how many there are, and what one moves, a sentence each. */
export function lateDayRuleSentences(
  { size, mostEach, spending, movesClosing }: LateDayRule,
  t: TFunction,
): string[] {
  return [
    mostEach < size
      ? t('lateDays.sizeAndMost', { count: size, most: mostEach })
      : t('lateDays.size', { count: size }),
    t(`lateDays.uses.${spending}`),
    t(movesClosing ? 'lateDays.movesBoth' : 'lateDays.movesDue'),
  ]
}

/** What a rule does to one piece of late work. */
export function lateDayExample(
  { size, mostEach, spending }: Pick<LateDayRule, 'size' | 'mostEach' | 'spending'>,
  t: TFunction,
): string {
  const count = Math.min(2, size, mostEach)
  const hours = count * 24 - 18
  return t(`lateDays.example.${spending}`, { count, hours, left: size - count, size })
}

/**
 * How the points of a late submission follow from its score, if the student uses late days in the homework; null if it counts nothing.
 * @param dateTag as in `LOCALES`
 */
export function derivationWithDays(
  submission: Submission,
  terms: Terms,
  { used, movesClosing }: { used: number; movesClosing: boolean },
  t: TFunction,
  dateTag: string,
): string | null {
  const own = withLateDays(terms.own, used, movesClosing)
  const derivation = derivationOf(submission, { ...terms, own }, t, dateTag)
  if (derivation === null || used === 0 || arrivalOf(submission.at, terms.own) === 'inTime')
    return derivation
  return t('lateDays.moved', { count: used, time: formatDeadline(own.due), derivation })
}

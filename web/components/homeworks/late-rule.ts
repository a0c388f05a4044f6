/** What the dates and the late rule of a homework mean, in sentences. */
import type { TFunction } from 'i18next'
import {
  arrivalOf,
  deductionOf,
  percentLeft,
  type Counts,
  type LateRule,
  type OwnDates,
} from '#contract/homework-dates'
import { formatDeadline, formatDuration, zoneName } from '../../lib/format/format.ts'

const HOUR_SECONDS = 3_600

/** The dates for one person, the late rule, and which submission counts. */
export interface LateTerms {
  own: Omit<OwnDates, 'why'>
  lateRule: LateRule
  counts: Counts
}

/** The last second in which work counts in full. */
export function fullUntil({ due, graceMinutes }: LateTerms['own']): number {
  return due + graceMinutes * 60
}

/** Whether late work counts at all. */
export function takesLate(own: LateTerms['own']): boolean {
  return own.closes > fullUntil(own)
}

/** Whether the best submission counts until the due time, and nothing after it. */
export function isPlain({ own, counts }: LateTerms): boolean {
  return own.closes === own.due && counts === 'best'
}

/** The next of the due time and, once that is past, the closing time. @param now epoch seconds */
export function nextDeadline(
  { due, closes }: Pick<OwnDates, 'due' | 'closes'>,
  now: number,
): number {
  return now <= due ? due : closes
}

/** A rule's unit after "each": "day", "12 hours". @param dateTag as in `LOCALES` */
export function unitText(unitMinutes: number, dateTag: string): string {
  return formatDuration(unitMinutes * 60, dateTag).replace(/^1 (?=[a-z]+$)/, '')
}

function unitSentences(
  rule: Extract<LateRule, { kind: 'units' }>,
  t: TFunction,
  dateTag: string,
): string[] {
  const { unitMinutes, percent, how, floor } = rule
  const each = t(`late.${how}`, { unit: unitText(unitMinutes, dateTag), percent })
  return floor === 0 ? [each] : [each, t(`late.floor.${how}`, { floor, most: 100 - floor })]
}

function ruleSentences({ own, lateRule }: LateTerms, t: TFunction, dateTag: string): string[] {
  if (own.latePercent !== null) return [t('late.percent', { percent: own.latePercent })]
  if (lateRule.kind === 'none') return [t('late.percent', { percent: 100 })]
  if (lateRule.kind === 'units') return unitSentences(lateRule, t, dateTag)
  return lateRule.steps.map(({ afterHours, percent }) =>
    afterHours === 0
      ? t('late.percent', { percent })
      : t('late.step', { time: formatDuration(afterHours * HOUR_SECONDS, dateTag), percent }),
  )
}

/** Which submission counts, as a sentence. */
export function countsSentence(terms: LateTerms, t: TFunction): string {
  if (terms.counts === 'last') return t('late.last')
  const { own, lateRule } = terms
  const deducts = own.latePercent === null ? lateRule.kind !== 'none' : own.latePercent < 100
  return deducts && takesLate(own) ? t('late.bestLate') : t('late.best')
}

/**
 * What the terms mean beside the dates, a sentence each: the grace, what late work counts, and which submission counts.
 * @param dateTag as in `LOCALES`
 */
export function lateSentences(terms: LateTerms, t: TFunction, dateTag: string): string[] {
  const { own } = terms
  return [
    ...(own.graceMinutes === 0 ? [] : [t('late.grace', { count: own.graceMinutes })]),
    ...(takesLate(own) ? ruleSentences(terms, t, dateTag) : []),
    countsSentence(terms, t),
  ]
}

/** A deadline with its zone, inside a sentence. */
export function deadlineText(at: number): string {
  return `${formatDeadline(at)} ${zoneName(at)}`
}

/** The dates of the terms, a sentence each: until when work counts in full, and when nothing counts any more. */
export function dateSentences({ own }: LateTerms, t: TFunction): string[] {
  return [
    t('late.full', { time: deadlineText(own.due) }),
    t('late.nothing', { time: deadlineText(own.closes) }),
  ]
}

/** What a submission that is late counts now; null if it would not be late. @param now epoch seconds */
export function lateNowSentence(
  { own, lateRule }: LateTerms,
  now: number,
  t: TFunction,
): string | null {
  if (arrivalOf(now, own) !== 'late') return null
  const { left } = percentLeft(lateRule, own.latePercent, now - own.due)
  const how = deductionOf(lateRule, own.latePercent)
  return t(`late.now.${how}`, { percent: left, points: 100 - left })
}

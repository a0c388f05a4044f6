/** What late days mean, and how a student uses them, in sentences that students and staff share. */
import type { TFunction } from 'i18next'
import type { Dates } from '#contract/homework-dates'
import type { LateDayRule, LateDays, LateDayTable } from '#contract/late-days'
import { formatDeadline, zoneName } from '../../lib/format/format.ts'

const DAY_SECONDS = 86_400

/** Dates moved by late days. */
export function withLateDays<Moved extends Pick<Dates, 'due' | 'closes' | 'graceMinutes'>>(
  dates: Moved,
  days: number,
  movesClosing: boolean,
): Moved {
  const due = dates.due + days * DAY_SECONDS
  const closes = movesClosing ? dates.closes + days * DAY_SECONDS : dates.closes
  return { ...dates, due, closes: Math.max(closes, due + dates.graceMinutes * 60) }
}

/** A deadline with its zone, inside a sentence. */
export function deadlineText(at: number): string {
  return `${formatDeadline(at)} ${zoneName(at)}`
}

/** A student's late days in a homework. */
export type UsedDays = Pick<LateDays, 'used' | 'left' | 'gain'>

/** How many late days a student has left, and how many a homework uses. */
export function lateDaysSentence(
  { size }: Pick<LateDayRule, 'size'>,
  { used, left, gain }: UsedDays,
  t: TFunction,
): string {
  if (used === 0) return t('lateDays.left', { left, count: size })
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

/** A student's late days in a homework, and their rule, by the table of the course; null where there are none. */
export function lateDaysIn(
  table: LateDayTable | undefined,
  homeworkId: string,
  username: string | undefined,
): { rule: LateDayRule; days: UsedDays } | null {
  const index = table?.budgets.findIndex(({ homeworkIds }) => homeworkIds.includes(homeworkId))
  const person = table?.people.find(({ user }) => user.username === username)
  if (table === undefined || index === undefined || person === undefined) return null
  const rule = table.budgets[index]
  const own = person.budgets[index]
  if (rule === undefined || own === undefined) return null
  const use = own.uses.find((each) => each.homeworkId === homeworkId)
  return { rule, days: { used: use?.days ?? 0, gain: use?.gain ?? 0, left: own.left } }
}

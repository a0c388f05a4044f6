import { mostGenerous } from '#contract/homework-dates'
import type { HomeworkDatesTable, HomeworkOverride } from '#contract/homework-overrides'

const FIELDS = [
  'opens',
  'due',
  'closes',
  'graceMinutes',
  'latePercent',
  'quota',
  'excused',
] as const

/**
 * The ids of those labels of a person that give the person a date or a rule. `datesOf` says what stands before what.
 * @param ids the person's labels
 * @param person the person's override
 */
export function labelsThatApply(
  ids: readonly number[],
  { labels, forAll }: Pick<HomeworkDatesTable, 'labels' | 'forAll'>,
  person: HomeworkOverride | null,
): number[] {
  const own = labels.filter(({ label }) => ids.includes(label))
  const most = mostGenerous(own.map(({ override }) => override))
  if (most === null) return []
  const isLaterForAll = (field: 'due' | 'closes') => (forAll?.[field] ?? 0) > (most[field] ?? 0)
  const inForce = FIELDS.filter(
    (field) =>
      most[field] !== null &&
      (person?.[field] ?? null) === null &&
      !((field === 'due' || field === 'closes') && isLaterForAll(field)),
  )
  return own
    .filter(({ override }) => inForce.some((field) => override[field] === most[field]))
    .map(({ label }) => label)
}

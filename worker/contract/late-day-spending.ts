/** How late days move dates, and in which homeworks of a budget they are used. */
import type { Dates } from '#contract/homework-dates'

const DAY_SECONDS = 86_400

/**
 * A person's dates with late days. Each moves the due time by 24 hours. Without `movesClosing` the closing time moves only as far as the
 * due time with its grace needs.
 */
export function withLateDays<D extends Pick<Dates, 'due' | 'closes' | 'graceMinutes'>>(
  dates: D,
  days: number,
  movesClosing: boolean,
): D {
  const due = dates.due + days * DAY_SECONDS
  const closes = dates.closes + (movesClosing ? days * DAY_SECONDS : 0)
  return { ...dates, due, closes: Math.max(closes, due + dates.graceMinutes * 60) }
}

/**
 * The late days that each homework of a budget uses: those that make the sum largest. Of equal sums the one with the fewest days counts; of
 * these, the one that uses days in the homeworks that stand first.
 * @param sums what each homework is worth with 0, 1, 2 … late days, in whole hundredths of a point; the homework due first stands first
 * @param size the days of all homeworks together
 */
export function spendLateDays(sums: readonly (readonly number[])[], size: number): number[] {
  // One number says both: more points stand before fewer days.
  const worth = sums.map((each) => each.map((sum, days) => sum * (size + 1) - days))
  const none = Array.from({ length: size + 1 }, () => 0)
  // For each homework: the most that it and those behind it are worth together, with 0, 1, 2 … days or fewer.
  const most = [none]
  const valueOf = (row: readonly number[], behind: readonly number[], days: number, left: number) =>
    (row[days] ?? -Infinity) + (behind[left - days] ?? -Infinity)
  for (const row of worth.toReversed()) {
    const behind = most[0] ?? none
    most.unshift(
      none.map((_, left) =>
        row.reduce(
          (best, _value, days) => Math.max(best, valueOf(row, behind, days, left)),
          -Infinity,
        ),
      ),
    )
  }
  let left = size
  return worth.map((row, index) => {
    const best = most[index]?.[left]
    const behind = most[index + 1] ?? none
    const days = row.findLastIndex((_, each) => valueOf(row, behind, each, left) === best)
    left -= days
    return days
  })
}

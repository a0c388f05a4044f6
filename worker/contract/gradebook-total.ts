/**
 * How a gradebook makes the total of its columns. All points are whole hundredths of a point, and every part is rounded where it is shown, so
 * that the parts add up to the total.
 */

/** A group of columns. `weight` null: the sum of its columns' weights, without the `dropLowest` smallest ones. Percentages are whole. */
export interface TotalGroup {
  id: number
  weight: number | null
  /** So many columns with the lowest percentages do not count; of equal ones the later one. */
  dropLowest: number
  /**
   * Up to 100: the group's points count up to this percentage of its share, which then gives the whole share. Above 100: extra credit may lift the
   * group up to this percentage of its share.
   */
  capPercent: number
  /** The group adds to the total without being part of its maximum. */
  isExtra: boolean
}

/**
 * A column that a total is made of. `max` and `weight` in hundredths of a point; `weight` null: its `max`. A column with a maximum or weight of 0
 * counts nothing.
 */
export interface TotalColumn {
  id: number
  /** Null: no part of the total. */
  groupId: number | null
  max: number
  weight: number | null
  /** The column adds to its group without being part of the group's maximum. */
  isExtra: boolean
}

/**
 * The rule of the total. `outOf` null: the sum of the groups' weights. `decimals`: to how many decimals the total is rounded, half up; all
 * points give the maximum as it is.
 */
export interface TotalRule {
  outOf: number | null
  decimals: 0 | 1 | 2
}

/** A person's mark in a column. `hundredths` null: none yet, which counts 0. */
export interface TotalMark {
  hundredths: number | null
  isExcused: boolean
}

/** What a column adds. `share`: the most that it adds without extra credit. */
export interface TotalPart {
  columnId: number
  fate: 'counts' | 'extra' | 'dropped' | 'excused'
  share: number
  hundredths: number
}

/** A person's total, and how it was made. `hundredths` null: no column counts. */
export interface Total {
  hundredths: number | null
  max: number
  parts: TotalPart[]
  /** What each group adds after its cap. */
  groups: { groupId: number; share: number; sum: number; hundredths: number }[]
}

/** `left × right ÷ divisor`, rounded half up; the product may exceed what a number holds exactly. */
function scaled(left: number, right: number, divisor: number): number {
  if (divisor === 0) return 0
  return Number((BigInt(left) * BigInt(right) * 2n + BigInt(divisor)) / (BigInt(divisor) * 2n))
}

/** Shares a whole by weights; the shares add up to it. Each share is the difference between two rounded running sums. */
function sharesOf(whole: number, weights: readonly number[]): number[] {
  const all = weights.reduce((sum, weight) => sum + weight, 0)
  let before = 0
  return weights.map((weight) => {
    const start = scaled(whole, before, all)
    before += weight
    return scaled(whole, before, all) - start
  })
}

const weightOf = ({ weight, max }: TotalColumn) => (max === 0 ? 0 : (weight ?? max))

/** Whether a column is part of its group's maximum. */
const isCounting = (column: TotalColumn) => !column.isExtra && weightOf(column) > 0

/** Of a gradebook without groups all columns add up. */
const ALL: TotalGroup = { id: 0, weight: null, dropLowest: 0, capPercent: 100, isExtra: false }

/** The groups, and the columns with their groups; without any group all columns are in one. */
function grouped(groups: readonly TotalGroup[], columns: readonly TotalColumn[]) {
  if (groups.length > 0) return { groups, columns }
  return { groups: [ALL], columns: columns.map((column) => ({ ...column, groupId: ALL.id })) }
}

/** The weight of a group: its own, or what its columns weigh together when the smallest are dropped. */
export function groupWeight(group: TotalGroup, columns: readonly TotalColumn[]): number {
  if (group.weight !== null) return group.weight
  const weights = columns
    .filter((column) => column.groupId === group.id && isCounting(column))
    .map(weightOf)
    .toSorted((left, right) => right - left)
  return weights
    .slice(0, Math.max(1, weights.length - group.dropLowest))
    .reduce((sum, weight) => sum + weight, 0)
}

/** The maximum of the total. Without groups all columns add up. */
export function totalMax(
  rule: TotalRule,
  someGroups: readonly TotalGroup[],
  someColumns: readonly TotalColumn[],
): number {
  const { groups, columns } = grouped(someGroups, someColumns)
  return (
    rule.outOf ??
    groups
      .filter(({ isExtra }) => !isExtra)
      .reduce((sum, group) => sum + groupWeight(group, columns), 0)
  )
}

/** The columns of a group that are dropped for a person: one at least always stays. */
function droppedOf(
  group: TotalGroup,
  counting: readonly TotalColumn[],
  marks: ReadonlyMap<number, TotalMark>,
): Set<number> {
  const ratioOf = ({ id, max }: TotalColumn) => Math.max(0, marks.get(id)?.hundredths ?? 0) / max
  const worst = counting
    .map((column, index) => ({ id: column.id, index, ratio: ratioOf(column) }))
    .toSorted((left, right) =>
      left.ratio === right.ratio ? right.index - left.index : left.ratio - right.ratio,
    )
  const count = Math.min(group.dropLowest, Math.max(0, counting.length - 1))
  return new Set(worst.slice(0, count).map(({ id }) => id))
}

/** What a group adds for a person whose share of the total is `share`. */
function groupTotal(
  group: TotalGroup,
  columns: readonly TotalColumn[],
  marks: ReadonlyMap<number, TotalMark>,
  share: number,
) {
  const counting = columns.filter(
    (column) => isCounting(column) && !marks.get(column.id)?.isExcused,
  )
  const dropped = droppedOf(group, counting, marks)
  const kept = counting.filter(({ id }) => !dropped.has(id))
  const weights = kept.map(weightOf)
  const all = weights.reduce((sum, weight) => sum + weight, 0)
  const shares = new Map(
    sharesOf(share, weights).map((each, index) => [kept[index]?.id ?? 0, each]),
  )
  const parts = columns.map((column): TotalPart => {
    const { id, max } = column
    if (marks.get(id)?.isExcused) return { columnId: id, fate: 'excused', share: 0, hundredths: 0 }
    if (dropped.has(id)) return { columnId: id, fate: 'dropped', share: 0, hundredths: 0 }
    const own = column.isExtra ? scaled(share, weightOf(column), all) : (shares.get(id) ?? 0)
    const points = Math.max(0, marks.get(id)?.hundredths ?? 0)
    return {
      columnId: id,
      fate: column.isExtra ? 'extra' : 'counts',
      share: own,
      hundredths: scaled(own, points, max),
    }
  })
  const sum = parts.reduce((points, { hundredths }) => points + hundredths, 0)
  const { capPercent } = group
  const hundredths =
    capPercent <= 100
      ? Math.min(share, scaled(sum, 100, capPercent))
      : Math.min(sum, scaled(share, capPercent, 100))
  return { parts, group: { groupId: group.id, share, sum, hundredths } }
}

/**
 * A person's total. Without groups all columns add up.
 * @param someGroups in order
 * @param someColumns in order
 * @param marks by column; a column without one counts 0
 */
export function totalOf(
  rule: TotalRule,
  someGroups: readonly TotalGroup[],
  someColumns: readonly TotalColumn[],
  marks: ReadonlyMap<number, TotalMark>,
): Total {
  const { groups, columns } = grouped(someGroups, someColumns)
  const max = totalMax(rule, groups, columns)
  const filled = groups.map((group) => {
    const own = columns.filter(({ groupId }) => groupId === group.id)
    const weight = groupWeight(group, columns)
    const counts =
      weight > 0 && own.some((column) => isCounting(column) && !marks.get(column.id)?.isExcused)
    return { group, own, weight, counts }
  })
  // The weight of a group whose columns are all excused goes to the others.
  const counting = filled.filter(({ group, counts }) => counts && !group.isExtra)
  const weights = counting.map(({ weight }) => weight)
  const all = weights.reduce((sum, weight) => sum + weight, 0)
  const shares = sharesOf(max, weights)
  const made = filled.map(({ group, own, weight, counts }) => {
    const index = counting.findIndex((each) => each.group === group)
    const extra = group.isExtra && counts ? scaled(max, weight, all) : 0
    return groupTotal(group, own, marks, index < 0 ? extra : (shares[index] ?? 0))
  })
  const sum = made.reduce((points, { group }) => points + group.hundredths, 0)
  const step = 10 ** (2 - rule.decimals)
  const rounded = sum < max ? Math.min(max, scaled(sum, 1, step) * step) : max
  return {
    hundredths: counting.length === 0 ? null : rounded,
    max,
    parts: made.flatMap(({ parts }) => parts),
    groups: made.map(({ group }) => group),
  }
}

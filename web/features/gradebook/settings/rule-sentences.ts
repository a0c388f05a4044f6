/** What the rule of a total does, in words. */
import type { TFunction } from 'i18next'
import { totalOf, type TotalGroup } from '#contract/gradebook-total'
import { ruleOf, titleOf, type SettingsValues } from './settings-values.ts'

/** Writes points. */
type Write = (points: number) => string

/** How the columns are called. */
const columnNames = ({ columns }: SettingsValues, t: TFunction) =>
  columns.map(({ name }, index) => titleOf('column', name, index, t))

/** What the cap of a group does. */
function capSentence({ capPercent }: TotalGroup, t: TFunction): string {
  if (capPercent < 100) return t('gradebook.settings.rule.enough', { percent: capPercent })
  return t('gradebook.settings.rule.most', { percent: capPercent })
}

/** What a group adds to the total; empty while a number is missing. @param index its position */
export function groupSentences(
  values: SettingsValues,
  index: number,
  t: TFunction,
  write: Write,
): string[] {
  const whole = ruleOf(values)
  const group = whole?.groups[index]
  if (!whole || !group) return []
  const { max, groups } = totalOf(whole.rule, whole.groups, whole.columns, new Map())
  const own = whole.columns.filter(({ groupId }) => groupId === group.id)
  const names = columnNames(values, t)
  const all = own.filter(({ isExtra }) => !isExtra).length
  const name = titleOf('group', values.groups[index]?.name ?? '', index, t)
  if (all === 0) return [t('gradebook.settings.rule.empty', { name })]
  const count = Math.min(group.dropLowest, all - 1)
  const extra = own.filter(({ isExtra }) => isExtra).map(({ id }) => names[id - 1])
  return [
    t(group.isExtra ? 'gradebook.settings.rule.onTop' : 'gradebook.settings.rule.share', {
      name,
      points: write((groups[index]?.share ?? 0) / 100),
      max: write(max / 100),
    }),
    ...(count === 0 ? [] : [t('gradebook.settings.rule.dropped', { count, all })]),
    capSentence(group, t),
    ...(extra.length === 0
      ? []
      : [t('gradebook.settings.rule.extra', { names: extra.join(', ') })]),
  ]
}

/** How the total is made; empty while a number is missing. */
export function totalSentences(values: SettingsValues, t: TFunction, write: Write): string[] {
  const whole = ruleOf(values)
  if (whole === null) return []
  const { max } = totalOf(whole.rule, whole.groups, whole.columns, new Map())
  const names = columnNames(values, t)
  const outside = names.filter((_, index) => values.columns[index]?.group === '')
  const extra = names.filter((_, index) => values.columns[index]?.extra)
  const isPlain = values.groups.length === 0
  return [
    ...(isPlain ? [t('gradebook.settings.rule.sum')] : []),
    t('gradebook.settings.rule.total', { max: write(max / 100) }),
    t(`gradebook.settings.rule.rounded.${whole.rule.decimals}`),
    ...(isPlain && extra.length > 0
      ? [t('gradebook.settings.rule.extra', { names: extra.join(', ') })]
      : []),
    ...(!isPlain && outside.length > 0
      ? [t('gradebook.settings.rule.outside', { names: outside.join(', ') })]
      : []),
  ]
}

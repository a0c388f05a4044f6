/** The fields of the form of a gradebook, and their conversion from and to the contract. */
import type { TFunction } from 'i18next'
import * as z from 'zod'
import type { GradebookColumns, gradebookForm } from '#contract/gradebook'
import type { TotalColumn, TotalGroup, TotalRule } from '#contract/gradebook-total'
import { newIdempotencyKey } from '../../../lib/api/api.ts'
import { toNumber, type NumberField } from '../../../lib/format/number-field.ts'

export type GroupValues = {
  /** null: a new one. */
  id: number | null
  /** Tells the fields of one group from those of another; columns name their group by it. */
  key: string
  name: string
  /** Empty: as its columns weigh. */
  weight: NumberField
  dropLowest: NumberField
  capPercent: NumberField
  extra: boolean
}

export type ColumnValues = {
  /** null: a new one. */
  id: number | null
  key: string
  kind: 'homework' | 'manual'
  name: string
  max: NumberField
  /** The key of its group; empty for none. */
  group: string
  /** Empty: as its maximum. */
  weight: NumberField
  extra: boolean
}

export type SettingsValues = {
  groups: GroupValues[]
  columns: ColumnValues[]
  /** The ids of columns that saving deletes. */
  deleted: number[]
  total: { outOf: NumberField; decimals: TotalRule['decimals']; forAssistants: boolean }
}

export function newGroup(): GroupValues {
  const rule = { weight: '', dropLowest: 0, capPercent: 100, extra: false } as const
  return { id: null, key: newIdempotencyKey(), name: '', ...rule }
}

export function newColumn(): ColumnValues {
  const rule = { max: 100, group: '', weight: '', extra: false } as const
  return { id: null, key: newIdempotencyKey(), kind: 'manual', name: '', ...rule }
}

export function toSettingsValues({ groups, columns, total }: GradebookColumns): SettingsValues {
  return {
    groups: groups.map((group) => ({
      ...group,
      key: String(group.id),
      weight: group.weight ?? '',
    })),
    columns: columns.flatMap(({ id, kind, name, max, groupId, weight, extra }) =>
      kind === 'total'
        ? []
        : [
            {
              id,
              key: String(id),
              kind,
              name,
              max,
              group: groupId === null ? '' : String(groupId),
              weight: weight ?? '',
              extra,
            },
          ],
    ),
    deleted: [],
    total: {
      outOf: total.outOf ?? '',
      decimals: total.decimals,
      forAssistants: total.forAssistants,
    },
  }
}

/**
 * The fields as they can overwrite what others saved since the form was opened: their new columns stand last, columns that are gone leave the form, and
 * groups that are gone are made anew.
 */
export function overStored(values: SettingsValues, stored: GradebookColumns): SettingsValues {
  const theirs = toSettingsValues(stored)
  const isStored = (rows: { id: number | null }[], wanted: number | null) =>
    rows.some(({ id }) => id === wanted)
  const added = theirs.columns.filter(
    ({ id, kind }) =>
      kind === 'manual' && !isStored(values.columns, id) && !values.deleted.includes(id ?? 0),
  )
  return {
    ...values,
    groups: values.groups.map((group) =>
      isStored(theirs.groups, group.id) ? group : { ...group, id: null },
    ),
    columns: [
      ...values.columns.filter(({ id }) => id === null || isStored(theirs.columns, id)),
      ...added.map((column) => ({
        ...column,
        group: values.groups.some(({ key }) => key === column.group) ? column.group : '',
      })),
    ],
    deleted: values.deleted.filter((id) => isStored(theirs.columns, id)),
  }
}

/** The lists of a form without a column, whose marks saving deletes. The key names it, because columns may have moved meanwhile. */
export function withoutColumn(
  { columns, deleted }: SettingsValues,
  gone: Pick<ColumnValues, 'id' | 'key'>,
): Pick<SettingsValues, 'columns' | 'deleted'> {
  return {
    columns: columns.filter(({ key }) => key !== gone.key),
    deleted: gone.id === null ? deleted : [...deleted, gone.id],
  }
}

/** How a group or a column is called, also while it has no name. @param index its position */
export function titleOf(
  kind: 'group' | 'column',
  name: string,
  index: number,
  t: TFunction,
): string {
  return name.trim() || t(`gradebook.settings.${kind}`, { number: index + 1 })
}

const orNull = (value: NumberField) => (value === '' ? null : value)

export function toSettings({
  groups,
  columns,
  deleted,
  total,
}: SettingsValues): z.input<typeof gradebookForm> {
  return {
    groups: groups.map(({ id, name, weight, dropLowest, capPercent, extra }) => ({
      id,
      name,
      weight: orNull(weight),
      dropLowest: toNumber(dropLowest),
      capPercent: toNumber(capPercent),
      extra,
    })),
    columns: columns.map(({ id, kind, name, max, group, weight, extra }) => ({
      id,
      ...(kind === 'manual' && { name, max: toNumber(max) }),
      group: group === '' ? null : groups.findIndex(({ key }) => key === group),
      weight: orNull(weight),
      extra,
    })),
    deleted,
    total: { ...total, outOf: orNull(total.outOf) },
  }
}

/** What `totalOf` takes. Groups and columns have their positions, from 1, as ids, because new ones have no other. */
export interface WholeRule {
  rule: TotalRule
  groups: TotalGroup[]
  columns: TotalColumn[]
}

/** The rule that the fields mean; null while a number is missing or below 0. */
export function ruleOf({ groups, columns, total }: SettingsValues): WholeRule | null {
  const needed = [
    ...groups.flatMap(({ dropLowest, capPercent }) => [
      toNumber(dropLowest),
      toNumber(capPercent) - 1,
    ]),
    ...columns.map(({ max }) => toNumber(max)),
    ...[...groups, ...columns].map(({ weight }) => orNull(weight) ?? 0),
    orNull(total.outOf) ?? 0,
  ]
  if (!needed.every((number) => number >= 0)) return null
  const hundredths = (points: NumberField) => Math.round(toNumber(points) * 100)
  const hundredthsOrNull = (points: NumberField) => (points === '' ? null : hundredths(points))
  return {
    rule: { outOf: hundredthsOrNull(total.outOf), decimals: total.decimals },
    groups: groups.map(({ weight, dropLowest, capPercent, extra }, index) => ({
      id: index + 1,
      weight: hundredthsOrNull(weight),
      dropLowest: toNumber(dropLowest),
      capPercent: toNumber(capPercent),
      isExtra: extra,
    })),
    columns: columns.map(({ max, group, weight, extra }, index) => ({
      id: index + 1,
      groupId: group === '' ? null : groups.findIndex(({ key }) => key === group) + 1,
      max: hundredths(max),
      weight: hundredthsOrNull(weight),
      isExtra: extra,
    })),
  }
}

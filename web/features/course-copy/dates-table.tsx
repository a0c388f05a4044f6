import { ActionIcon, Checkbox, Group, Text } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { IconArrowBackUp } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { TimeField } from '../../components/forms/time-field.tsx'
import { ListTable } from '../../components/lists/list-table.tsx'
import { formatDeadline, formatTime } from '../../lib/format/format.ts'
import { useLocale } from '../../lib/format/i18n.ts'
import { LOCALES } from '../../lib/format/locale.ts'
import { useCourse } from '../../lib/queries/course.ts'
import classes from './dates-table.module.css'
import {
  DATE_FIELDS,
  type CopyValues,
  type DateCell,
  type DateField,
  type DateRow,
} from './plan.ts'

/** The day of the week, in the reader's zone like the times. */
function useWeekday(): (at: number) => string {
  useTranslation()
  const { dateTag } = LOCALES[useLocale()]
  const format = new Intl.DateTimeFormat(dateTag, { weekday: 'short' })
  return (at) => format.format(at * 1_000)
}

const isWeekend = (at: number) => [0, 6].includes(new Date(at * 1_000).getDay())

interface CellProps {
  cell: DateCell
  /** Names the homework, or the label's part of it. */
  name: string
  onEdit: (text: string | null) => void
}

/** A time of the new course, its day of the week, what it was, and a way back to the proposal. */
function Cell({ cell, name, onEdit }: CellProps) {
  const { t } = useTranslation()
  const weekday = useWeekday()
  const { field, old, at, text, isEdited, isHoliday, fault } = cell
  const label = t('courseCopy.cell', { field: t(`dates.${field}`), name })
  const isKnown = at !== null && !Number.isNaN(at)
  const shown = field === 'opens' ? formatTime : formatDeadline
  return (
    <div className={classes.cell} data-edited={isEdited || undefined}>
      <Group gap={4} wrap="nowrap" align="flex-start">
        <TimeField
          isCell
          label={label}
          isDeadline={field !== 'opens'}
          value={text}
          onChange={onEdit}
          error={fault && t(`courseCopy.fault.${fault}`)}
        />
        {isEdited ? (
          <ActionIcon
            aria-label={t('courseCopy.resetOf', { cell: label })}
            title={t('courseCopy.reset')}
            onClick={() => onEdit(null)}
          >
            <IconArrowBackUp size={17} />
          </ActionIcon>
        ) : null}
      </Group>
      <Text size="xs" c="dimmed" className={classes.notes}>
        {isKnown ? <strong data-weekend={isWeekend(at) || undefined}>{weekday(at)}</strong> : null}
        {isHoliday ? <strong data-weekend>{t('courseCopy.holiday')}</strong> : null}
        {isEdited ? <span>{t('courseCopy.edited')}</span> : null}
        {old === null ? null : (
          <span>{t('courseCopy.was', { time: `${weekday(old)} ${shown(old)}` })}</span>
        )}
      </Text>
    </div>
  )
}

/** Returns a function that gives the name of a label. */
function useLabelName(): (label: number) => string {
  const { labels } = useCourse()
  return (label) => labels.find(({ id }) => id === label)?.name ?? `#${label}`
}

/** The homework, which may stay behind; or the label. */
function NameCell({ row, onBring }: { row: DateRow; onBring: (comes: boolean) => void }) {
  const { t } = useTranslation()
  const labelName = useLabelName()
  if (row.label !== null) return <span className={classes.label}>{labelName(row.label)}</span>
  return (
    <Checkbox
      label={row.homework.name}
      {...(row.isLeft && { description: t('courseCopy.staysBehind') })}
      checked={!row.isLeft}
      onChange={({ currentTarget }) => onBring(currentTarget.checked)}
    />
  )
}

interface DatesTableProps {
  form: UseFormReturnType<CopyValues>
  rows: DateRow[]
}

/** All dates of the new course: a row for each homework, and one for each label with dates of its own. */
export function DatesTable({ form, rows }: DatesTableProps) {
  const { t } = useTranslation()
  const labelName = useLabelName()
  const { left, edits } = form.values

  function edit(key: string, text: string | null) {
    const { [key]: _, ...others } = edits
    form.setFieldValue('edits', text === null ? others : { ...others, [key]: text })
  }

  function bring(id: string, comes: boolean) {
    const others = left.filter((each) => each !== id)
    form.setFieldValue('left', comes ? others : [...others, id])
  }

  const nameOf = ({ homework: { name }, label }: DateRow) =>
    label === null ? name : `${name}, ${labelName(label)}`

  const toColumn = (field: DateField) => ({
    head: t(`dates.${field}`),
    isWide: true,
    isLabelled: true,
    renderCell: (row: DateRow) =>
      row.isLeft ? null : (
        <Cell
          cell={row.cells[field]}
          name={nameOf(row)}
          onEdit={(text) => edit(row.cells[field].key, text)}
        />
      ),
  })

  return (
    <ListTable
      className={`app-cards ${classes.table}`}
      label={t('courseCopy.table')}
      columns={[
        {
          head: t('dates.homework'),
          className: classes.name,
          isWide: true,
          renderCell: (row: DateRow) => (
            <NameCell row={row} onBring={(comes) => bring(row.homework.id, comes)} />
          ),
        },
        ...DATE_FIELDS.map(toColumn),
      ]}
      rows={rows.filter(({ isLeft, label }) => !isLeft || label === null)}
      keyOf={({ key }) => key}
    />
  )
}

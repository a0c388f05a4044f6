import { Checkbox, NativeSelect } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ListTable } from '../../../components/lists/list-table.tsx'
import { hasOtherMax } from '../../../lib/gradebook-files/fill.ts'
import type { MarkColumn } from '../../../lib/gradebook-files/systems.ts'
import { useNumberText } from '../../../lib/format/number-text.ts'
import type { OpenedFile } from './use-opened-file.ts'

interface ColumnCellProps {
  opened: OpenedFile
  mark: MarkColumn
  isReading: boolean
}

/** The choice of the gradebook's column for a column of the file. */
function PairSelect({ opened, mark: { column, head }, isReading }: ColumnCellProps) {
  const { t } = useTranslation()
  const { columns, pairs, chooseColumn } = opened
  const offered = columns.filter(({ kind }) => !isReading || kind !== 'total')
  const paired = offered.find(({ id }) => id === pairs.get(column))
  return (
    <NativeSelect
      size="xs"
      aria-label={t('gradebook.files.pairOf', { head })}
      value={paired?.id ?? ''}
      onChange={({ currentTarget: { value } }) =>
        chooseColumn(head, value === '' ? null : Number(value))
      }
      data={[
        { value: '', label: t('gradebook.files.unpaired') },
        ...offered.map(({ id, name }) => ({ value: String(id), label: name })),
      ]}
    />
  )
}

/** The maximum of the file's column, and the offer to scale marks to it. */
function MaxCell({ opened, mark, isReading }: ColumnCellProps) {
  const { t } = useTranslation()
  const { points } = useNumberText()
  const { columns, pairs, scaled, setScaled } = opened
  const { column, max } = mark
  const ours = columns.find(({ id }) => id === pairs.get(column))
  if (max === null) return null
  if (ours === undefined || isReading || !hasOtherMax(mark, ours)) return points(max / 100)
  return (
    <Checkbox
      size="xs"
      label={t('gradebook.files.scale', { ours: points(ours.max), theirs: points(max / 100) })}
      checked={scaled.has(column)}
      onChange={(event) => setScaled(column, event.currentTarget.checked)}
    />
  )
}

/** Which column of the gradebook belongs to which column of the file. Open if something is to be chosen. */
export function ColumnPairs({ opened, isReading }: { opened: OpenedFile; isReading: boolean }) {
  const { t } = useTranslation()
  const { columns, recognised, pairs } = opened
  const [isOpen] = useState(
    () =>
      pairs.size === 0 ||
      recognised.marks.some((mark) => {
        const ours = columns.find(({ id }) => id === pairs.get(mark.column))
        return ours !== undefined && hasOtherMax(mark, ours)
      }),
  )
  return (
    <details open={isOpen}>
      <summary>
        {t('gradebook.files.paired', { paired: pairs.size, count: recognised.marks.length })}
      </summary>
      <ListTable
        className="app-cards"
        label={t('gradebook.files.columns')}
        rows={recognised.marks}
        keyOf={({ column }) => column}
        columns={[
          { head: t('gradebook.files.theirs'), isLabelled: true, renderCell: ({ head }) => head },
          {
            head: t('gradebook.files.ours'),
            renderCell: (mark) => <PairSelect {...{ opened, mark, isReading }} />,
          },
          {
            head: t('gradebook.files.max'),
            isLabelled: true,
            renderCell: (mark) => <MaxCell {...{ opened, mark, isReading }} />,
          },
        ]}
      />
    </details>
  )
}

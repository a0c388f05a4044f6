import { useTranslation } from 'react-i18next'
import { Person } from '../../../components/display/person.tsx'
import { ListTable } from '../../../components/lists/list-table.tsx'
import type { MarkedPerson } from '../../../lib/gradebook-files/fill.ts'
import { More, SHOWN } from './more.tsx'

/** A cell of the file, with its person and the head of its column. */
interface Cell {
  row: number
  column: number
  person: MarkedPerson
  head: string
}

interface ChangeTableProps<Change extends Cell> {
  changes: readonly Change[]
  beforeOf: (change: Change) => string
  afterOf: (change: Change) => string
}

/** What changes, in the file or in the gradebook. */
export function ChangeTable<Change extends Cell>(props: ChangeTableProps<Change>) {
  const { changes, beforeOf, afterOf } = props
  const { t } = useTranslation()
  if (changes.length === 0) return null
  return (
    <>
      <ListTable
        className="app-cards"
        label={t('gradebook.files.changes')}
        rows={changes.slice(0, SHOWN)}
        keyOf={({ row, column }) => `${row} ${column}`}
        columns={[
          { head: t('csv.line'), isLabelled: true, renderCell: ({ row }) => row + 1 },
          {
            head: t('gradebook.files.student'),
            isWide: true,
            renderCell: ({ person }) => <Person user={person} />,
          },
          { head: t('gradebook.files.theirs'), isWide: true, renderCell: ({ head }) => head },
          {
            head: t('gradebook.files.before'),
            isNumeric: true,
            isLabelled: true,
            renderCell: beforeOf,
          },
          {
            head: t('gradebook.files.after'),
            isNumeric: true,
            isLabelled: true,
            renderCell: afterOf,
          },
        ]}
      />
      <More of={changes} />
    </>
  )
}

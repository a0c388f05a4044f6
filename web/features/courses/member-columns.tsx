import { Alert, Group, NativeSelect } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { ListTable } from '../../components/lists/list-table.tsx'
import { ENCODING_LABELS, ENCODINGS, type Encoding } from '../../lib/files/file-text.ts'
import { FIELDS, type Field } from '../../lib/files/person-heads.ts'
import { SEPARATORS, type Separator } from './member-file.ts'
import type { MemberFile } from './use-member-file.ts'

/** How many rows of each column are shown. */
const SHOWN_CELLS = 3

interface MemberColumnsProps {
  file: MemberFile
  onReread: (change: { encoding?: Encoding; separator?: Separator }) => void
  onColumn: (column: number, field: Field | null) => void
}

/** Fields for the encoding and the separator with which the file was read. */
function ReadingFields({ file, onReread }: Omit<MemberColumnsProps, 'onColumn'>) {
  const { t } = useTranslation()
  return (
    <Group my="sm">
      <NativeSelect
        size="xs"
        label={t('csv.encoding')}
        data={ENCODINGS.map((value) => ({ value, label: ENCODING_LABELS[value] }))}
        value={file.encoding}
        onChange={({ currentTarget }) => {
          const encoding = ENCODINGS.find((each) => each === currentTarget.value)
          if (encoding) onReread({ encoding })
        }}
      />
      <NativeSelect
        size="xs"
        label={t('csv.separator')}
        data={SEPARATORS.map((value) => ({ value, label: t(`csv.separators.${value}`) }))}
        value={file.separator}
        onChange={({ currentTarget }) => {
          const separator = SEPARATORS.find((each) => each === currentTarget.value)
          if (separator) onReread({ separator })
        }}
      />
    </Group>
  )
}

/** What each column means, with its first cells. */
function ColumnTable({ file, onColumn }: Omit<MemberColumnsProps, 'onReread'>) {
  const { t } = useTranslation()
  const { table, columns } = file
  const cellsOf = (index: number) =>
    table.rows
      .slice(0, SHOWN_CELLS)
      .map(({ cells }) => (columns[index] === 'password' ? '•••' : cells[index]))
      .join(' · ')
  return (
    <ListTable
      className="app-cards"
      label={t('csv.columns')}
      rows={table.heads}
      keyOf={(_, index) => index}
      columns={[
        { head: t('csv.head'), isLabelled: true, renderCell: (head) => head },
        { head: t('csv.cells'), isLabelled: true, renderCell: (_, index) => cellsOf(index) },
        {
          head: t('csv.meaning'),
          renderCell: (head, index) => (
            <NativeSelect
              size="xs"
              aria-label={t('csv.meaningOf', { head })}
              value={columns[index] ?? ''}
              onChange={({ currentTarget }) =>
                onColumn(index, FIELDS.find((each) => each === currentTarget.value) ?? null)
              }
              data={[
                { value: '', label: t('csv.unused') },
                ...FIELDS.map((value) => ({ value, label: t(`csv.column.${value}`) })),
              ]}
            />
          ),
        },
      ]}
    />
  )
}

/** Shows how the file was read and what each column means; both can be corrected. */
export function MemberColumns({ file, onReread, onColumn }: MemberColumnsProps) {
  const { t } = useTranslation()
  const { missing, members } = file
  return (
    <details open={missing.length > 0 || undefined}>
      <summary>
        {t('csv.readAs', { encoding: ENCODING_LABELS[file.encoding], count: members.length })}
      </summary>
      {missing.length > 0 ? (
        <Alert color="yellow" my="sm">
          {t('csv.missing', {
            columns: missing.map((field) => t(`csv.column.${field}`)).join(', '),
          })}
        </Alert>
      ) : null}
      <ReadingFields file={file} onReread={onReread} />
      <ColumnTable file={file} onColumn={onColumn} />
    </details>
  )
}

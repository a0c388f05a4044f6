import { Alert, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { BatchSignupResult, BatchSignupRow } from '#contract/people/auth'
import type { FieldError } from '#contract/errors'
import { ListTable, type Column } from '../../components/lists/list-table.tsx'
import { useFieldText } from '../../lib/api/field-text.ts'
import { FIELDS } from '../../lib/files/person-heads.ts'
import type { MemberFile } from './use-member-file.ts'

/** At most this many rows are shown; a file may have thousands. */
const SHOWN = 200

/** Names the column of a fault and what is wrong, in the reader's language. */
function useFaultText(): (fault: FieldError) => string {
  const { t } = useTranslation()
  const fieldText = useFieldText()
  return (fault) => {
    const column = FIELDS.find((field) => field === fault.path[0])
    const text = fieldText(fault)
    return column === undefined ? text : `${t(`csv.column.${column}`)}: ${text}`
  }
}

interface CsvResultProps {
  result: BatchSignupResult
  /** Whether the result is that of a check, so that nothing has been stored yet. */
  isChecked: boolean
  /** Whether the result is that of a part that was refused. */
  isPart: boolean
  /** The file, whose names and addresses are shown. */
  file: Pick<MemberFile, 'table' | 'members'>
}

/** The rows of the file, each with its person and with what the import does. */
function RowTable({ rows, file }: { rows: BatchSignupRow[]; file: CsvResultProps['file'] }) {
  const { t } = useTranslation()
  const faultText = useFaultText()
  /** The index of a row's member. The API counts lines from 1, and line 1 holds the column headers. */
  const indexOf = ({ line }: BatchSignupRow) => line - 2
  const people = (['displayedName', 'email'] as const).map((field): Column<BatchSignupRow> => ({
    head: t(`csv.column.${field}`),
    isLabelled: true,
    renderCell: (row) => file.members[indexOf(row)]?.[field],
  }))
  return (
    <ListTable
      className="app-cards"
      rows={rows.slice(0, SHOWN)}
      keyOf={({ line }) => line}
      columns={[
        {
          head: t('csv.line'),
          isLabelled: true,
          renderCell: (row) => file.table.rows[indexOf(row)]?.number ?? row.line,
        },
        {
          head: t('csv.column.username'),
          className: 'mono',
          isLabelled: true,
          renderCell: ({ username }) => username,
        },
        {
          head: t('csv.outcome'),
          isWide: true,
          renderCell: ({ action, faults }) => (
            <Text span inherit c={action === 'error' ? 'var(--mantine-color-error)' : undefined}>
              {faults ? faults.map(faultText).join('; ') : t(`csv.action.${action}`)}
            </Text>
          ),
        },
        // These columns come last, so that long names push nothing important out of sight.
        ...people,
      ]}
    />
  )
}

/** The outcome of each row of the file; only the bad rows if there are any. */
export function CsvResult({ result, isChecked, isPart, file }: CsvResultProps) {
  const { t } = useTranslation()
  const bad = result.rows.filter(({ action }) => action === 'error')
  const rows = bad.length > 0 ? bad : result.rows
  const { created, updated, enrolled, unchanged, notMailed = [], waitingLinks = 0 } = result
  return (
    <>
      <Text size="sm" mb="xs">
        {bad.length > 0
          ? t(isPart ? 'csv.refusedPart' : 'csv.refused')
          : t(isChecked ? 'csv.wouldDo' : 'csv.done', { created, updated, enrolled, unchanged })}
      </Text>
      {notMailed.length > 0 ? (
        <Alert color="yellow" mb="xs">
          {t('csv.notMailed', { names: notMailed.join(', ') })}
        </Alert>
      ) : null}
      {waitingLinks > 0 ? (
        <Alert color="yellow" mb="xs">
          {t('csv.waitingLinks', { count: waitingLinks })}
        </Alert>
      ) : null}
      <RowTable rows={rows} file={file} />
      {rows.length > SHOWN ? (
        <Text size="sm" mt="xs">
          {t('testData.more', { count: rows.length - SHOWN })}
        </Text>
      ) : null}
    </>
  )
}

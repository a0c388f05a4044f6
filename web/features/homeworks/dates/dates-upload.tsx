import { Alert, Button, Group, Text } from '@mantine/core'
import { IconFileSpreadsheet } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import {
  overridesChanged,
  type HomeworkDatesTable,
  type OverrideChange,
} from '#contract/homework-overrides'
import type { Homework } from '#contract/homeworks'
import { ErrorBox } from '../../../components/feedback/error-box.tsx'
import { FilePickButton } from '../../../components/forms/file-pick-button.tsx'
import { ListTable } from '../../../components/lists/list-table.tsx'
import { call } from '../../../lib/api/call.ts'
import { noTextOf } from '../../../lib/files/no-text.ts'
import { formatDeadline, formatTime } from '../../../lib/format/format.ts'
import { useCourse } from '../../../lib/queries/course.ts'
import { refreshHomework } from '../../../lib/queries/refresh-homework.ts'
import { readDatesFile, type DatesFault, type DatesFile, type DatesRow } from './dates-file.ts'
import { DATES_COLUMNS, targetsByName, type DatesField } from './dates-rows.ts'

/** At most this many rows are shown. */
const SHOWN = 200

function useFaultText(): (fault: DatesFault) => string {
  const { t } = useTranslation()
  return ({ field, kind, min = 0, max = 0 }) =>
    `${DATES_COLUMNS[field]}: ${t(`dates.fault.${kind}`, { min, max })}`
}

/** What a row changes, in the file's words; times in the course's zone. */
function useChangeText(): (change: OverrideChange | null) => string {
  const { t } = useTranslation()
  const { timeZone } = useCourse()
  function textOf(field: string, value: unknown): string {
    if (value === null || value === '') return '–'
    if (field === 'opens') return formatTime(Number(value), timeZone)
    if (field === 'due' || field === 'closes') return formatDeadline(Number(value), timeZone)
    return value === true ? t('common.yes') : String(value)
  }
  return (change) => {
    if (change === null) return t('dates.unchanged')
    const { username: _, label: __, ...fields } = change
    return Object.entries(fields)
      .map(([field, value]) => `${DATES_COLUMNS[field as DatesField]}: ${textOf(field, value)}`)
      .join(', ')
  }
}

function RowTable({ rows }: { rows: DatesRow[] }) {
  const { t } = useTranslation()
  const faultText = useFaultText()
  const changeText = useChangeText()
  return (
    <ListTable
      className="app-cards"
      label={t('dates.preview')}
      rows={rows.slice(0, SHOWN)}
      keyOf={({ number }) => number}
      columns={[
        { head: t('csv.line'), isLabelled: true, renderCell: ({ number }) => number },
        {
          head: t('profile.username'),
          className: 'mono',
          renderCell: ({ username }) => username,
        },
        {
          head: t('csv.outcome'),
          isWide: true,
          renderCell: ({ faults, change }) => (
            <Text span inherit c={faults.length > 0 ? 'var(--mantine-color-error)' : undefined}>
              {faults.length > 0 ? faults.map(faultText).join('; ') : changeText(change)}
            </Text>
          ),
        },
      ]}
    />
  )
}

/** What the file would do, or its faults; nothing has been sent yet. */
function Preview({ file }: { file: DatesFile }) {
  const { t } = useTranslation()
  const bad = file.rows.filter(({ faults }) => faults.length > 0)
  const rows = bad.length > 0 ? bad : file.rows
  const changed = file.rows.filter(({ change }) => change !== null).length
  if (file.missing) return <Alert color="red">{t('dates.noUsernames')}</Alert>
  return (
    <>
      {file.unknownHeads.length > 0 ? (
        <Alert color="yellow" mb="xs">
          {t('dates.unknownHeads', { heads: file.unknownHeads.join(', ') })}
        </Alert>
      ) : null}
      <Text size="sm" mb="xs">
        {bad.length > 0
          ? t('csv.refused')
          : t('dates.wouldChange', { count: changed, same: file.rows.length - changed })}
      </Text>
      {rows.length > 0 ? <RowTable rows={rows} /> : null}
      {rows.length > SHOWN ? (
        <Text size="sm" mt="xs">
          {t('testData.more', { count: rows.length - SHOWN })}
        </Text>
      ) : null}
    </>
  )
}

/** Changes all people of the file, or none. */
function useSaving(homeworkId: string, onSaved: () => void) {
  return useMutation({
    mutationFn: (overrides: OverrideChange[]) =>
      call('PUT /homework/:id/overrides', {
        params: { id: homeworkId },
        body: { overrides },
        ifMatch: null,
        as: overridesChanged,
      }),
    onSuccess: async () => {
      await refreshHomework(homeworkId)
      onSaved()
    },
  })
}

interface DatesUploadProps {
  homework: Homework
  table: HomeworkDatesTable
}

/** Picks a file, shows what it would change, then changes all of it or nothing. */
export function DatesUpload({ homework, table }: DatesUploadProps) {
  const { t } = useTranslation()
  const { timeZone, labels } = useCourse()
  const [picked, setPicked] = useState<DatesFile | 'noText' | null>(null)
  const saving = useSaving(homework.id, () => setPicked(null))
  const said = useRef<HTMLOutputElement>(null)
  // The page gets shorter by the rows, which would move the answer out of view.
  useEffect(() => {
    if (saving.isSuccess) said.current?.scrollIntoView({ block: 'nearest' })
  }, [saving.isSuccess])

  async function open(chosen: File) {
    saving.reset()
    const bytes = new Uint8Array(await chosen.arrayBuffer())
    const targets = targetsByName(table, homework, labels)
    setPicked(noTextOf(bytes) === null ? readDatesFile(bytes, { targets, timeZone }) : 'noText')
  }

  const rows = picked === null || picked === 'noText' ? [] : picked.rows
  const changes = rows.flatMap(({ change }) => change ?? [])
  const isGood = rows.every(({ faults }) => faults.length === 0)
  return (
    <>
      <Group mb="sm">
        <FilePickButton
          onPick={(chosen) => void open(chosen)}
          accept=".csv,.tsv,.txt,text/csv,text/plain"
          icon={<IconFileSpreadsheet size={16} aria-hidden="true" />}
        >
          {t('csv.choose')}
        </FilePickButton>
        {isGood && changes.length > 0 ? (
          <Button loading={saving.isPending} onClick={() => saving.mutate(changes)}>
            {t('dates.importChanges', { count: changes.length })}
          </Button>
        ) : null}
      </Group>
      {/* Always rendered, so that screen readers announce changes in it. */}
      <output ref={said}>
        {picked === 'noText' ? <Alert color="red">{t('csv.workbook')}</Alert> : null}
        {picked !== null && picked !== 'noText' ? <Preview file={picked} /> : null}
        {saving.data ? (
          <Text size="sm">
            {t('dates.savedChanges', { count: saving.variables.length })}
            {saving.data.kept > 0 ? ` ${t('dates.keptCount', { count: saving.data.kept })}` : null}
          </Text>
        ) : null}
      </output>
      <ErrorBox of={saving} />
    </>
  )
}

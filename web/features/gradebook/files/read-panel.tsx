import { Alert, Button, Progress, Text, TextInput } from '@mantine/core'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { TEXT_LIMITS } from '#contract/limits'
import { ErrorBox } from '../../../components/feedback/error-box.tsx'
import { useNumberText } from '../../../lib/format/number-text.ts'
import { readMarks, type MarkFault } from '../../../lib/gradebook-files/read.ts'
import { useCourse } from '../../../lib/queries/course.ts'
import { ChangeTable } from './change-table.tsx'
import { More, SHOWN } from './more.tsx'
import { useSendMarks } from './send-marks.ts'
import type { OpenedFile } from './use-opened-file.ts'

function FaultList({ faults }: { faults: readonly MarkFault[] }) {
  const { t } = useTranslation()
  if (faults.length === 0) return null
  return (
    <Alert color="red" title={t('gradebook.files.faults', { count: faults.length })}>
      <ul>
        {faults.slice(0, SHOWN).map(({ row, head, value, kind }) => (
          <li key={`${row} ${head}`}>
            {t(`gradebook.files.fault.${kind}`, { row: row + 1, head, value })}
          </li>
        ))}
      </ul>
      <More of={faults} />
    </Alert>
  )
}

/** The marks in the file for all columns but the total, which nobody sets. */
function useReading({ file, recognised, people, columns, pairs, rows }: OpenedFile) {
  return useMemo(() => {
    const total = columns.find(({ kind }) => kind === 'total')?.id
    const toRead = new Map([...pairs].filter(([, id]) => id !== total))
    return readMarks(file, recognised, people, { pairs: toRead, rows })
  }, [file, recognised, people, columns, pairs, rows])
}

/** What the file would change in the gradebook, and the button that stores it. */
export function ReadPanel({ opened }: { opened: OpenedFile }) {
  const { t } = useTranslation()
  const { points } = useNumberText()
  const { course } = useCourse()
  const [reason, setReason] = useState('')
  const { run, done } = useSendMarks(course)
  const { edits, faults, same } = useReading(opened)
  const textOf = (hundredths: number | null, isExcused: boolean) => {
    if (isExcused) return t('gradebook.files.isExcused')
    return hundredths === null ? '–' : points(hundredths / 100)
  }
  return (
    <>
      <Text component="output" size="sm">
        {run.isSuccess && edits.length === 0
          ? t('gradebook.files.stored', { count: done })
          : t('gradebook.files.reads', { count: edits.length })}{' '}
        {t('gradebook.files.same', { count: same })}
      </Text>
      <FaultList faults={faults} />
      {run.isPending ? (
        <Progress
          value={(done / run.variables.edits.length) * 100}
          aria-label={t('gradebook.files.sending')}
        />
      ) : null}
      {edits.length > 0 ? (
        <TextInput
          label={t('gradebook.files.reason')}
          value={reason}
          maxLength={TEXT_LIMITS.markReason}
          onChange={(event) => setReason(event.currentTarget.value)}
        />
      ) : null}
      {edits.length > 0 && faults.length === 0 ? (
        <div>
          <Button loading={run.isPending} onClick={() => run.mutate({ edits, reason })}>
            {t('gradebook.files.store', { count: edits.length })}
          </Button>
        </div>
      ) : null}
      <ErrorBox of={run}>
        {done > 0 ? <Text size="sm">{t('gradebook.files.goOn', { count: done })}</Text> : null}
      </ErrorBox>
      <ChangeTable
        changes={edits}
        beforeOf={({ before }) => textOf(before?.hundredths ?? null, before?.isExcused ?? false)}
        afterOf={({ hundredths }) => textOf(hundredths, hundredths === null)}
      />
    </>
  )
}

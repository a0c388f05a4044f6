import { Button, Checkbox, Group, Text } from '@mantine/core'
import { IconFileSpreadsheet } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { batchSignupResult } from '#contract/auth'
import { ErrorBox } from '../../components/error-box.tsx'
import { FilePickButton } from '../../components/file-pick-button.tsx'
import { refusalData } from '../../lib/api-error.ts'
import { courseQuery } from '../../lib/course.ts'
import { useKnownOperation } from '../../lib/operations.ts'
import { refresh } from '../../lib/query-client.ts'
import { signUpMany } from './api.ts'
import { CsvResult } from './csv-result.tsx'
import classes from './members-page.module.css'
import { SignupProgress } from './signup-progress.tsx'

interface Upload {
  name: string
  text: string
}

interface CsvUploadProps {
  course: string
  onStarted: (operationId: string) => void
}

const OPTIONS = ['force', 'uppercase'] as const

/** The picked file, the options, and the call that checks and imports its rows. */
function useImport({ course, onStarted }: CsvUploadProps) {
  const [upload, setUpload] = useState<Upload | null>(null)
  const [options, setOptions] = useState({ force: false, uppercase: false })
  const send = useMutation({
    mutationFn: ({ file, dryRun }: { file: Upload; dryRun: boolean }) =>
      signUpMany({ newUsers: file.text, course, ...options, dryRun }),
    onSuccess: async (answer, { dryRun }) => {
      if (dryRun) return
      setUpload(null)
      if ('jobId' in answer) onStarted(answer.jobId)
      await refresh(courseQuery(course).queryKey)
    },
  })

  async function open(file: File) {
    const next = { name: file.name, text: await file.text() }
    setUpload(next)
    send.mutate({ file: next, dryRun: true })
  }

  function change(option: (typeof OPTIONS)[number], value: boolean) {
    setOptions({ ...options, [option]: value })
    // The check was made with the other option.
    send.reset()
  }

  return { upload, options, send, open, change }
}

/** Picks a file, checks its rows, then imports them. */
function CsvUpload(props: CsvUploadProps) {
  const { t } = useTranslation()
  const { upload, options, send, open, change } = useImport(props)
  const refused = refusalData(send.error, batchSignupResult)
  const result = send.data && 'rows' in send.data ? send.data : refused
  const isChecked = send.isSuccess && send.variables.dryRun
  const hasErrors = result?.rows.some((row) => row.action === 'error') ?? false
  return (
    <>
      <Group mb="sm">
        {OPTIONS.map((option) => (
          <Checkbox
            key={option}
            label={t(`csv.${option}`)}
            checked={options[option]}
            onChange={(event) => change(option, event.currentTarget.checked)}
          />
        ))}
      </Group>
      <Group mb="sm">
        <FilePickButton
          onPick={(file) => void open(file)}
          accept=".csv,text/csv"
          icon={<IconFileSpreadsheet size={16} aria-hidden="true" />}
        >
          {t('csv.choose')}
        </FilePickButton>
        {upload !== null && !isChecked ? (
          <Button
            variant="default"
            loading={send.isPending}
            onClick={() => send.mutate({ file: upload, dryRun: true })}
          >
            {t('csv.check', { name: upload.name })}
          </Button>
        ) : null}
        {upload !== null && isChecked && !hasErrors ? (
          <Button
            loading={send.isPending}
            onClick={() => send.mutate({ file: upload, dryRun: false })}
          >
            {t('csv.import', { name: upload.name })}
          </Button>
        ) : null}
      </Group>
      <output>{result ? <CsvResult result={result} isChecked={isChecked} /> : null}</output>
      {send.isError && !refused ? <ErrorBox of={send} /> : null}
    </>
  )
}

/** Imports members from a CSV file, after a dry run. */
export function CsvImport({ course }: { course: string }) {
  const { t } = useTranslation()
  const { operationId, know } = useKnownOperation(`signup:${course}`)
  return (
    <details className={`app-card ${classes.csv}`} open={operationId !== null}>
      <summary>{t('csv.title')}</summary>
      <Text size="sm" c="dimmed" my="sm">
        {t('csv.help')}
      </Text>
      {operationId === null ? (
        <CsvUpload course={course} onStarted={know} />
      ) : (
        <SignupProgress course={course} operationId={operationId} onDismiss={() => know(null)} />
      )}
    </details>
  )
}

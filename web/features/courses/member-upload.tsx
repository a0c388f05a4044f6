import { Alert, Button, Checkbox, Group } from '@mantine/core'
import { IconDownload, IconFileSpreadsheet } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { batchSignupResult } from '#contract/people/auth'
import { ErrorBox } from '../../components/feedback/error-box.tsx'
import { FilePickButton } from '../../components/forms/file-pick-button.tsx'
import { ApiError, isRefusal, refusalData } from '../../lib/api/api-error.ts'
import { courseQuery } from '../../lib/queries/course.ts'
import { download } from '../../lib/files/download.ts'
import { useErrorText } from '../../lib/api/error-text.ts'
import { useFieldText } from '../../lib/api/field-text.ts'
import { refresh } from '../../lib/api/query-client.ts'
import { signUpMany } from './api.ts'
import { CsvResult } from './csv-result.tsx'
import { MemberColumns } from './member-columns.tsx'
import { templateCsv } from './member-file.ts'
import { useMemberFile, type MemberFile } from './use-member-file.ts'

interface MemberUploadProps {
  course: string
  onStarted: (operationId: string) => void
}

const OPTIONS = ['mailLinks', 'force', 'uppercase'] as const
type Options = Record<(typeof OPTIONS)[number], boolean>

/** The file, the options, and the call that checks and imports its rows. */
function useImport({ course, onStarted }: MemberUploadProps) {
  const source = useMemberFile()
  const [options, setOptions] = useState<Options>({
    mailLinks: false,
    force: false,
    uppercase: false,
  })
  const send = useMutation({
    mutationFn: ({ csv, dryRun, ...chosen }: Options & { csv: string; dryRun: boolean }) =>
      signUpMany({ newUsers: csv, course, ...chosen, dryRun }),
    onSuccess: async (answer, { dryRun }) => {
      if (dryRun) return
      if ('jobId' in answer) onStarted(answer.jobId)
      await refresh(courseQuery(course).queryKey)
    },
  })

  async function open(chosen: File) {
    send.reset()
    const file = await source.open(chosen)
    if (file === null) return
    // Without passwords there is only the link.
    const next = { ...options, mailLinks: !file.columns.includes('password') }
    setOptions(next)
    if (file.missing.length === 0) send.mutate({ csv: file.csv, dryRun: true, ...next })
  }

  return {
    ...source,
    options,
    send,
    open,
    /** A check made before a change says nothing any more. */
    change: (option: keyof Options, value: boolean) => {
      setOptions({ ...options, [option]: value })
      send.reset()
    },
    reread: (...change: Parameters<typeof source.reread>) => {
      source.reread(...change)
      send.reset()
    },
    setColumn: (...change: Parameters<typeof source.setColumn>) => {
      source.setColumn(...change)
      send.reset()
    },
  }
}

/** Why the whole file was refused, or could not be sent. */
function UploadError({ send }: { send: { error: unknown } }) {
  const { t } = useTranslation()
  const fieldText = useFieldText()
  const errorText = useErrorText()
  const { error } = send
  if (isRefusal(error, 'not_configured'))
    return (
      <Alert color="red">
        {t('csv.noMail')} {errorText(error)}
      </Alert>
    )
  if (error instanceof ApiError && error.fieldErrors.length > 0)
    return <Alert color="red">{error.fieldErrors.map(fieldText).join(' ')}</Alert>
  return <ErrorBox of={send} />
}

/** An empty file with the heads that are understood. */
function TemplateButton() {
  const { t } = useTranslation()
  const heads = (['username', 'email', 'displayedName', 'password'] as const).map((field) =>
    t(`csv.column.${field}`),
  )
  return (
    <Button
      variant="subtle"
      leftSection={<IconDownload size={16} aria-hidden="true" />}
      onClick={() => download('members.csv', templateCsv(heads), 'text/csv;charset=utf-8')}
    >
      {t('csv.template')}
    </Button>
  )
}

/** Checks the file, and imports it once the check has found nothing. */
function SendButton({ file, upload }: { file: MemberFile; upload: ReturnType<typeof useImport> }) {
  const { t } = useTranslation()
  const { send, options } = upload
  const isImported = send.isSuccess && !send.variables.dryRun
  const hasErrors =
    send.data !== undefined &&
    'rows' in send.data &&
    send.data.rows.some((row) => row.action === 'error')
  if (file.missing.length > 0 || isImported || (send.isSuccess && hasErrors)) return null
  const isChecked = send.isSuccess
  return (
    <Button
      variant={isChecked ? 'filled' : 'default'}
      loading={send.isPending}
      onClick={() => send.mutate({ csv: file.csv, dryRun: !isChecked, ...options })}
    >
      {t(isChecked ? 'csv.import' : 'csv.check', { name: file.name })}
    </Button>
  )
}

/** Picks a file, shows how it was read, checks its rows, then imports them. */
export function MemberUpload(props: MemberUploadProps) {
  const { t } = useTranslation()
  const upload = useImport(props)
  const { file, options, send } = upload
  const refused = refusalData(send.error, batchSignupResult)
  const result = send.data && 'rows' in send.data ? send.data : refused
  return (
    <>
      <Group mb="sm">
        <FilePickButton
          onPick={(chosen) => void upload.open(chosen)}
          accept=".csv,.tsv,.txt,text/csv,text/plain"
          icon={<IconFileSpreadsheet size={16} aria-hidden="true" />}
        >
          {t('csv.choose')}
        </FilePickButton>
        <TemplateButton />
      </Group>
      {upload.isBad ? <Alert color="red">{t('csv.workbook')}</Alert> : null}
      {file === null ? null : (
        <>
          <MemberColumns file={file} onReread={upload.reread} onColumn={upload.setColumn} />
          {file.table.unclosed === null ? null : (
            <Alert color="yellow" my="sm">
              {t('csv.unclosed', { row: file.table.unclosed })}
            </Alert>
          )}
          {file.shortened === null ? null : (
            <Alert color="yellow" my="sm">
              {t('csv.shortened', file.shortened)}
            </Alert>
          )}
          <Group my="sm">
            {OPTIONS.map((option) => (
              <Checkbox
                key={option}
                label={t(`csv.${option}`)}
                checked={options[option]}
                onChange={(event) => upload.change(option, event.currentTarget.checked)}
              />
            ))}
            <SendButton file={file} upload={upload} />
          </Group>
        </>
      )}
      <output>
        {result && file ? (
          <CsvResult result={result} isChecked={send.variables?.dryRun ?? false} file={file} />
        ) : null}
      </output>
      {send.isError && !refused ? <UploadError send={send} /> : null}
    </>
  )
}

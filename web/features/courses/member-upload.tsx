import { Alert, Button, Checkbox, Group, Progress, Text } from '@mantine/core'
import { IconDownload, IconFileSpreadsheet } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { ErrorBox } from '../../components/feedback/error-box.tsx'
import { FilePickButton } from '../../components/forms/file-pick-button.tsx'
import { ApiError, isRefusal } from '../../lib/api/api-error.ts'
import { download } from '../../lib/files/download.ts'
import { useErrorText } from '../../lib/api/error-text.ts'
import { useFieldText } from '../../lib/api/field-text.ts'
import { useCourse } from '../../lib/queries/course.ts'
import { CsvResult } from './csv-result.tsx'
import { planLabels } from './label-column.ts'
import { LabelNotice } from './label-notice.tsx'
import { MemberColumns } from './member-columns.tsx'
import { templateCsv } from './member-file.ts'
import { useImport } from './use-import.ts'
import type { MemberFile } from './use-member-file.ts'

type Upload = ReturnType<typeof useImport>

const OPTIONS = ['mailLinks', 'force', 'uppercase'] as const

/** Why the whole file was refused, or could not be sent. */
function UploadError({ error }: { error: unknown }) {
  const { t } = useTranslation()
  const fieldText = useFieldText()
  const errorText = useErrorText()
  if (isRefusal(error, 'not_configured'))
    return (
      <Alert color="red">
        {t('csv.noMail')} {errorText(error)}
      </Alert>
    )
  if (error instanceof ApiError && error.fieldErrors.length > 0)
    return <Alert color="red">{error.fieldErrors.map(fieldText).join(' ')}</Alert>
  return <ErrorBox of={{ error }} />
}

/** A button that downloads an empty file with column headers that the app understands. */
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

/** What the file does with labels. */
function useLabelPlan({ members }: MemberFile) {
  return planLabels(members, useCourse().labels)
}

/** Checks the file, imports it once the check has found no fault, and continues an import that has stopped. */
function SendButton({ file, upload }: { file: MemberFile; upload: Upload }) {
  const { t } = useTranslation()
  const { check, run, state, refused, startCheck, startRun } = upload
  const hasErrors = refused !== null || (check.isSuccess && state === null)
  const { badNames, isTooMany } = useLabelPlan(file)
  if (file.missing.length > 0 || run.isSuccess || hasErrors) return null
  if (badNames.length > 0 || isTooMany) return null
  const { name } = file
  return (
    <Button
      variant={state === null ? 'default' : 'filled'}
      loading={check.isPending}
      onClick={() => (state === null ? startCheck(file) : startRun(file, state))}
    >
      {state === null
        ? t('csv.check', { name })
        : t(state.done > 0 ? 'csv.goOn' : 'csv.import', { name })}
    </Button>
  )
}

/** Says which rows a stopped import has stored. */
function StoppedNotice({ upload: { stopped, file, dismiss } }: { upload: Upload }) {
  const { t } = useTranslation()
  if (stopped === null) return null
  return (
    <Alert color="yellow" mb="sm">
      {t('csv.stopped', stopped)}
      {file === null ? (
        <>
          {' '}
          {t('csv.chooseAgain')}
          <Button mt="xs" size="xs" variant="default" display="block" onClick={dismiss}>
            {t('rejudge.dismiss')}
          </Button>
        </>
      ) : null}
    </Alert>
  )
}

/** Says how many rows a running import has stored. */
function ImportProgress({ file, done }: { file: MemberFile; done: number }) {
  const { t } = useTranslation()
  const total = file.members.length
  return (
    <>
      <Text size="sm">{t('csv.importing', { done, total })}</Text>
      <Progress my="sm" value={(done / total) * 100} aria-label={t('csv.progress')} />
    </>
  )
}

/** How the file was read, the options, and the button. */
function FileOptions({ file, upload }: { file: MemberFile; upload: Upload }) {
  const { t } = useTranslation()
  const plan = useLabelPlan(file)
  return (
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
      {upload.run.isSuccess ? null : <LabelNotice plan={plan} />}
      <Group my="sm">
        {OPTIONS.map((option) => (
          <Checkbox
            key={option}
            label={t(`csv.${option}`)}
            checked={upload.options[option]}
            onChange={(event) => upload.change(option, event.currentTarget.checked)}
          />
        ))}
        <SendButton file={file} upload={upload} />
      </Group>
    </>
  )
}

/** Picks a file and shows how it was read. */
function FilePart({ upload }: { upload: Upload }) {
  const { t } = useTranslation()
  const { file } = upload
  return (
    <>
      <StoppedNotice upload={upload} />
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
      {file === null ? null : <FileOptions file={file} upload={upload} />}
    </>
  )
}

/** Picks a file, shows how it was read, checks its rows, then imports them. */
export function MemberUpload({ course }: { course: string }) {
  const { t } = useTranslation()
  const upload = useImport(course)
  const { file, check, run, state, refused } = upload
  const { error } = run.isError ? run : check
  // After an import has stopped, the result of the check is outdated.
  const result = run.isError ? refused : (state?.result ?? check.data)
  return (
    <>
      {run.isPending && file ? (
        <ImportProgress file={file} done={state?.done ?? 0} />
      ) : (
        <FilePart upload={upload} />
      )}
      {/* Always rendered, so that screen readers announce changes in it. */}
      <output>
        {result && file && !run.isPending ? (
          <CsvResult result={result} isChecked={!run.isSuccess} isPart={run.isError} file={file} />
        ) : null}
        {run.data ? (
          <Text size="sm" mt="xs">
            {t('dates.keptCount', { count: run.data })} {t('labels.keptWhere')}
          </Text>
        ) : null}
      </output>
      {error !== null && refused === null ? <UploadError error={error} /> : null}
    </>
  )
}

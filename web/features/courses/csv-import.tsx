import { Button, Checkbox, Group, Text } from '@mantine/core'
import { IconFileSpreadsheet } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { BatchSignupResult } from '#contract/auth'
import { ErrorBox } from '../../components/error-box.tsx'
import { FilePickButton } from '../../components/file-pick-button.tsx'
import { TableBox } from '../../components/table-box.tsx'
import { courseQuery } from '../../lib/course.ts'
import { refusedRows, signUpMany } from './api.ts'
import classes from './members-page.module.css'

interface Upload {
  name: string
  text: string
}

function Rows({ result }: { result: BatchSignupResult }) {
  const { t } = useTranslation()
  return (
    <TableBox>
      <table>
        <thead>
          <tr>
            <th scope="col">{t('csv.line')}</th>
            <th scope="col">{t('profile.username')}</th>
            <th scope="col">{t('csv.outcome')}</th>
          </tr>
        </thead>
        <tbody>
          {result.rows.map((row) => (
            <tr key={row.line}>
              <td>{row.line}</td>
              <td className="mono">{row.username}</td>
              <td className={row.action === 'error' ? classes.bad : undefined}>
                {row.action === 'error' && row.errors
                  ? row.errors.join(' ')
                  : t(`csv.action.${row.action}`)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </TableBox>
  )
}

/** Members from a CSV file: first what would happen to each row, then the import itself. */
export function CsvImport({ course }: { course: string }) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const [upload, setUpload] = useState<Upload | null>(null)
  const [force, setForce] = useState(false)
  const [uppercase, setUppercase] = useState(false)
  const send = useMutation({
    mutationFn: ({ file, dryRun }: { file: Upload; dryRun: boolean }) =>
      signUpMany({ newUsers: file.text, course, force, uppercase, dryRun }),
    onSuccess: async (_, { dryRun }) => {
      if (dryRun) return
      setUpload(null)
      await client.invalidateQueries({ queryKey: courseQuery(course).queryKey })
    },
  })
  const refused = refusedRows(send.error)
  const result = send.data ?? refused
  const isChecked = send.isSuccess && send.variables.dryRun
  const hasErrors = result?.rows.some((row) => row.action === 'error') ?? false

  async function open(file: File) {
    const next = { name: file.name, text: await file.text() }
    setUpload(next)
    send.mutate({ file: next, dryRun: true })
  }

  function change(set: (value: boolean) => void, value: boolean) {
    set(value)
    // What was checked was checked with the other option.
    send.reset()
  }

  return (
    <details className={`app-card ${classes.csv}`}>
      <summary>{t('csv.title')}</summary>
      <Text size="sm" c="dimmed" my="sm">
        {t('csv.help')}
      </Text>
      <Group mb="sm">
        <Checkbox
          label={t('csv.force')}
          checked={force}
          onChange={(event) => change(setForce, event.currentTarget.checked)}
        />
        <Checkbox
          label={t('csv.uppercase')}
          checked={uppercase}
          onChange={(event) => change(setUppercase, event.currentTarget.checked)}
        />
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
      <output>
        {result === null ? null : (
          <Text size="sm" mb="xs">
            {hasErrors
              ? t('csv.refused')
              : t(isChecked ? 'csv.wouldDo' : 'csv.done', {
                  created: result.created,
                  updated: result.updated,
                  enrolled: result.enrolled,
                  unchanged: result.unchanged,
                })}
          </Text>
        )}
      </output>
      {send.isError && refused === null ? <ErrorBox error={send.error} /> : null}
      {result === null ? null : <Rows result={result} />}
    </details>
  )
}

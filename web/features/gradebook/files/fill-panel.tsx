import { Alert, Button, Checkbox, Group, Text } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { download } from '../../../lib/files/download.ts'
import { withValues } from '../../../lib/gradebook-files/open.ts'
import { ChangeTable } from './change-table.tsx'
import type { OpenedFile } from './use-opened-file.ts'

/** What staff should know before they import the filled file. */
function useWarnings({ recognised: { system }, report, columns, pairs }: OpenedFile): string[] {
  const { t } = useTranslation()
  const { held, excused, overMax, lostGrades, absent } = report
  const paired = new Set(pairs.values())
  const names = columns
    .filter(({ id, shown }) => paired.has(id) && shown !== 'yes')
    .map(({ name }) => name)
    .join(', ')
  return [
    names === '' ? '' : t('gradebook.files.notShown', { names }),
    held > 0 ? t('gradebook.files.held', { count: held }) : '',
    excused > 0 ? t('gradebook.files.excused', { count: excused }) : '',
    overMax > 0 && system === 'brightspace' ? t('gradebook.files.cut', { count: overMax }) : '',
    lostGrades > 0 ? t('gradebook.files.lostGrades', { count: lostGrades }) : '',
    absent.length > 0 && system === 'moodle' ? t('gradebook.files.aborts') : '',
  ].filter((text) => text !== '')
}

/** What filling changes, and the button that downloads the filled file. */
export function FillPanel({ opened }: { opened: OpenedFile }) {
  const { t } = useTranslation()
  const { name, file, report, isEmptyZero, setEmptyZero } = opened
  const { changes, same } = report
  const warnings = useWarnings(opened)
  return (
    <>
      <Group>
        <Button
          leftSection={<IconDownload size={16} aria-hidden="true" />}
          disabled={changes.length === 0}
          onClick={() => download(name, withValues(file, changes), 'application/octet-stream')}
        >
          {t('gradebook.files.download')}
        </Button>
        <Checkbox
          label={t('gradebook.files.emptyZero')}
          checked={isEmptyZero}
          onChange={(event) => setEmptyZero(event.currentTarget.checked)}
        />
      </Group>
      <Text component="output" size="sm">
        {t('gradebook.files.fills', { count: changes.length })}{' '}
        {t('gradebook.files.same', { count: same })}
      </Text>
      {warnings.length > 0 ? (
        <Alert color="yellow">
          {warnings.map((text) => (
            <p key={text}>{text}</p>
          ))}
        </Alert>
      ) : null}
      <ChangeTable
        changes={changes}
        beforeOf={({ before }) => before.trim() || '–'}
        afterOf={({ value }) => value}
      />
    </>
  )
}

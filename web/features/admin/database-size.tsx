import { Alert, Skeleton, Stack } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { DATABASE } from '#contract/limits'
import { ErrorBox } from '../../components/feedback/error-box.tsx'
import { Facts } from '../../components/display/facts.tsx'
import { formatBytes } from '../../lib/format/format.ts'
import { useNumberText } from '../../lib/format/number-text.ts'
import { storageQuery } from './api.ts'

/** How full the database is, and how long it has room; with a warning while there is time to act. */
export function DatabaseSize() {
  const { t } = useTranslation()
  const { whole, percent } = useNumberText()
  const storage = useQuery(storageQuery)
  if (storage.isPending) return <Skeleton height={72} radius="lg" />
  if (storage.isLoadingError) return <ErrorBox of={storage} />
  const { bytes, weeklyBytes, weeksLeft } = storage.data.database
  const { mostBytes, warnShare, alarmShare } = DATABASE
  const share = bytes / mostBytes
  const most = formatBytes(mostBytes)
  return (
    <Stack gap="sm">
      {share < warnShare ? null : (
        <Alert
          color={share < alarmShare ? 'yellow' : 'red'}
          icon={<IconAlertTriangle />}
          title={t('database.full', { percent: percent(share), most })}
        >
          {t('database.act')}
        </Alert>
      )}
      <Facts
        facts={[
          { label: t('database.size'), value: formatBytes(bytes), isKey: true },
          { label: t('database.share', { most }), value: percent(share) },
          {
            label: t('database.weekly'),
            value: weeklyBytes === null ? t('database.notYet') : formatBytes(weeklyBytes),
          },
          {
            label: t('database.left'),
            value:
              weeksLeft === null
                ? '–'
                : t('database.weeks', { count: weeksLeft, weeks: whole(weeksLeft) }),
          },
        ]}
      />
    </Stack>
  )
}

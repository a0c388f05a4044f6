import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { HomeworkOverride } from '#contract/homework-overrides'
import { QUOTA_UNLIMITED } from '#contract/limits'
import { TimeText } from '../../../components/display/time-text.tsx'

/** What an override changes besides the dates, as one text; empty if nothing. */
export function useSpecialText(): (override: HomeworkOverride) => string {
  const { t } = useTranslation()
  return ({ graceMinutes, latePercent, quota, excused }) =>
    [
      ...(excused === true ? [t('dates.isExcused')] : []),
      ...(graceMinutes === null ? [] : [t('dates.graceOf', { count: graceMinutes })]),
      ...(latePercent === null ? [] : [t('dates.lateCounts', { percent: latePercent })]),
      ...(quota === null
        ? []
        : [
            quota === QUOTA_UNLIMITED ? t('dates.quotaFree') : t('dates.quotaOf', { count: quota }),
          ]),
    ].join(' ')
}

/** Who changed the dates, and when. */
export function ChangedBy({ override: { by, at } }: { override: HomeworkOverride }) {
  return (
    <Text span inherit c="dimmed">
      {by === null ? null : `${by} · `}
      <TimeText at={at} />
    </Text>
  )
}

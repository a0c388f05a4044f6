import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { LateDayTable } from '#contract/late-days'

type Own = LateDayTable['people'][number]['budgets'][number]

/** How many late days of a budget a student has left, and the homeworks that use some. */
export function Uses({ size, left, uses }: Own & { size: number }) {
  const { t } = useTranslation()
  return (
    <>
      <Text size="sm" fw={500}>
        {t('lateDays.leftOf', { left, size })}
      </Text>
      {uses.map(({ homeworkId, name, days, gain }) => (
        <Text key={homeworkId} size="sm">
          {gain === null
            ? t('lateDays.usesOnly', { name, count: days })
            : t('lateDays.use', { name, count: days, points: t('common.points', { count: gain }) })}
        </Text>
      ))}
    </>
  )
}

import { Alert, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { LabelPlan } from './label-column.ts'

/** What the file does with labels before it is imported, and why it cannot be. */
export function LabelNotice({ plan }: { plan: LabelPlan }) {
  const { t } = useTranslation()
  const { count, newNames, badNames, isTooMany } = plan
  if (count === 0) return null
  return (
    <>
      <Text size="sm" my="sm">
        {t('labels.inFile', { count })}
      </Text>
      {badNames.length > 0 ? (
        <Alert color="red" my="sm">
          {t('labels.badNames', { names: badNames.join(', ') })}
        </Alert>
      ) : null}
      {isTooMany ? (
        <Alert color="red" my="sm">
          {t('labels.tooMany')}
        </Alert>
      ) : null}
      {newNames.length > 0 && badNames.length === 0 && !isTooMany ? (
        <Alert color="yellow" my="sm">
          {t('labels.newNames', { names: newNames.join(', ') })}
        </Alert>
      ) : null}
    </>
  )
}

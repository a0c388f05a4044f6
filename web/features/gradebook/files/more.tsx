import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'

/** At most this many entries of a list are shown. */
export const SHOWN = 200

/** How many entries of a list are not shown. */
export function More({ of }: { of: readonly unknown[] }) {
  const { t } = useTranslation()
  return of.length > SHOWN ? (
    <Text size="sm">{t('testData.more', { count: of.length - SHOWN })}</Text>
  ) : null
}

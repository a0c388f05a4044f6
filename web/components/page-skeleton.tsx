import { Skeleton, Stack, VisuallyHidden } from '@mantine/core'
import { useTranslation } from 'react-i18next'

/** The placeholder of a page that is loading. */
export function PageSkeleton() {
  const { t } = useTranslation()
  return (
    <Stack gap="md" aria-busy="true">
      <VisuallyHidden>{t('common.loading')}</VisuallyHidden>
      <Skeleton height={16} width={180} />
      <Skeleton height={34} width="45%" />
      <Skeleton height={220} radius="lg" />
    </Stack>
  )
}

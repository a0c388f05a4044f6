import { Skeleton, Stack, VisuallyHidden } from '@mantine/core'
import { useTranslation } from 'react-i18next'

/** The placeholder of a page that is loading: where it is, its title, its text. */
export function PageSkeleton() {
  const { t } = useTranslation()
  return (
    <Stack gap="md" aria-busy="true">
      <VisuallyHidden>{t('common.loading')}</VisuallyHidden>
      <Skeleton height={14} width={180} />
      <Skeleton height={30} width="min(45%, 380px)" mb="sm" />
      {['92%', '84%', '88%', '40%'].map((width) => (
        <Skeleton key={width} height={14} width={width} />
      ))}
    </Stack>
  )
}

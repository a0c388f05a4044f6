import { Skeleton, Stack, VisuallyHidden } from '@mantine/core'
import { useTranslation } from 'react-i18next'

export interface RowsSkeletonProps {
  rows?: number
  /** Of a row, in px. */
  height?: number
}

/** The placeholder of a list that is loading, at its final height. */
export function RowsSkeleton({ rows = 5, height = 44 }: RowsSkeletonProps) {
  const { t } = useTranslation()
  return (
    <Stack gap={2} aria-busy="true" className="app-card" p="xs">
      <VisuallyHidden>{t('common.loading')}</VisuallyHidden>
      {Array.from({ length: rows }, (_, row) => (
        <Skeleton key={row} height={height - 2} radius="sm" />
      ))}
    </Stack>
  )
}

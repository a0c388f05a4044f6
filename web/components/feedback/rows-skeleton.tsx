import { Skeleton, VisuallyHidden } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import classes from './rows-skeleton.module.css'

export interface RowsSkeletonProps {
  rows?: number
  /** Height of a row in px. */
  height?: number
}

/** The placeholder of a list that is loading, at its final height: in each row a name and, at the end, a figure. */
export function RowsSkeleton({ rows = 5, height = 44 }: RowsSkeletonProps) {
  const { t } = useTranslation()
  return (
    <div aria-busy="true">
      <VisuallyHidden>{t('common.loading')}</VisuallyHidden>
      {Array.from({ length: rows }, (_, row) => (
        <div key={row} className={classes.row} style={{ height }}>
          <Skeleton height={14} width={`${50 - ((row * 13) % 25)}%`} />
          <Skeleton height={14} width={72} />
        </div>
      ))}
    </div>
  )
}

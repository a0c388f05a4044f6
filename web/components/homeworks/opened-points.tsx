import { lazy } from 'react'
import { FallbackBoundary } from '../feedback/fallback-boundary.tsx'
import { RowsSkeleton } from '../feedback/rows-skeleton.tsx'
import type { PointsDialogProps } from './points-dialog.tsx'

const PointsDialog = lazy(async () => ({
  default: (await import('./points-dialog.tsx')).PointsDialog,
}))

/** The content of the dialog, which is loaded when it is opened. */
export function OpenedPoints(props: PointsDialogProps) {
  return (
    <FallbackBoundary fallback={null} loading={<RowsSkeleton rows={3} height={50} />}>
      <PointsDialog {...props} />
    </FallbackBoundary>
  )
}

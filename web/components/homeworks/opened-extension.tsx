import { lazy } from 'react'
import { FallbackBoundary } from '../feedback/fallback-boundary.tsx'
import { RowsSkeleton } from '../feedback/rows-skeleton.tsx'
import type { ExtensionDialogProps } from './extension-dialog.tsx'

const ExtensionDialog = lazy(async () => ({
  default: (await import('./extension-dialog.tsx')).ExtensionDialog,
}))

/** The content of the dialog, which is loaded when it is opened. */
export function OpenedExtension(props: ExtensionDialogProps) {
  return (
    <FallbackBoundary fallback={null} loading={<RowsSkeleton rows={3} height={50} />}>
      <ExtensionDialog {...props} />
    </FallbackBoundary>
  )
}

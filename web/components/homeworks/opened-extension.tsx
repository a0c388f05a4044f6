import { IconClockPlus } from '@tabler/icons-react'
import { lazy } from 'react'
import { useTranslation } from 'react-i18next'
import type { UserInfo } from '#contract/fields'
import { useCourse } from '../../lib/queries/course.ts'
import { FallbackBoundary } from '../feedback/fallback-boundary.tsx'
import { RowsSkeleton } from '../feedback/rows-skeleton.tsx'
import { DialogButton } from '../overlays/dialog-button.tsx'
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

/** For staff: the button that gives a student more time for the homeworks of a problem. */
export function MoreTime({ problemId, student }: { problemId: number; student: UserInfo }) {
  const { t } = useTranslation()
  const { students, may } = useCourse()
  const isStudent = students.some(({ username }) => username === student.username)
  if (!isStudent || !may('homework.write')) return null
  return (
    <DialogButton
      label={t('dates.moreTime')}
      icon={<IconClockPlus size={16} aria-hidden="true" />}
      title={t('dates.moreTimeFor', { name: student.displayedName || student.username })}
      size="lg"
      keepsInput
    >
      {(close) => <OpenedExtension problemId={problemId} whose={[student]} onClose={close} />}
    </DialogButton>
  )
}

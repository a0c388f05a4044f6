import { IconPencilPlus } from '@tabler/icons-react'
import { lazy } from 'react'
import { useTranslation } from 'react-i18next'
import type { UserInfo } from '#contract/fields'
import { useCourse } from '../../lib/queries/course.ts'
import { FallbackBoundary } from '../feedback/fallback-boundary.tsx'
import { RowsSkeleton } from '../feedback/rows-skeleton.tsx'
import { DialogButton } from '../overlays/dialog-button.tsx'
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

/** For staff: the button that gives a student points for a problem in a homework. */
export function GivePoints({ problemId, student }: { problemId: number; student: UserInfo }) {
  const { t } = useTranslation()
  const { students, may } = useCourse()
  const isStudent = students.some(({ username }) => username === student.username)
  if (!isStudent || !may('homework.write')) return null
  return (
    <DialogButton
      label={t('points.give')}
      icon={<IconPencilPlus size={16} aria-hidden="true" />}
      keepsInput
    >
      {(close) => <OpenedPoints {...{ problemId, student }} onClose={close} />}
    </DialogButton>
  )
}

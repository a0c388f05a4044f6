import { IconClockPlus, IconPencilPlus } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { UserInfo } from '#contract/fields'
import { DialogButton } from '../overlays/dialog-button.tsx'
import { OpenedExtension } from './opened-extension.tsx'
import { OpenedPoints } from './opened-points.tsx'

export interface StudentButtonsProps {
  problemId: number
  student: UserInfo
}

/** The buttons that give a student more time or points in the homeworks of a problem. */
export function StudentButtons({ problemId, student }: StudentButtonsProps) {
  const { t } = useTranslation()
  const name = student.displayedName || student.username
  return (
    <>
      <DialogButton
        label={t('dates.moreTime')}
        icon={<IconClockPlus size={16} aria-hidden="true" />}
        title={t('dates.moreTimeFor', { name })}
        size="lg"
      >
        {(close) => <OpenedExtension problemId={problemId} whose={[student]} onClose={close} />}
      </DialogButton>
      <DialogButton
        label={t('points.give')}
        icon={<IconPencilPlus size={16} aria-hidden="true" />}
        title={t('points.giveTo', { name })}
        size="lg"
      >
        {(close) => <OpenedPoints {...{ problemId, student }} onClose={close} />}
      </DialogButton>
    </>
  )
}

import { IconCopyPlus } from '@tabler/icons-react'
import { lazy } from 'react'
import { useTranslation } from 'react-i18next'
import type { Homework } from '#contract/homeworks'
import { FallbackBoundary } from '../../components/feedback/fallback-boundary.tsx'
import { RowsSkeleton } from '../../components/feedback/rows-skeleton.tsx'
import { DialogButton } from '../../components/overlays/dialog-button.tsx'

const CopyHomeworkForm = lazy(async () => ({
  default: (await import('./copy-homework-form.tsx')).CopyHomeworkForm,
}))

/** Copies a homework into a course where the user is staff. The form is loaded when it is opened. */
export function CopyHomework({ homework }: { homework: Homework }) {
  const { t } = useTranslation()
  const { name } = homework
  return (
    <DialogButton
      keepsInput
      overflows
      label={t('courseCopy.copyHomework')}
      ofWhat={t('courseCopy.copyHomeworkOf', { name })}
      title={t('courseCopy.copyHomeworkOf', { name })}
      icon={<IconCopyPlus size={16} aria-hidden="true" />}
    >
      {(close) => (
        <FallbackBoundary fallback={null} loading={<RowsSkeleton rows={4} height={56} />}>
          <CopyHomeworkForm homework={homework} onClose={close} />
        </FallbackBoundary>
      )}
    </DialogButton>
  )
}

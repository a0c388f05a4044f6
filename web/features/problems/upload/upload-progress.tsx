import { Button, Progress, Stack } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Announced } from '../../../components/feedback/announced.tsx'

interface UploadProgressProps {
  /** The share that has been sent, 0–1. */
  share: number
  /** null: not waiting. */
  waitSeconds: number | null
  onCancel: () => void
}

/** The progress of the upload, and the button that stops it. */
export function UploadProgress({ share, waitSeconds, onCancel }: UploadProgressProps) {
  const { t } = useTranslation()
  const percent = Math.round(share * 100)
  return (
    <Stack className="app-card" gap={10} px={20} py={16}>
      <Announced when={share === 1}>
        {share < 1 ? t('testData.uploading', { percent }) : t('testData.checking')}
      </Announced>
      <output>{waitSeconds === null ? null : t('testData.waiting', { count: waitSeconds })}</output>
      <Progress value={percent} aria-label={t('testData.progress')} />
      <div>
        <Button variant="default" size="xs" onClick={onCancel}>
          {t('testData.cancel')}
        </Button>
      </div>
    </Stack>
  )
}

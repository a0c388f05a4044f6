import { Button, Progress } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Announced } from '../../../components/feedback/announced.tsx'
import classes from '../edit/problem-form.module.css'

interface UploadProgressProps {
  /** 0–1. */
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
    <div className={`app-card ${classes.progress}`}>
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
    </div>
  )
}

import { Button, Progress, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import classes from './problem-form.module.css'

/** How far the zip has come, and the way to stop it. */
export function UploadProgress({ share, onCancel }: { share: number; onCancel: () => void }) {
  const { t } = useTranslation()
  const percent = Math.round(share * 100)
  return (
    <div className={`app-card ${classes.progress}`}>
      <Text size="sm">
        {share < 1 ? t('testData.uploading', { percent }) : t('testData.checking')}
      </Text>
      <Progress value={percent} aria-label={t('testData.progress')} />
      <div>
        <Button variant="default" size="xs" onClick={onCancel}>
          {t('testData.cancel')}
        </Button>
      </div>
    </div>
  )
}

import { Alert, Button, Group, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { KeptForm } from '../../lib/drafts/kept-form.ts'

/** Says that a form was restored after a reload, with a button that drops the restored input. */
export function KeptNotice({ kept }: { kept: KeptForm }) {
  const { t } = useTranslation()
  if (!kept.isBack) return null
  return (
    <Alert color="blue">
      <Group justify="space-between">
        <Text size="sm">{t('save.isBack')}</Text>
        <Button size="xs" variant="default" onClick={() => void kept.drop()}>
          {t('save.dropBack')}
        </Button>
      </Group>
    </Alert>
  )
}

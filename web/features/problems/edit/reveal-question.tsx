import { Alert, Button, Text } from '@mantine/core'
import { IconEye } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import * as z from 'zod'
import { refusalData } from '../../../lib/api/api-error.ts'

interface RevealQuestionProps {
  /** The refusal `reveals_tests`. */
  error: unknown
  /** Saves the form with the consent to this. */
  onReveal: () => void
}

/** Asks whether students may see the cases of these subtasks. */
export function RevealQuestion({ error, onReveal }: RevealQuestionProps) {
  const { t } = useTranslation()
  const { subtasks = [] } = refusalData(error, z.object({ subtasks: z.array(z.int()) })) ?? {}
  return (
    <Alert color="yellow" icon={<IconEye />} title={t('problemForm.revealTitle')}>
      <Text size="sm">{t('problemForm.revealText', { list: subtasks.join(', ') })}</Text>
      <Button size="xs" mt="sm" variant="default" onClick={onReveal}>
        {t('problemForm.reveal')}
      </Button>
    </Alert>
  )
}

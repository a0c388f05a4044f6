import { Alert, Button, Text } from '@mantine/core'
import { IconAlertCircle } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useErrorText } from '../lib/error-text.ts'

interface ErrorBoxProps {
  error: unknown
  onRetry?: () => void
}

/** Something could not be read: the generic text, what went wrong, and another try. */
export function ErrorBox({ error, onRetry }: ErrorBoxProps) {
  const { t } = useTranslation()
  const errorText = useErrorText()
  return (
    <Alert
      color="red"
      variant="outline"
      role="alert"
      icon={<IconAlertCircle />}
      title={t('common.wrong')}
      className="app-alert"
    >
      <Text size="sm">{errorText(error)}</Text>
      {onRetry ? (
        <Button mt="sm" size="xs" variant="default" onClick={onRetry}>
          {t('common.retry')}
        </Button>
      ) : null}
    </Alert>
  )
}

import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Failure } from './failure.tsx'

interface ErrorBoxProps {
  error: unknown
  onRetry?: () => void
}

/** A failed read: the generic message, the reason and a retry button. */
export function ErrorBox({ error, onRetry }: ErrorBoxProps) {
  const { t } = useTranslation()
  return (
    <Failure title={t('common.wrong')} error={error}>
      {onRetry ? (
        <Button mt="sm" size="xs" variant="default" onClick={onRetry}>
          {t('common.retry')}
        </Button>
      ) : null}
    </Failure>
  )
}

import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Failure } from './failure.tsx'

interface ErrorBoxProps {
  /** A query, a mutation or the like. */
  of: { error: unknown; refetch?: () => unknown }
}

/** The failure of a call, if any: the generic message, the reason and, for reads, a retry button. */
export function ErrorBox({ of: { error, refetch } }: ErrorBoxProps) {
  const { t } = useTranslation()
  if (error === null) return null
  return (
    <Failure title={t('common.wrong')} error={error}>
      {refetch ? (
        <Button mt="sm" size="xs" variant="default" onClick={() => void refetch()}>
          {t('common.retry')}
        </Button>
      ) : null}
    </Failure>
  )
}

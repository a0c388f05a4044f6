import { Alert, Button, Text } from '@mantine/core'
import { IconAlertCircle } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useErrorText } from '../../lib/api/error-text.ts'

interface ErrorBoxProps {
  /** A query, a mutation or the like. */
  of: { error: unknown; data?: unknown; refetch?: () => unknown }
  /** Names what failed. Default: a general title. */
  title?: string
  /** What to do about the failure. */
  children?: ReactNode
}

/**
 * Shows the failure of a call, if any, and what to do; reads get a "Try again" button. Data that was read before stays
 * on the page; then this box shows nothing, and `query-client.ts` reports the failure.
 */
export function ErrorBox({ of: { error, data, refetch }, title, children }: ErrorBoxProps) {
  const { t } = useTranslation()
  const errorText = useErrorText()
  if (error === null || data !== undefined) return null
  return (
    <Alert
      color="red"
      icon={<IconAlertCircle />}
      title={title ?? t(refetch ? 'common.wrong' : 'common.failed')}
    >
      <Text size="sm">{errorText(error)}</Text>
      {refetch ? (
        <Button mt="sm" size="xs" variant="default" onClick={() => void refetch()}>
          {t('common.retry')}
        </Button>
      ) : null}
      {children}
    </Alert>
  )
}

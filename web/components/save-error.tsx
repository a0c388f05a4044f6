import { Anchor, Button, Group } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { ApiError } from '../lib/api-error.ts'
import { useIsBack } from '../lib/session.ts'
import { Failure } from './failure.tsx'

interface SaveErrorProps {
  error: unknown
  /** Where the stored version is shown; for things that someone else may have changed meanwhile. */
  storedAt?: string
  /** Saves all the same. */
  onOverwrite?: () => void
}

/** A form could not be saved. Nobody is told to reload, for that would lose what was typed. */
export function SaveError({ error, storedAt, onOverwrite }: SaveErrorProps) {
  const { t } = useTranslation()
  const isBack = useIsBack()
  // Who has signed in again need not be told to.
  if (isBack && error instanceof ApiError && error.status === 401) return null
  const isStale = error instanceof ApiError && error.code === 'stale_edit'
  return (
    <Failure title={t('save.failed')} error={error}>
      {isStale && storedAt !== undefined && onOverwrite ? (
        <Group mt="sm">
          <Anchor href={storedAt} target="_blank" rel="noopener" size="sm">
            {t('save.showStored')}
          </Anchor>
          <Button size="xs" variant="default" onClick={onOverwrite}>
            {t('save.overwrite')}
          </Button>
        </Group>
      ) : null}
    </Failure>
  )
}

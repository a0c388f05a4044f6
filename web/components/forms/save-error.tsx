import { Anchor, Button, Group } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { ApiError, isRefusal } from '../../lib/api/api-error.ts'
import { useIsBack } from '../../lib/session/session.ts'
import { ErrorBox } from '../feedback/error-box.tsx'

interface SaveErrorProps {
  error: unknown
  /** The page that shows the stored version, if another person may have changed it. */
  storedAt?: string
  /** Saves despite the other person's change. */
  onOverwrite?: () => void
}

/** Says that a form could not be saved. The text never asks to reload the page, because a reload would lose the input. */
export function SaveError({ error, storedAt, onOverwrite }: SaveErrorProps) {
  const { t } = useTranslation()
  const isBack = useIsBack()
  // A user who has signed in again need not be told to sign in.
  if (isBack && error instanceof ApiError && error.status === 401) return null
  const isStale = isRefusal(error, 'stale_edit')
  return (
    <ErrorBox of={{ error }} title={t('save.failed')}>
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
    </ErrorBox>
  )
}

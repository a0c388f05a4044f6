import { Alert, Button, Stack } from '@mantine/core'
import { IconMailCheck } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { call } from '../../lib/api/call.ts'
import { formatDeadline } from '../../lib/format/format.ts'
import { useServerNow } from '../../lib/live/use-server-now.ts'
import { useSession } from '../../lib/session/session.ts'
import { FormError } from './form-error.tsx'

/** Says where a mail went. */
export function SentNotice({ email }: { email: string }) {
  const { t } = useTranslation()
  return (
    <Alert color="green" icon={<IconMailCheck />}>
      {t('profile.confirmationSent', { email })}
    </Alert>
  )
}

/** Says by when the user has to confirm the e-mail address, or that the account waits for this. */
export function ConfirmByText() {
  const { t } = useTranslation()
  const { user } = useSession()
  const nowMs = useServerNow()
  if (user?.confirmBy === undefined) return null
  const { email, confirmBy } = user
  return confirmBy * 1_000 <= nowMs
    ? t('join.confirmLate', { email })
    : t('join.confirmBy', { email, time: formatDeadline(confirmBy) })
}

/** Mails the user's confirmation link once more. */
export function SendConfirmation() {
  const { t } = useTranslation()
  const { user } = useSession()
  const send = useMutation({ mutationFn: () => call('POST /auth/email', { body: {} }) })
  return (
    <Stack gap="sm">
      <Button size="xs" loading={send.isPending} onClick={() => send.mutate()}>
        {t('profile.sendConfirmation')}
      </Button>
      {/* Wrapped as one child of the stack, because empty children would leave gaps. */}
      <div>
        <output>
          {send.isSuccess && user !== null ? <SentNotice email={user.email} /> : null}
        </output>
        <FormError error={send.error} />
      </div>
    </Stack>
  )
}

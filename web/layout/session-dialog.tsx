import { Modal, Text } from '@mantine/core'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { SignInForm } from '../components/forms/sign-in-form.tsx'
import { sessionEnded } from '../lib/session/session.ts'

function close() {
  sessionEnded.set(false)
}

/** Signs in again over the open page, which keeps its input. */
export function SessionDialog({ username }: { username: string }) {
  const { t } = useTranslation()
  // The focused element, before the dialog takes the focus.
  const [typingAt] = useState(() => document.activeElement)
  useEffect(
    () => () => {
      if (typingAt instanceof HTMLElement) setTimeout(() => typingAt.focus())
    },
    [typingAt],
  )
  return (
    <Modal
      opened
      onClose={close}
      title={t('signIn.endedTitle')}
      closeButtonProps={{ 'aria-label': t('common.close') }}
    >
      <Text size="sm" mb="md">
        {t('signIn.ended')}
      </Text>
      <SignInForm username={username} onSignedIn={close} />
    </Modal>
  )
}

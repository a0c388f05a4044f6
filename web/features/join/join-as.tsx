import { Button, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { joined, type Joined, type JoinOffer } from '#contract/joining'
import type { Me } from '#contract/people/auth'
import { FormError } from '../../components/forms/form-error.tsx'
import { SignOutDialog } from '../../layout/sign-out-dialog.tsx'
import { call } from '../../lib/api/call.ts'
import { listUnsubmitted, type UnsubmittedCode } from '../../lib/drafts/unsubmitted.ts'
import { focusMain } from '../../lib/focus.ts'
import { signOut } from '../../lib/session/session.ts'
import { wayOnFrom } from './join-rules.ts'
import { Refusal } from './told.tsx'
import { useJoin } from './use-join.ts'

/** Signs out and stays on the page; asks first if this would delete code that was never submitted. */
function OtherAccount({ username }: { username: string }) {
  const { t } = useTranslation()
  const [codes, setCodes] = useState<UnsubmittedCode[]>([])
  const leave = useMutation({ mutationFn: signOut, onSuccess: focusMain })

  function ask() {
    const found = listUnsubmitted(username)
    if (found.length === 0) leave.mutate()
    else setCodes(found)
  }

  return (
    <>
      <Button variant="default" loading={leave.isPending} onClick={ask}>
        {t('join.otherAccount')}
      </Button>
      <FormError error={leave.error} />
      {codes.length === 0 ? null : (
        <SignOutDialog
          codes={codes}
          onClose={() => setCodes([])}
          onSignOut={() => leave.mutate()}
        />
      )}
    </>
  )
}

interface JoinAsProps {
  code: string
  offer: JoinOffer
  user: Me
  onJoined: (joined: Joined) => Promise<void>
  onOtherCode: () => void
}

/** Joins with the account that is signed in, or with another one. */
export function JoinAs({ code, offer, user, onJoined, onOtherCode }: JoinAsProps) {
  const { t } = useTranslation()
  const { join, isCrowded } = useJoin({
    send: () => call('POST /join', { body: { code }, as: joined }),
    onJoined,
  })
  return (
    <Stack gap="sm">
      {join.error === null ? null : (
        <Refusal error={join.error} course={offer.course} onOtherCode={onOtherCode} />
      )}
      {wayOnFrom(join.error) === null ? (
        <Button loading={join.isPending} onClick={() => join.mutate()}>
          {t(offer.approval ? 'join.askAs' : 'join.joinAs', {
            name: user.displayedName || user.username,
          })}
        </Button>
      ) : null}
      <Text component="output" size="sm" c="dimmed" ta="center">
        {isCrowded ? t('join.crowded') : null}
      </Text>
      <OtherAccount username={user.username} />
    </Stack>
  )
}

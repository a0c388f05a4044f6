import { Button, Group, Textarea } from '@mantine/core'
import { IconMail } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useCallback, useState, type FormEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { invitations, type JoinCode, type Joining } from '#contract/joining'
import { TimeText } from '../../components/display/time-text.tsx'
import { FormError } from '../../components/forms/form-error.tsx'
import { Row, RowList } from '../../components/lists/row-list.tsx'
import { useSchemaValidation } from '../../lib/api/field-text.ts'
import { useLeaveWarning } from '../../lib/drafts/leave-warning.ts'
import { useServerNow } from '../../lib/live/use-server-now.ts'
import { useCourse } from '../../lib/queries/course.ts'
import { addressesIn, invitationsOf, invitationState } from './joining.ts'
import { changeCode, invite, refreshJoining } from './joining-calls.ts'
import classes from './members-page.module.css'
import { Said } from '../../components/feedback/said.tsx'

/** Sends and withdraws invitations, and says what was done. */
function useInvitations() {
  const { t } = useTranslation()
  const { course } = useCourse()
  const [said, setSaid] = useState('')
  const change = useMutation({
    mutationFn: (what: { emails: string[] } | { withdraw: JoinCode }) =>
      'emails' in what
        ? invite(course, what.emails)
        : changeCode(course, what.withdraw.id, { closed: true }),
    onMutate: () => setSaid(''),
    onSuccess: (_, what) =>
      setSaid(
        'emails' in what
          ? t('joinCodes.invite.sent', { count: what.emails.length })
          : t('joinCodes.invite.isWithdrawn'),
      ),
    onSettled: () => refreshJoining(course),
  })
  return { change, said }
}

interface InvitationRowProps {
  invitation: JoinCode & { email: string }
  isBusy: boolean
  onAgain: () => void
  onWithdraw: () => void
}

function InvitationRow({ invitation, isBusy, onAgain, onWithdraw }: InvitationRowProps) {
  const { t } = useTranslation()
  const state = invitationState(invitation, useServerNow() / 1000)
  const { email, until } = invitation
  return (
    <Row
      title={email}
      facts={
        <>
          <span>{t(`joinCodes.invite.state.${state}`)}</span>
          {state === 'invited' && until !== null ? (
            <span>
              {t('joinCodes.until')} <TimeText at={until} isDeadline />
            </span>
          ) : null}
        </>
      }
      action={
        state === 'joined' ? undefined : (
          <Group gap={8}>
            <Button
              size="xs"
              variant="default"
              disabled={isBusy}
              aria-label={t('joinCodes.invite.againTo', { email })}
              onClick={onAgain}
            >
              {t('joinCodes.invite.again')}
            </Button>
            {state === 'invited' ? (
              <Button
                size="xs"
                variant="default"
                disabled={isBusy}
                aria-label={t('joinCodes.invite.withdrawOf', { email })}
                onClick={onWithdraw}
              >
                {t('joinCodes.invite.withdraw')}
              </Button>
            ) : null}
          </Group>
        )
      }
    />
  )
}

interface InviteFormProps {
  isSending: boolean
  /** @param onSent called once the invitations are on their way */
  onSend: (emails: string[], onSent: () => void) => void
}

/** Takes addresses, one or many. */
function InviteForm({ isSending, onSend }: InviteFormProps) {
  const { t } = useTranslation()
  const [text, setText] = useState('')
  const [fault, setFault] = useState<string | null>(null)
  useLeaveWarning(useCallback(() => text.trim() !== '', [text]))
  const faultsOf = useSchemaValidation<string[]>(invitations, (emails) => ({ emails }))

  function send(event: FormEvent) {
    event.preventDefault()
    const { good, bad } = addressesIn(text)
    const wrong =
      bad.length > 0
        ? t('joinCodes.invite.bad', { names: bad.join(', ') })
        : (Object.values(faultsOf(good))[0] ?? null)
    setFault(wrong)
    if (wrong === null) onSend(good, () => setText(''))
  }

  return (
    <form noValidate onSubmit={send}>
      <Group my="sm" gap={12} align="flex-end">
        <Textarea
          flex="1 1 260px"
          label={t('joinCodes.invite.field')}
          description={t('joinCodes.invite.help')}
          autosize
          minRows={1}
          maxRows={6}
          value={text}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
          error={fault}
        />
        <Button
          type="submit"
          loading={isSending}
          leftSection={<IconMail size={16} aria-hidden="true" />}
        >
          {t('joinCodes.invite.send')}
        </Button>
      </Group>
    </form>
  )
}

/** Mails invitations to become teaching assistants, and shows what has become of them. */
export function Invitations({ joining }: { joining: Joining }) {
  const { t } = useTranslation()
  const { change, said } = useInvitations()
  return (
    <details className={`app-card ${classes.csv}`}>
      <summary>{t('joinCodes.invite.title')}</summary>
      <InviteForm
        isSending={change.isPending}
        onSend={(emails, onSent) => change.mutate({ emails }, { onSuccess: onSent })}
      />
      <FormError error={change.error} />
      <Said text={said} />
      <RowList>
        {invitationsOf(joining).map((invitation) => (
          <InvitationRow
            key={invitation.id}
            invitation={invitation}
            isBusy={change.isPending}
            onAgain={() => change.mutate({ emails: [invitation.email] })}
            onWithdraw={() => change.mutate({ withdraw: invitation })}
          />
        ))}
      </RowList>
    </details>
  )
}

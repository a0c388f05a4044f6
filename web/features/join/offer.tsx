import { Button, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Joined, JoinOffer } from '#contract/joining'
import { can } from '#contract/roles'
import { SignInForm } from '../../components/forms/sign-in-form.tsx'
import { Section } from '../../components/page/section.tsx'
import { formatDeadline, zoneName } from '../../lib/format/format.ts'
import { focusMain } from '../../lib/focus.ts'
import { coursesQuery } from '../../lib/queries/courses.ts'
import { useSession } from '../../lib/session/session.ts'
import { AccountForm } from './account-form.tsx'
import { JoinAs } from './join-as.tsx'
import { Told } from './told.tsx'

/** Whose course it is, and what joining means. */
function Terms({ offer }: { offer: JoinOffer }) {
  const { t } = useTranslation()
  const { course, teacher, role, approval, domains, until } = offer
  return (
    <>
      <Text>
        {t(`join.offer.${role}`, { course, teacher: teacher.displayedName || teacher.username })}
      </Text>
      {approval ? <Text size="sm">{t('join.approval')}</Text> : null}
      {domains.length === 0 ? null : (
        <Text size="sm">{t('join.domains', { domains: domains.join(', ') })}</Text>
      )}
      {until === null ? null : (
        <Text size="sm">
          {t('join.until', { time: `${formatDeadline(until)} ${zoneName(until)}` })}
        </Text>
      )}
    </>
  )
}

/** The fields of the account take the place of those of the sign-in, or the other way round. */
function focusField(form: HTMLElement | null) {
  form?.querySelector('input')?.focus()
}

interface WaysInProps {
  code: string
  offer: JoinOffer
  onJoined: (joined: Joined) => Promise<void>
  onOtherCode: () => void
}

/** For guests: a new account, or the sign-in form. What was typed for the account stays meanwhile. */
function GuestWays(props: WaysInProps) {
  const { t } = useTranslation()
  const { newAccounts, course } = props.offer
  /** The username to sign in with; null while a new account is made. */
  const [known, setKnown] = useState<string | null>(newAccounts ? null : '')
  return (
    <>
      {newAccounts ? (
        <div hidden={known !== null}>
          <AccountForm {...props} onHasAccount={setKnown} />
        </div>
      ) : null}
      {known === null ? null : (
        <Section
          title={t('signIn.title')}
          help={t('join.signInHelp', { course })}
          actions={
            newAccounts ? (
              <Button
                variant="default"
                size="xs"
                onClick={() => {
                  setKnown(null)
                  focusMain()
                }}
              >
                {t('join.newAccount')}
              </Button>
            ) : null
          }
        >
          <div ref={newAccounts ? focusField : null}>
            <SignInForm username={known} onSignedIn={focusMain} />
          </div>
        </Section>
      )}
    </>
  )
}

/** The course of a code, and the ways into it. */
export function Offer(props: WaysInProps) {
  const { offer, onOtherCode } = props
  const { t } = useTranslation()
  const { state, user } = useSession()
  const { data: courses = [] } = useQuery({ ...coursesQuery, enabled: user !== null })
  const { course, fault } = offer
  const isMember =
    user !== null &&
    (offer.teacher.username === user.username ||
      courses.some((item) => item.course === course && can(item.role, 'course.leave')))
  return (
    <Stack maw={480}>
      <Section title={course}>
        <Stack gap="sm">
          {isMember ? (
            <Told
              color="blue"
              text={t('error.already_member')}
              way="course"
              {...{ course, onOtherCode }}
            />
          ) : fault === null ? (
            <Terms offer={offer} />
          ) : (
            <Told text={t(`error.${fault}`)} way="code" {...{ course, onOtherCode }} />
          )}
          {user === null || isMember || fault !== null ? null : <JoinAs {...props} user={user} />}
        </Stack>
      </Section>
      {state === 0 && fault === null ? <GuestWays {...props} /> : null}
    </Stack>
  )
}

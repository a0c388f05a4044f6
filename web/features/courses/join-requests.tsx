import { Button, Checkbox, Group } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { JoinRequest } from '#contract/joining'
import { COUNT_LIMITS } from '#contract/limits'
import { TimeText } from '../../components/display/time-text.tsx'
import { FormError } from '../../components/forms/form-error.tsx'
import { Row, RowList } from '../../components/lists/row-list.tsx'
import { useChosen, type Chosen } from '../../components/lists/use-chosen.ts'
import { Section } from '../../components/page/section.tsx'
import { askToConfirm } from '../../lib/confirm.ts'
import { useCourse } from '../../lib/queries/course.ts'
import { answerRequests, refreshJoining } from './joining-calls.ts'
import classes from './members-page.module.css'
import { Said } from '../../components/feedback/said.tsx'

/** Lets people in, or refuses them after a question. */
function useAnswers(onAnswered: (usernames: string[]) => void) {
  const { t } = useTranslation()
  const { course } = useCourse()
  const [said, setSaid] = useState('')
  const answers = useMutation({
    mutationFn: (answer: { approve: string[] } | { refuse: string[] }) =>
      answerRequests(course, answer),
    onMutate: () => setSaid(''),
    onSuccess: async (_, answer) => {
      const usernames = 'approve' in answer ? answer.approve : answer.refuse
      onAnswered(usernames)
      await refreshJoining(course)
      const key = 'approve' in answer ? 'joinCodes.areIn' : 'joinCodes.areRefused'
      setSaid(t(key, { count: usernames.length }))
    },
  })

  async function askAndRefuse(usernames: string[]) {
    const isSure = await askToConfirm({
      title: t('joinCodes.confirmRefuse.title', { count: usernames.length }),
      text: t('joinCodes.confirmRefuse.text'),
      label: t('joinCodes.confirmRefuse.label'),
    })
    if (isSure) answers.mutate({ refuse: usernames })
  }

  return { answers, said, askAndRefuse }
}

/** Somebody who waits, with a checkbox. */
function RequestRow({ request, chosen, choose }: Chosen & { request: JoinRequest }) {
  const { t } = useTranslation()
  const { user, email, createTime } = request
  const { username, displayedName } = user
  const isNamed = displayedName !== '' && displayedName !== username
  return (
    <Row
      title={
        <Checkbox
          label={isNamed ? `${displayedName} (${username})` : username}
          checked={chosen.has(username)}
          onChange={({ currentTarget }) => choose([username], currentTarget.checked)}
        />
      }
      facts={
        <>
          <span>{email ?? t('members.unconfirmed')}</span>
          <span>
            <TimeText at={createTime} />
          </span>
        </>
      }
    />
  )
}

/** The people who wait until staff let them in; the buttons are about those chosen, else about all. */
export function JoinRequests({ waiting }: { waiting: readonly JoinRequest[] }) {
  const { t } = useTranslation()
  const { chosen, choose } = useChosen()
  const { answers, said, askAndRefuse } = useAnswers((usernames) => choose(usernames, false))
  if (waiting.length === 0 && said === '') return null
  const all = waiting.map(({ user }) => user.username)
  const picked = all.filter((username) => chosen.has(username))
  const people = (picked.length > 0 ? picked : all).slice(0, COUNT_LIMITS.membersPerRequest)
  const count = people.length
  return (
    <div className={classes.joining}>
      <Section
        title={t('joinCodes.waitingTitle')}
        {...(count > 0 && { help: t('joinCodes.waitingHelp') })}
        actions={
          count === 0 ? null : (
            <Group gap={8}>
              <Button
                variant="default"
                disabled={answers.isPending}
                onClick={() => void askAndRefuse(people)}
              >
                {t('joinCodes.refuse', { count })}
              </Button>
              <Button
                loading={answers.isPending}
                onClick={() => answers.mutate({ approve: people })}
              >
                {t('joinCodes.letIn', { count })}
              </Button>
            </Group>
          )
        }
      >
        <FormError error={answers.error} />
        <Said text={said} />
        <RowList>
          {waiting.map((request) => (
            <RequestRow key={request.user.username} {...{ request, chosen, choose }} />
          ))}
        </RowList>
      </Section>
    </div>
  )
}

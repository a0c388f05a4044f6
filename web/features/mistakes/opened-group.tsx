import { Button, Group, Stack, Text } from '@mantine/core'
import { IconArrowsSplit2, IconBulb, IconMessage } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { FormError } from '../../components/forms/form-error.tsx'
import { Said } from '../../components/feedback/said.tsx'
import { DialogButton } from '../../components/overlays/dialog-button.tsx'
import { OpenedMessageForm } from '../../components/questions/opened-message-form.tsx'
import { askToConfirm } from '../../lib/confirm.ts'
import { useCourse } from '../../lib/queries/course.ts'
import { commentToAll, mergeMistakes, refreshMistakes } from './api.ts'
import { Examples } from './examples.tsx'
import type { GroupRowProps } from './group-row.tsx'
import { NewHintForm } from './hint-form.tsx'
import { HintItem } from './hint-item.tsx'
import { MergeForm } from './merge-form.tsx'
import { People } from './people.tsx'

type OpenedGroupProps = Omit<GroupRowProps, 'isWanted'>

interface ActionProps extends OpenedGroupProps {
  /** Called with the answer to an action. */
  onSaid: (text: string) => void
}

/** Opens the form of a comment to everybody in the group who has not solved the problem. */
function CommentButton({ problemId, group, onSaid }: ActionProps) {
  const { t } = useTranslation()
  const count = group.unsolved

  async function send(markdown: string, key: string) {
    const people = await commentToAll(problemId, group.mistake, markdown, key)
    onSaid(t('mistakes.commented', { count: people }))
  }

  return (
    <DialogButton
      label={t('mistakes.comment')}
      icon={<IconMessage size={16} aria-hidden="true" />}
      disabled={count === 0}
      size="lg"
      keepsInput
    >
      {(close) => (
        <Stack gap="sm">
          <Text size="sm">{t('mistakes.commentHelp', { count })}</Text>
          <OpenedMessageForm
            label={t('mistakes.commentText')}
            sendLabel={t('mistakes.commentSend', { count })}
            onSend={send}
            onSent={close}
            onCancel={close}
          />
        </Stack>
      )}
    </DialogButton>
  )
}

/** Lets the mistakes that are counted to the group stand for themselves again. */
function SeparateButton({ problemId, group, onSaid }: ActionProps) {
  const { t } = useTranslation()
  const separating = useMutation({
    mutationFn: async () => {
      await mergeMistakes(problemId, group.merged, null)
      await refreshMistakes(problemId)
    },
    onSuccess: () => onSaid(t('mistakes.separated')),
  })

  async function ask() {
    const isSure = await askToConfirm({
      title: t('mistakes.separateAsk.title', { count: group.merged.length + 1 }),
      text: t('mistakes.separateAsk.text'),
      label: t('mistakes.separate'),
      isHarmless: true,
    })
    if (isSure) separating.mutate()
  }

  if (group.merged.length === 0) return null
  return (
    <>
      <Button
        variant="default"
        loading={separating.isPending}
        leftSection={<IconArrowsSplit2 size={16} aria-hidden="true" />}
        onClick={() => void ask()}
      >
        {t('mistakes.separate')}
      </Button>
      <FormError error={separating.error} />
    </>
  )
}

/** What staff can do for the people of the group. */
function Actions(props: ActionProps) {
  const { t } = useTranslation()
  const { problemId, group, onSaid } = props
  return (
    <Group gap={8}>
      <DialogButton
        label={t('mistakes.write')}
        icon={<IconBulb size={16} aria-hidden="true" />}
        size="lg"
        keepsInput
      >
        {(close) => (
          <NewHintForm
            problemId={problemId}
            group={group}
            onSaved={() => {
              close()
              onSaid(t('mistakes.hintSaved'))
            }}
            onCancel={close}
          />
        )}
      </DialogButton>
      <CommentButton {...props} />
      <MergeForm {...props} />
      <SeparateButton {...props} />
    </Group>
  )
}

/** A group: its hints, what staff can do, what was expected, three programs, and the people. */
export function OpenedGroup(props: OpenedGroupProps) {
  const { may } = useCourse()
  const [said, setSaid] = useState('')
  const { problemId, group, hints } = props
  return (
    <Stack gap="md">
      {hints.map((hint) => (
        <HintItem key={hint.hintId} problemId={problemId} hint={hint} onSaid={setSaid} />
      ))}
      <div>
        <Said text={said} />
        {may('question.answer') ? <Actions {...props} onSaid={setSaid} /> : null}
      </div>
      <Examples problemId={problemId} group={group} />
      <People problemId={problemId} mistake={group.mistake} />
    </Stack>
  )
}

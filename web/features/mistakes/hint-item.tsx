import { Button, Group, Text } from '@mantine/core'
import { IconBulb, IconBulbOff, IconTrash } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { Hint } from '#contract/mistakes'
import { Person } from '../../components/display/person.tsx'
import { TimeText } from '../../components/display/time-text.tsx'
import { FormError } from '../../components/forms/form-error.tsx'
import { Markdown } from '../../components/markdown/markdown.tsx'
import { DialogButton } from '../../components/overlays/dialog-button.tsx'
import { askToConfirm } from '../../lib/confirm.ts'
import { useCourse } from '../../lib/queries/course.ts'
import { deleteHint, refreshMistakes } from './api.ts'
import { useCaseText } from './group-name.tsx'
import { HintEditForm } from './hint-form.tsx'
import classes from './mistakes.module.css'

interface HintItemProps {
  problemId: number
  hint: Hint
  /** Called with the answer to an action. */
  onSaid: (text: string) => void
}

/** Asks, then deletes a hint. */
function DeleteHint({ problemId, hint: { hintId }, onSaid }: HintItemProps) {
  const { t } = useTranslation()
  const deleting = useMutation({
    mutationFn: async () => {
      await deleteHint(problemId, hintId)
      await refreshMistakes(problemId)
    },
    onSuccess: () => onSaid(t('mistakes.deleted')),
  })

  async function ask() {
    const isSure = await askToConfirm({
      title: t('mistakes.deleteAsk.title'),
      text: t('mistakes.deleteAsk.text'),
      label: t('common.delete'),
    })
    if (isSure) deleting.mutate()
  }

  return (
    <>
      <Button
        size="xs"
        variant="default"
        loading={deleting.isPending}
        leftSection={<IconTrash size={14} aria-hidden="true" />}
        onClick={() => void ask()}
      >
        {t('common.delete')}
      </Button>
      <FormError error={deleting.error} />
    </>
  )
}

function HintActions(props: HintItemProps) {
  const { t } = useTranslation()
  const { problemId, hint, onSaid } = props
  const label = t(hint.isAside ? 'mistakes.showAgain' : 'common.edit')
  return (
    <Group gap={8} mt={10}>
      <DialogButton
        label={label}
        buttonSize="xs"
        title={t('mistakes.editTitle')}
        size="lg"
        keepsInput
      >
        {(close) => (
          <HintEditForm
            problemId={problemId}
            hint={hint}
            onSaved={() => {
              close()
              onSaid(t('mistakes.hintSaved'))
            }}
            onCancel={close}
          />
        )}
      </DialogButton>
      <DeleteHint {...props} />
    </Group>
  )
}

/** A hint: for whom it is, its text, its author, whether it helped, and what staff can do with it. */
export function HintItem(props: HintItemProps) {
  const { t } = useTranslation()
  const { may } = useCourse()
  const caseText = useCaseText()
  const { markdown, failed, author, updateTime, isAside, helped, notHelped } = props.hint
  const Icon = isAside ? IconBulbOff : IconBulb
  const forWhom = failed
    ? t('mistakes.forCase', { where: caseText(failed) })
    : t('mistakes.forMistake')
  return (
    <div className={classes.hint} data-aside={isAside || undefined}>
      <Text fw={600} mb={6}>
        <Icon size={18} aria-hidden="true" className={classes.icon} /> {forWhom}
      </Text>
      {isAside ? (
        <Text size="sm" mb={8}>
          {t('mistakes.aside')}
        </Text>
      ) : null}
      <Markdown text={markdown} />
      <Group gap="2px 18px" mt={8} fz="0.8125rem" c="dimmed">
        <span>
          {t('mistakes.answers', {
            helped: t('mistakes.helped', { count: helped }),
            notHelped: t('mistakes.notHelped', { count: notHelped }),
          })}
        </span>
        <span>
          <Person user={author} /> · <TimeText at={updateTime} />
        </span>
      </Group>
      {may('question.answer') ? <HintActions {...props} /> : null}
    </div>
  )
}

import { Checkbox, Stack, Text } from '@mantine/core'
import { IconArrowsJoin2 } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { MistakeGroup } from '#contract/mistakes'
import { FormButtons } from '../../components/forms/form-buttons.tsx'
import { FormError } from '../../components/forms/form-error.tsx'
import { DialogButton } from '../../components/overlays/dialog-button.tsx'
import { mergeMistakes, refreshMistakes } from './api.ts'
import { GroupName } from './group-name.tsx'
import type { GroupRowProps } from './group-row.tsx'
import classes from './mistakes.module.css'

interface MergeProps extends Pick<GroupRowProps, 'problemId' | 'group' | 'groups' | 'isWhole'> {
  /** Called with the answer once the groups are merged. */
  onSaid: (text: string) => void
}

interface ChoiceProps extends MergeProps {
  others: MistakeGroup[]
  onClose: () => void
}

/** Chooses the groups that count to this one from now on. */
function Choice({ problemId, group, others, isWhole, onSaid, onClose }: ChoiceProps) {
  const { t } = useTranslation()
  const [chosen, setChosen] = useState<string[]>([])
  const merging = useMutation({
    mutationFn: async () => {
      await mergeMistakes(problemId, chosen, group.mistake)
      await refreshMistakes(problemId)
    },
    onSuccess: () => {
      onClose()
      onSaid(t('mistakes.merged', { count: chosen.length }))
    },
  })
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        merging.mutate()
      }}
    >
      <Stack gap="sm">
        <Text size="sm">{t('mistakes.mergeHelp')}</Text>
        <Checkbox.Group value={chosen} onChange={setChosen} aria-label={t('mistakes.mergeWhich')}>
          <div className={classes.choices}>
            {others.map((other) => (
              <Checkbox
                key={other.mistake}
                value={other.mistake}
                label={<GroupName group={other} />}
              />
            ))}
          </div>
        </Checkbox.Group>
        {isWhole ? null : (
          <Text size="sm" c="dimmed">
            {t('mistakes.mergeShown')}
          </Text>
        )}
        <FormError error={merging.error} />
        <FormButtons
          label={t('mistakes.merge')}
          isSending={merging.isPending}
          disabled={chosen.length === 0}
          onCancel={onClose}
        />
      </Stack>
    </form>
  )
}

/** Counts other groups to this one. */
export function MergeForm(props: MergeProps) {
  const { t } = useTranslation()
  const others = props.groups.filter(({ mistake }) => mistake !== props.group.mistake)
  return (
    <DialogButton
      label={t('mistakes.same')}
      icon={<IconArrowsJoin2 size={16} aria-hidden="true" />}
      disabled={others.length === 0}
      size="lg"
    >
      {(close) => <Choice {...props} others={others} onClose={close} />}
    </DialogButton>
  )
}

import { Checkbox, Group } from '@mantine/core'
import { IconTag, IconTags } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { can } from '#contract/roles'
import type { Chosen } from '../../components/lists/use-chosen.ts'
import { DialogButton } from '../../components/overlays/dialog-button.tsx'
import { GiveLabels } from './give-labels.tsx'
import { LabelsForm } from './labels-form.tsx'
import type { Member } from './members.ts'
import { RemoveChosen } from './remove-chosen.tsx'
import { Said } from '../../components/feedback/said.tsx'

/** What was changed, and what it does not change by itself. */
function useSaid() {
  const { t } = useTranslation()
  const [said, setSaid] = useState('')
  return {
    said,
    say(text: string, kept: number) {
      const sentences = [t('dates.keptCount', { count: kept }), t('labels.keptWhere')]
      setSaid([text, ...(kept > 0 ? sentences : [])].join(' '))
    },
  }
}

interface LabelBarProps extends Chosen {
  /** The people in the table. */
  members: Member[]
  /** Whether the user may remove members. */
  manages: boolean
}

/** Chooses students, removes them, gives them labels, and edits the labels of the course. */
export function LabelBar({ members, manages, chosen, choose }: LabelBarProps) {
  const { t } = useTranslation()
  const { said, say } = useSaid()
  const shown = members.flatMap(({ username, courseRole }) =>
    can(courseRole, 'scoreboard.appear') ? username : [],
  )
  const students = [...chosen]
  const count = students.length

  function givenTo(kept: number) {
    say(t('dates.savedMany', { count }), kept)
    choose(students, false)
  }

  function removed(usernames: string[]) {
    say(t('joinCodes.removed', { count: usernames.length }), 0)
    choose(usernames, false)
  }

  return (
    <>
      <Group gap="8px 12px" mb={12}>
        <Checkbox
          label={t('labels.chooseShown', { count: shown.length })}
          checked={shown.length > 0 && shown.every((username) => chosen.has(username))}
          disabled={shown.length === 0}
          onChange={({ currentTarget }) => choose(shown, currentTarget.checked)}
        />
        <DialogButton
          label={t('labels.labelsOf', { count })}
          icon={<IconTag size={16} aria-hidden="true" />}
          disabled={count === 0}
          keepsInput
        >
          {(close) => <GiveLabels students={students} onDone={givenTo} onClose={close} />}
        </DialogButton>
        <DialogButton
          label={t('labels.edit')}
          icon={<IconTags size={16} aria-hidden="true" />}
          size="lg"
          keepsInput
        >
          {(close) => (
            <LabelsForm onDone={(kept) => say(t('labels.saved'), kept)} onClose={close} />
          )}
        </DialogButton>
        {manages ? <RemoveChosen chosen={chosen} onRemoved={removed} /> : null}
      </Group>
      <Said text={said} />
    </>
  )
}

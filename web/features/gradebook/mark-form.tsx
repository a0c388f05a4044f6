import { Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { GradebookMark } from '#contract/gradebook'
import { TEXT_LIMITS } from '#contract/limits'
import { FormButtons } from '../../components/forms/form-buttons.tsx'
import { FormError } from '../../components/forms/form-error.tsx'
import { cellText, parseCell } from './cell-text.ts'
import type { MarkEdit } from './edits.ts'
import { SavedText } from './saved-text.tsx'

/** How marks are saved. */
export interface Saving {
  /** The reason that the last change had. */
  reason: string
  onSave: (edits: MarkEdit[], reason: string) => void
  isSaving: boolean
  isSaved: boolean
  /** Takes the last change back; null: nothing can be taken back. */
  onUndo: (() => void) | null
  /** Why the last change was refused. */
  error: string | null
}

interface MarkFormProps extends Saving {
  mark: GradebookMark
}

/** Sets a mark without the grid's keys, as on a phone. */
export function MarkForm({ mark, onSave, isSaving, isSaved, onUndo, error, ...last }: MarkFormProps) {
  const { t } = useTranslation()
  const { column, user, points, excused } = mark
  const stored = cellText([points, excused ? 'e' : ''])
  const [input, setInput] = useState({ text: stored, over: stored })
  // What was typed over an earlier mark would take back a change that was made in the grid.
  const typed = input.over === stored ? input.text : stored
  const [reason, setReason] = useState(last.reason)
  const [wasSent, setWasSent] = useState(false)
  const setting = parseCell(typed)
  const isFault = typeof setting === 'string'
  const isAbove = !isFault && setting.points !== null && setting.points > column.max
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        setWasSent(true)
        if (!isFault) onSave([{ username: user.username, columnId: column.id, ...setting }], reason)
      }}
    >
      <Stack gap={10}>
        <TextInput
          label={t('gradebook.grid.mark')}
          description={t(
            column.kind === 'homework' ? 'gradebook.grid.markHelp' : 'gradebook.grid.manualHelp',
          )}
          value={typed}
          onChange={({ currentTarget }) => {
            setInput({ text: currentTarget.value, over: stored })
            setWasSent(false)
          }}
          error={wasSent && isFault ? t(`gradebook.grid.fault.${setting}`) : null}
        />
        {isAbove ? <Text size="sm">{t('gradebook.grid.above', { max: column.max })}</Text> : null}
        <TextInput
          label={t('gradebook.grid.reason')}
          maxLength={TEXT_LIMITS.markReason}
          value={reason}
          onChange={({ currentTarget }) => setReason(currentTarget.value)}
        />
        <FormError>{wasSent ? error : null}</FormError>
        <SavedText isSaved={wasSent && isSaved && !isFault} onUndo={onUndo} />
        <FormButtons isSending={isSaving} />
      </Stack>
    </form>
  )
}

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

/** What is typed over the stored mark. @param error why the last change was refused */
function useTyped(stored: string, error: string | null) {
  // The text, and the mark over which it was typed.
  const [input, setInput] = useState<{ text: string; over: string } | null>(null)
  const [wasSent, setWasSent] = useState(false)
  const isOvertaken = input !== null && input.over !== stored
  // Once the text is stored, the field follows the mark again.
  if (input?.text.trim() === stored || (isOvertaken && wasSent && error === null)) setInput(null)
  const typed = input?.text ?? stored
  return {
    typed,
    wasSent,
    isOvertaken,
    type: (text: string) => {
      setInput({ text, over: input?.over ?? stored })
      setWasSent(false)
    },
    send: () => {
      setInput({ text: typed, over: stored })
      setWasSent(true)
    },
  }
}

/** Sets a mark without the grid's keys, as on a phone. */
export function MarkForm({ mark, onSave, ...saving }: MarkFormProps) {
  const { t } = useTranslation()
  const { isSaving, isSaved, onUndo, error } = saving
  const { column, user } = mark
  const stored = cellText([mark.points, mark.excused ? 'e' : ''])
  const { typed, wasSent, isOvertaken, type, send } = useTyped(stored, error)
  const [reason, setReason] = useState(saving.reason)
  const setting = parseCell(typed)
  const isFault = typeof setting === 'string'
  const isAbove = !isFault && setting.points !== null && setting.points > column.max
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        send()
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
          onChange={({ currentTarget }) => type(currentTarget.value)}
          error={wasSent && isFault ? t(`gradebook.grid.fault.${setting}`) : null}
        />
        <Text component="output" size="sm">
          {isOvertaken ? t('gradebook.grid.overtaken', { mark: stored || '–' }) : ''}
        </Text>
        {isAbove ? <Text size="sm">{t('gradebook.grid.above', { max: column.max })}</Text> : null}
        <TextInput
          label={t('gradebook.grid.reason')}
          maxLength={TEXT_LIMITS.markReason}
          value={reason}
          onChange={({ currentTarget }) => setReason(currentTarget.value)}
        />
        <FormError>{wasSent ? error : null}</FormError>
        <SavedText isSaved={wasSent && isSaved && !isFault} onUndo={onUndo} />
        <FormButtons
          isSending={isSaving}
          // A reason alone would set a computed mark, which later submissions then leave as it is.
          disabled={typed.trim() === stored}
        />
      </Stack>
    </form>
  )
}

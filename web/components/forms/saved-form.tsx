import type { UseFormReturnType } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'
import { useCallback, useRef, type ReactNode } from 'react'
import { useKeptForm } from '../../lib/drafts/kept-form.ts'
import { CheckedForm } from './checked-form.tsx'
import { FormButtons } from './form-buttons.tsx'
import { KeptNotice } from './kept-notice.tsx'
import { SaveError } from './save-error.tsx'

interface SavedFormProps<Values extends Record<string, unknown>> {
  form: UseFormReturnType<Values>
  /** The page that shows the stored version. */
  cancelTo: string
  /** Saves the form and leaves the page. `overwrite`: saves even if another person has saved since the form was opened. */
  onSave: (values: Values, overwrite: boolean) => Promise<void>
  /** Shows a refusal at the field that it is about. @returns whether it has shown the refusal */
  onRefused?: (error: unknown) => boolean
  /** The text of the sending button. Default: "Save". */
  label?: string
  children: ReactNode
}

/** A form on a card with its fields, the failure, cancel and save. */
export function SavedForm<Values extends Record<string, unknown>>(props: SavedFormProps<Values>) {
  const { form, cancelTo, onSave, onRefused, label, children } = props
  const saved = useRef(false)
  const save = useMutation({
    mutationFn: async (overwrite: boolean) => {
      saved.current = true
      await onSave(form.getValues(), overwrite)
    },
    onError: (error) => {
      saved.current = false
      if (onRefused?.(error)) save.reset()
    },
  })
  const dirty = form.isDirty()
  const kept = useKeptForm(
    form,
    useCallback(() => dirty && !saved.current, [dirty]),
  )
  return (
    <CheckedForm form={form} onSend={() => save.mutate(false)} className="app-card" p="lg">
      <KeptNotice kept={kept} />
      {children}
      {save.isError ? (
        <SaveError error={save.error} storedAt={cancelTo} onOverwrite={() => save.mutate(true)} />
      ) : null}
      <FormButtons {...(label && { label })} isSending={save.isPending} cancelTo={cancelTo} />
    </CheckedForm>
  )
}

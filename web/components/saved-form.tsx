import { Button, Group, Stack } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'
import { useCallback, useRef, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { focusFirstInvalid } from '../lib/focus.ts'
import { useKeptForm } from '../lib/kept-form.ts'
import { KeptNotice } from './kept-notice.tsx'
import { SaveError } from './save-error.tsx'

interface SavedFormProps<Values extends Record<string, unknown>> {
  form: UseFormReturnType<Values>
  /** Where the stored version is shown. */
  cancelTo: string
  /** Stores and leaves the page. `overwrite`: whatever anybody else has saved since. */
  onSave: (values: Values, overwrite: boolean) => Promise<void>
  /** Tells a refusal at the field it is about. */
  onRefused?: (error: unknown) => void
  children: ReactNode
}

/** A form on a card that is saved as a whole: its fields, what went wrong, cancel and save. */
export function SavedForm<Values extends Record<string, unknown>>(props: SavedFormProps<Values>) {
  const { form, cancelTo, onSave, onRefused, children } = props
  const { t } = useTranslation()
  const saved = useRef(false)
  const save = useMutation({
    mutationFn: async (overwrite: boolean) => {
      saved.current = true
      await onSave(form.getValues(), overwrite)
    },
    onError: (error) => {
      saved.current = false
      onRefused?.(error)
    },
  })
  const dirty = form.isDirty()
  const kept = useKeptForm(
    form,
    useCallback(() => dirty && !saved.current, [dirty]),
  )
  return (
    <form
      onSubmit={form.onSubmit(
        () => save.mutate(false),
        () => focusFirstInvalid(),
      )}
      noValidate
    >
      <Stack className="app-card" p="lg">
        <KeptNotice kept={kept} />
        {children}
        {save.isError ? (
          <SaveError error={save.error} storedAt={cancelTo} onOverwrite={() => save.mutate(true)} />
        ) : null}
        <Group justify="flex-end">
          <Button component={Link} to={cancelTo} variant="default">
            {t('common.cancel')}
          </Button>
          <Button type="submit" loading={save.isPending}>
            {t('common.save')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

import { Stack, Text, TextInput } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useErrorText } from '../../lib/api/error-text.ts'
import { DialogButton } from './dialog-button.tsx'
import { FormButtons } from '../forms/form-buttons.tsx'

interface DeleteFormProps {
  /** What is deleted; must be typed to confirm. */
  name: string
  label: string
  text: string
  onDelete: () => Promise<void>
  onCancel: () => void
}

function DeleteForm({ name, label, text, onDelete, onCancel }: DeleteFormProps) {
  const { t } = useTranslation()
  const errorText = useErrorText()
  const [typed, setTyped] = useState('')
  const removal = useMutation({ mutationFn: onDelete })
  const isConfirmed = typed.trim() === name.trim()
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (isConfirmed) removal.mutate()
      }}
    >
      <Stack>
        <Text size="sm">{text}</Text>
        <TextInput
          label={t('confirm.typeName')}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          autoComplete="off"
          data-autofocus
          error={removal.error ? errorText(removal.error) : null}
        />
        <FormButtons
          label={label}
          color="red.9"
          isSending={removal.isPending}
          disabled={!isConfirmed}
          onCancel={onCancel}
        />
      </Stack>
    </form>
  )
}

interface ConfirmDeleteProps extends Pick<DeleteFormProps, 'name' | 'onDelete'> {
  /** What the buttons say instead of "Delete". */
  label?: string
  /** Says what is deleted, so that the button's name differs from those of other delete buttons. */
  ofWhat?: string
  /** Says what will happen, in place of "will be deleted". */
  text?: string
  /** Whether the deletion can be undone. */
  isUndoable?: boolean
  size?: 'xs' | 'sm'
}

/** A delete button whose dialog asks to type the name. */
export function ConfirmDelete({
  name,
  onDelete,
  ofWhat,
  size = 'sm',
  isUndoable = false,
  ...props
}: ConfirmDeleteProps) {
  const { t } = useTranslation()
  const label = props.label ?? t('common.delete')
  const text = props.text ?? t('confirm.text', { name })
  return (
    <DialogButton
      label={label}
      icon={<IconTrash size={size === 'xs' ? 14 : 16} aria-hidden="true" />}
      buttonSize={size}
      ofWhat={ofWhat}
      title={t(isUndoable ? 'confirm.undoable' : 'confirm.title', { name })}
    >
      {(close) => <DeleteForm {...{ name, label, text, onDelete }} onCancel={close} />}
    </DialogButton>
  )
}

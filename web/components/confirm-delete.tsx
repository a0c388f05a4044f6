import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconTrash } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useErrorText } from '../lib/error-text.ts'
import { Dialog } from './dialog.tsx'

interface ConfirmDeleteProps {
  /** What is deleted; must be typed to confirm. */
  name: string
  /** What the buttons say instead of "Delete". */
  label?: string
  /** Tells this button from others of its kind. */
  ofWhat?: string
  /** What will happen, instead of "will be deleted". */
  text?: string
  size?: 'xs' | 'sm'
  onDelete: () => Promise<void>
}

/** A delete button whose dialog wants the thing's name typed. */
export function ConfirmDelete({ name, onDelete, ...props }: ConfirmDeleteProps) {
  const { t } = useTranslation()
  const label = props.label ?? t('common.delete')
  const size = props.size ?? 'sm'
  const errorText = useErrorText()
  const [opened, dialog] = useDisclosure(false)
  const [typed, setTyped] = useState('')
  const removal = useMutation({ mutationFn: onDelete })

  /** What was typed for an earlier look at the dialog confirms nothing. */
  function open() {
    setTyped('')
    removal.reset()
    dialog.open()
  }

  return (
    <>
      <Button
        variant="default"
        size={size}
        aria-label={props.ofWhat}
        leftSection={<IconTrash size={size === 'xs' ? 14 : 16} aria-hidden="true" />}
        onClick={open}
      >
        {label}
      </Button>
      <Dialog opened={opened} onClose={dialog.close} title={t('confirm.title')}>
        <form
          onSubmit={(event) => {
            event.preventDefault()
            if (typed.trim() === name.trim()) removal.mutate()
          }}
        >
          <Stack>
            <Text size="sm">{props.text ?? t('confirm.text', { name })}</Text>
            <TextInput
              label={t('confirm.typeName')}
              value={typed}
              onChange={(event) => setTyped(event.currentTarget.value)}
              autoComplete="off"
              data-autofocus
              error={removal.error ? errorText(removal.error) : null}
            />
            <Group justify="flex-end">
              <Button variant="default" onClick={dialog.close}>
                {t('common.cancel')}
              </Button>
              <Button
                type="submit"
                color="red.9"
                loading={removal.isPending}
                disabled={typed.trim() !== name.trim()}
              >
                {label}
              </Button>
            </Group>
          </Stack>
        </form>
      </Dialog>
    </>
  )
}

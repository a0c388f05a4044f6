import { Button, Group, Text } from '@mantine/core'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Dialog } from '../components/overlays/dialog.tsx'
import type { Question } from '../lib/confirm.ts'

interface ConfirmDialogProps {
  question: Question & { answer: (isYes: boolean) => void }
}

/** A question over the page. The keyboard focus begins at the button that changes nothing. */
export function ConfirmDialog({ question }: ConfirmDialogProps) {
  const { t } = useTranslation()
  const { title, text, label, keepLabel, isHarmless = false, answer } = question
  // The focused element, before the dialog takes the focus.
  const [cameFrom] = useState(() => document.activeElement)
  useEffect(
    () => () => {
      if (!(cameFrom instanceof HTMLElement)) return
      setTimeout(() => {
        // The action that follows the answer may have moved the focus, or removed the element.
        if (document.activeElement === document.body) cameFrom.focus()
      })
    },
    [cameFrom],
  )

  function refuse() {
    // A dialog below this one gets the same key press, and must still find this dialog open.
    setTimeout(() => answer(false))
  }

  return (
    <Dialog opened onClose={refuse} title={title}>
      <Text size="sm">{text}</Text>
      <Group justify="flex-end" mt="lg">
        <Button variant="default" onClick={() => answer(false)} data-autofocus>
          {keepLabel ?? t('common.cancel')}
        </Button>
        <Button {...(!isHarmless && { color: 'red.9' })} onClick={() => answer(true)}>
          {label}
        </Button>
      </Group>
    </Dialog>
  )
}

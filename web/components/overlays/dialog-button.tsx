import { Button } from '@mantine/core'
import { Fragment, useState, type ReactNode } from 'react'
import { Dialog, type DialogProps } from './dialog.tsx'

interface DialogButtonProps extends Pick<DialogProps, 'size' | 'keepsInput' | 'overflows'> {
  label: string
  icon?: ReactNode
  buttonSize?: 'xs' | 'sm'
  /** Tells this button from others of its kind. */
  ofWhat?: string | undefined
  disabled?: boolean
  /** The dialog's heading. Default: the label. */
  title?: string
  /** The dialog's content, made anew each time it opens. */
  children: (close: () => void) => ReactNode
}

/** A button and the dialog it opens. */
export function DialogButton(props: DialogButtonProps) {
  const { label, icon, buttonSize = 'sm', ofWhat, disabled = false, title, children } = props
  const { size, keepsInput, overflows } = props
  const [opened, setOpened] = useState(false)
  // If a dialog is opened again while it still fades out, its content starts anew.
  const [opening, setOpening] = useState(0)

  function open() {
    setOpening(opening + 1)
    setOpened(true)
  }

  function close() {
    setOpened(false)
  }

  return (
    <>
      <Button
        variant="default"
        size={buttonSize}
        aria-label={ofWhat}
        leftSection={icon}
        disabled={disabled}
        onClick={open}
      >
        {label}
      </Button>
      <Dialog
        opened={opened}
        onClose={close}
        title={title ?? label}
        {...(size && { size })}
        {...(keepsInput && { keepsInput })}
        {...(overflows && { overflows })}
      >
        <Fragment key={opening}>{children(close)}</Fragment>
      </Dialog>
    </>
  )
}

import { Modal } from '@mantine/core'
import { useCallback, useEffect, useRef, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

/** Tells when something has been typed in it, and when it is gone. */
function Watched({
  onTyped,
  children,
}: {
  onTyped: (typed: boolean) => void
  children: ReactNode
}) {
  useEffect(() => () => onTyped(false), [onTyped])
  return <div onInput={() => onTyped(true)}>{children}</div>
}

interface DialogProps {
  opened: boolean
  onClose: () => void
  title: string
  size?: 'lg'
  /** Asks before Escape or the cross drop what was typed, and does not close by a press beside it. */
  keepsInput?: boolean
  children: ReactNode
}

/** A dialog over the page; its own buttons close it without a question. */
export function Dialog({ onClose, keepsInput = false, children, ...props }: DialogProps) {
  const { t } = useTranslation()
  const typed = useRef(false)
  const note = useCallback((now: boolean) => {
    typed.current = now
  }, [])

  function close() {
    if (!keepsInput || !typed.current || window.confirm(t('common.dropInput'))) onClose()
  }

  return (
    <Modal
      {...props}
      onClose={close}
      closeOnClickOutside={!keepsInput}
      closeButtonProps={{ 'aria-label': t('common.close') }}
    >
      <Watched onTyped={note}>{children}</Watched>
    </Modal>
  )
}

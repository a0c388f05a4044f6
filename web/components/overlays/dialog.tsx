import { Modal } from '@mantine/core'
import { useCallback, useEffect, useRef, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { askToConfirm } from '../../lib/confirm.ts'
import { useLeaveWarning } from '../../lib/drafts/leave-warning.ts'

/** Whether another dialog covers the dialog with this element, because Escape closes only the top dialog. */
function isCovered(inside: HTMLElement | null): boolean {
  const uppermost = [...document.querySelectorAll('[role="dialog"]')].at(-1)
  return inside !== null && uppermost !== undefined && !uppermost.contains(inside)
}

/** Reports that something was typed inside this element, and takes the report back when the element unmounts. */
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

export interface DialogProps {
  opened: boolean
  onClose: () => void
  title: string
  /** `full`: the dialog fills the screen. */
  size?: 'lg' | 'full'
  /** Asks before Escape, the cross or leaving the page drops the input; a click outside does not close it. */
  keepsInput?: boolean
  /** For a short dialog: lists that open in it reach beyond its edge instead of being cut off. */
  overflows?: boolean
  children: ReactNode
}

/** A dialog over the page. The buttons inside the dialog close it without a question. */
export function Dialog(props: DialogProps) {
  const { opened, onClose, title, size, keepsInput = false, overflows = false, children } = props
  const { t } = useTranslation()
  const inside = useRef<HTMLDivElement>(null)
  const typed = useRef(false)
  const note = useCallback((now: boolean) => {
    typed.current = now
  }, [])
  useLeaveWarning(useCallback(() => opened && keepsInput && typed.current, [opened, keepsInput]))

  async function close() {
    if (isCovered(inside.current)) return
    const isFree =
      !keepsInput ||
      !typed.current ||
      (await askToConfirm({
        title: t('common.dropInput.title'),
        text: t('common.dropInput.text'),
        label: t('common.dropInput.label'),
      }))
    if (isFree) onClose()
  }

  return (
    <Modal
      opened={opened}
      title={title}
      {...(size === 'full' ? { fullScreen: true } : size && { size })}
      {...(overflows && { styles: { content: { overflow: 'visible' } } })}
      onClose={() => void close()}
      closeOnClickOutside={!keepsInput}
      closeButtonProps={{ 'aria-label': t('common.close') }}
    >
      <div ref={inside}>
        <Watched onTyped={note}>{children}</Watched>
      </div>
    </Modal>
  )
}

import {
  IconAlertOctagon,
  IconAlertTriangle,
  IconBulb,
  IconInfoCircle,
  IconMessageExclamation,
} from '@tabler/icons-react'
import { useId, type ComponentProps } from 'react'
import { useTranslation } from 'react-i18next'
import { toCallout } from './parse/mark-callouts.ts'

const ICONS = {
  note: IconInfoCircle,
  tip: IconBulb,
  important: IconMessageExclamation,
  warning: IconAlertTriangle,
  caution: IconAlertOctagon,
} as const

interface CalloutBoxProps extends ComponentProps<'aside'> {
  'data-callout'?: unknown
}

/** A quotation that begins with `[!NOTE]` or another of the five marks. */
export function CalloutBox({ children, 'data-callout': mark }: CalloutBoxProps) {
  const { t } = useTranslation()
  const title = useId()
  const kind = toCallout(mark)
  const Icon = ICONS[kind]
  return (
    <div role="note" aria-labelledby={title} className="callout" data-callout={kind}>
      <p id={title} className="callout-title">
        <Icon size={17} aria-hidden="true" /> {t(`markdown.callout.${kind}`)}
      </p>
      {children}
    </div>
  )
}

import {
  IconAlertOctagon,
  IconBolt,
  IconCircleCheckFilled,
  IconCircleX,
  IconClockExclamation,
  IconCpu,
  IconFileAlert,
  IconHammer,
  IconHourglass,
  IconPlayerSkipForward,
} from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { STATUS, type SubmissionStatus } from '#contract/verdicts'
import classes from './verdict-badge.module.css'

const ICONS = {
  '-1': IconHourglass,
  '0': IconCircleCheckFilled,
  '1': IconCircleX,
  '2': IconHammer,
  '3': IconClockExclamation,
  '4': IconCpu,
  '5': IconBolt,
  '6': IconAlertOctagon,
  '7': IconFileAlert,
} as const

/** The name of a verdict's colour. */
function colorName(status: SubmissionStatus): string {
  return `--verdict-${status === STATUS.PENDING ? 'pending' : status}`
}

/** A verdict's colour in plots. */
export function verdictColor(status: SubmissionStatus): string {
  return `var(${colorName(status)})`
}

interface VerdictBadgeProps {
  /** null: a case that was skipped. */
  status: SubmissionStatus | null
  large?: boolean
}

/** A verdict as icon, text and colour; the title explains it. */
export function VerdictBadge({ status, large = false }: VerdictBadgeProps) {
  const { t } = useTranslation()
  if (status === null)
    return (
      <span className={classes.badge} data-status="skipped" title={t('verdict.skippedHelp')}>
        <IconPlayerSkipForward size={15} aria-hidden="true" />
        {t('verdict.skipped')}
      </span>
    )
  const key = `${status}` as const
  const Icon = ICONS[key]
  return (
    <span
      className={classes.badge}
      data-status={status}
      data-large={large || undefined}
      style={{ color: verdictColor(status), background: `var(${colorName(status)}-ground)` }}
      title={t(`verdict.help.${key}`)}
    >
      <Icon size={large ? 22 : 15} aria-hidden="true" />
      {t(`verdict.name.${key}`)}
    </span>
  )
}

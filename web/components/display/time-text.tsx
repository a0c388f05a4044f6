import { useTranslation } from 'react-i18next'
import {
  formatAgo,
  formatDeadline,
  formatRelative,
  formatTime,
  zoneName,
} from '../../lib/format/format.ts'
import { LOCALES } from '../../lib/format/locale.ts'
import { useLocale } from '../../lib/format/i18n.ts'
import { useServerNow } from '../../lib/live/use-server-now.ts'

interface TimeTextProps {
  /** Epoch seconds. */
  at: number
  /** `at` is a deadline: the last second that is in time. */
  isDeadline?: boolean
  /** Adds the time zone; used for times that may lie in the future. Default: only for deadlines. */
  withZone?: boolean
  /** Whether `at` may lie in the future. Default: only if the zone is added. */
  mayLieAhead?: boolean
  /** Shows e.g. "5 min. ago", with the time as the title. */
  relative?: boolean
}

/** A moment, in the reader's time zone. */
export function TimeText(props: TimeTextProps) {
  const { at, isDeadline = false, withZone = isDeadline } = props
  const { mayLieAhead = withZone, relative = false } = props
  useTranslation()
  const { dateTag } = LOCALES[useLocale()]
  const time = isDeadline ? formatDeadline(at) : formatTime(at)
  const exact = withZone ? `${time} ${zoneName(at)}` : time
  const format = mayLieAhead ? formatRelative : formatAgo
  const distance = format(at, useServerNow(), dateTag)
  return (
    <time
      dateTime={new Date(at * 1000).toISOString()}
      title={relative ? exact : distance}
      style={{ whiteSpace: 'nowrap' }}
    >
      {relative ? distance : exact}
    </time>
  )
}

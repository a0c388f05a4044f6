import { useTranslation } from 'react-i18next'
import { formatAgo, formatRelative, formatTime, zoneName } from '../../lib/format/format.ts'
import { LOCALES } from '../../lib/format/locale.ts'
import { useLocale } from '../../lib/format/i18n.ts'
import { useServerNow } from '../../lib/live/use-server-now.ts'

interface TimeTextProps {
  /** Epoch seconds. */
  at: number
  /** Adds the time zone; used for deadlines, which may lie ahead. */
  withZone?: boolean
  /** It may lie ahead. Without this, and without a zone, it has happened. */
  mayLieAhead?: boolean
  /** Shows "5 min. ago" and the time as the title. */
  relative?: boolean
}

/** A moment, in the reader's time zone. */
export function TimeText(props: TimeTextProps) {
  const { at, withZone = false, mayLieAhead = withZone, relative = false } = props
  useTranslation()
  const { dateTag } = LOCALES[useLocale()]
  const exact = withZone ? `${formatTime(at)} ${zoneName(at)}` : formatTime(at)
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

import { useTranslation } from 'react-i18next'
import { formatDuration } from '../../lib/format/format.ts'
import { useLocale } from '../../lib/format/i18n.ts'
import { LOCALES } from '../../lib/format/locale.ts'
import { useServerNow } from '../../lib/live/use-server-now.ts'

interface TimeLeftProps {
  /** Epoch seconds: a start, or else the last second that is in time. */
  until: number
  /** The sentence that contains the countdown. */
  text?: 'homeworks.dueIn' | 'homeworks.closesIn' | 'homeworks.startsIn'
}

/** A countdown in its two largest units. */
export function TimeLeft({ until, text = 'homeworks.dueIn' }: TimeLeftProps) {
  const { t } = useTranslation()
  const { dateTag } = LOCALES[useLocale()]
  const end = text === 'homeworks.startsIn' ? until : until + 1
  return t(text, { time: formatDuration(end - useServerNow() / 1000, dateTag) })
}

import { useTranslation } from 'react-i18next'
import type { OwnDates as Dates } from '#contract/homework-dates'
import { homeworkStatusAt } from '#contract/homeworks'
import { TimeLeft } from '../display/time-left.tsx'
import { TimeText } from '../display/time-text.tsx'
import { nextDeadline, takesLate } from './late-rule.ts'
import { useServerNow } from '../../lib/live/use-server-now.ts'

interface OwnDatesProps {
  own: Dates
  /** Names the opening time, too. */
  withStart?: boolean
}

/** One person's dates of a homework, each in its own `span`, and the reason if staff have changed them. */
export function OwnDates({ own, withStart = false }: OwnDatesProps) {
  const { t } = useTranslation()
  const { opens, due, closes, why } = own
  return (
    <>
      {withStart ? (
        <span>
          {t('homeworks.from')} <TimeText at={opens} withZone />
        </span>
      ) : null}
      <span>
        {t('homeworks.due')} <TimeText at={due} isDeadline />
      </span>
      {takesLate(own) ? (
        <span>
          {t('homeworks.lateUntil')} <TimeText at={closes} isDeadline />
        </span>
      ) : null}
      {why === null ? null : (
        <span>{why === '' ? t('homeworks.changed') : t('homeworks.changedWhy', { why })}</span>
      )}
    </>
  )
}

/** The time until a homework opens, is due or, once the due time is past, closes; nothing when it is over. */
export function Countdown({ own }: { own: Pick<Dates, 'opens' | 'due' | 'closes'> }) {
  const now = Math.floor(useServerNow() / 1000)
  const status = homeworkStatusAt(own, now)
  if (status === 'over') return null
  if (status === 'not-started') return <TimeLeft until={own.opens} text="homeworks.startsIn" />
  const until = nextDeadline(own, now)
  return until === own.due ? (
    <TimeLeft until={until} />
  ) : (
    <TimeLeft until={until} text="homeworks.closesIn" />
  )
}

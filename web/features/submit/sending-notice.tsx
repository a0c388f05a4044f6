import { Button } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { sessionEnded } from '../../lib/session/session.ts'
import classes from './submit-page.module.css'
import type { Sending } from './use-sending.ts'

/** Whole seconds until a moment, 0 once it is there; counts down. @param untilMs epoch ms */
function useSecondsUntil(untilMs: number): number {
  const [nowMs, setNowMs] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), 500)
    return () => clearInterval(timer)
  }, [])
  return Math.max(0, Math.ceil((untilMs - nowMs) / 1_000))
}

function Countdown({ untilMs }: { untilMs: number }) {
  const { t } = useTranslation()
  const seconds = useSecondsUntil(untilMs)
  return seconds === 0 ? t('submit.sendingAgain') : t('submit.sentAgain', { count: seconds })
}

/** Says why code has not arrived yet, that it is kept, and when it is sent again. */
export function SendingNotice({ delay, isCancelled, cancel }: Sending) {
  const { t } = useTranslation()
  const box = useRef<HTMLDivElement>(null)
  return (
    <div
      ref={box}
      tabIndex={-1}
      className={delay ? classes.sending : isCancelled ? classes.notice : classes.unsaid}
    >
      <span>
        {/* Screen readers hear the reason, but not each second of the countdown. */}
        <output>
          {delay ? t(`submit.${delay.why}`) : isCancelled ? t('submit.cancelled') : null}
        </output>
        {delay ? (
          <> {delay.untilMs === null ? null : <Countdown untilMs={delay.untilMs} />}</>
        ) : null}
      </span>
      {delay?.why === 'signedOut' ? (
        <Button size="compact-sm" onClick={() => sessionEnded.set(true)}>
          {t('signIn.button')}
        </Button>
      ) : null}
      {delay ? (
        <Button
          size="compact-sm"
          variant="default"
          onClick={() => {
            cancel()
            // The pressed button disappears.
            box.current?.focus()
          }}
        >
          {t('submit.cancel')}
        </Button>
      ) : null}
    </div>
  )
}

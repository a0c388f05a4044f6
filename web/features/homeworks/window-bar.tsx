import { Button, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { fromLocalInput, toLocalInput } from '../../lib/local-time-input.ts'
import { zoneName } from '../../lib/format.ts'
import { useServerNow } from '../../lib/use-server-now.ts'
import type { TimeWindow } from './api.ts'
import classes from './board-table.module.css'

interface WindowBarProps {
  window: TimeWindow
  onChange: (window: TimeWindow) => void
}

function toText(at: number | null): string {
  return at === null ? '' : toLocalInput(at)
}

/** Epoch seconds of a complete field; null of an incomplete one. */
function toSeconds(text: string): number | null {
  const seconds = fromLocalInput(text)
  return Number.isNaN(seconds) || seconds < 0 ? null : seconds
}

/** The time window in which submissions count; its last minute counts to its end. */
export function WindowBar({ window, onChange }: WindowBarProps) {
  const { t } = useTranslation()
  const [start, setStart] = useState(toText(window.start))
  const [end, setEnd] = useState(toText(window.end))

  function set(nextStart: string, nextEnd: string) {
    setStart(nextStart)
    setEnd(nextEnd)
    const until = toSeconds(nextEnd)
    onChange({ start: toSeconds(nextStart), end: until === null ? null : until + 59 })
  }

  const zone = zoneName(useServerNow() / 1000)
  return (
    <div className="app-screen-only">
      <div className={classes.window}>
        <TextInput
          type="datetime-local"
          label={`${t('scoreboard.since')} (${zone})`}
          value={start}
          onChange={(event) => set(event.currentTarget.value, end)}
        />
        <TextInput
          type="datetime-local"
          label={`${t('scoreboard.until')} (${zone})`}
          value={end}
          onChange={(event) => set(start, event.currentTarget.value)}
        />
        {start === '' && end === '' ? null : (
          <Button variant="default" onClick={() => set('', '')}>
            {t('scoreboard.clear')}
          </Button>
        )}
      </div>
      <p className={classes.windowHelp}>{t('scoreboard.windowHelp')}</p>
    </div>
  )
}

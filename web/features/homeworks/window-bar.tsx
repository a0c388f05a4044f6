import { Button, Group, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { TimeField } from '../../components/forms/time-field.tsx'
import { formatDeadline, formatTime } from '../../lib/format/format.ts'
import { parseDeadline, parseTime } from '../../lib/format/parse-time.ts'
import type { TimeWindow } from './api.ts'

interface WindowBarProps {
  window: TimeWindow
  onChange: (window: TimeWindow) => void
}

/** The time window in which submissions count; its last minute counts as a whole. */
export function WindowBar({ window, onChange }: WindowBarProps) {
  const { t } = useTranslation()
  const [start, setStart] = useState(window.start === null ? '' : formatTime(window.start))
  const [end, setEnd] = useState(window.end === null ? '' : formatDeadline(window.end))

  /** Changes the window, unless a field does not hold a full time yet. */
  function set(nextStart: string, nextEnd: string) {
    setStart(nextStart)
    setEnd(nextEnd)
    const from = nextStart === '' ? null : parseTime(nextStart)
    const until = nextEnd === '' ? null : parseDeadline(nextEnd)
    if (!Number.isNaN(from) && !Number.isNaN(until)) onChange({ start: from, end: until })
  }

  return (
    <div className="app-screen-only">
      <Group align="flex-end" gap={12} mb={6}>
        <TimeField
          label={t('scoreboard.since')}
          value={start}
          onChange={(text) => set(text, end)}
          error={start !== '' && Number.isNaN(parseTime(start))}
        />
        <TimeField
          label={t('scoreboard.until')}
          isDeadline
          value={end}
          onChange={(text) => set(start, text)}
          error={end !== '' && Number.isNaN(parseDeadline(end))}
        />
        {start === '' && end === '' ? null : (
          <Button variant="default" onClick={() => set('', '')}>
            {t('scoreboard.clear')}
          </Button>
        )}
      </Group>
      <Text mb={16} fz="0.8438rem" c="dimmed">
        {t('scoreboard.windowHelp')}
      </Text>
    </div>
  )
}

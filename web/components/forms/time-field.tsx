import { ActionIcon, TextInput } from '@mantine/core'
import { IconCalendar } from '@tabler/icons-react'
import { useRef, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { zoneName } from '../../lib/format/format.ts'
import { parseDeadline, parseTime } from '../../lib/format/parse-time.ts'
import { useServerNow } from '../../lib/live/use-server-now.ts'
import classes from './time-field.module.css'

interface TimeFieldProps {
  label: string
  /** `YYYY-MM-DD HH:mm` in the reader's zone, as all times are shown, or what was typed so far. */
  value: string
  onChange: (value: string) => void
  /** The time is a deadline in the form of `formatDeadline`. */
  isDeadline?: boolean
  withAsterisk?: boolean
  description?: ReactNode
  error?: ReactNode
}

/** The hour that a chosen day gets while none was typed. */
const END_OF_DAY = '23:59'

/**
 * A time as text, with a button that opens the browser's calendar. The browser's own field would show the time in
 * another format than the rest of the app.
 */
export function TimeField(props: TimeFieldProps) {
  const { label, value, onChange, isDeadline = false, error, ...others } = props
  const { t } = useTranslation()
  const calendar = useRef<HTMLInputElement>(null)
  const now = useServerNow() / 1000
  const at = isDeadline ? parseDeadline(value) : parseTime(value)
  const [day = '', time = END_OF_DAY] = Number.isNaN(at) ? [] : value.split(' ')
  return (
    <TextInput
      {...others}
      label={`${label} (${zoneName(Number.isNaN(at) ? now : at)})`}
      placeholder="YYYY-MM-DD HH:mm"
      autoComplete="off"
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      error={error && value !== '' && Number.isNaN(at) ? t('time.wrongForm') : error}
      rightSection={
        <>
          <input
            ref={calendar}
            type="date"
            className={classes.calendar}
            tabIndex={-1}
            aria-hidden="true"
            value={day}
            onChange={({ currentTarget }) => {
              if (currentTarget.value !== '') onChange(`${currentTarget.value} ${time}`)
            }}
          />
          <ActionIcon
            aria-label={t('time.choose', { field: label })}
            onClick={() => calendar.current?.showPicker()}
          >
            <IconCalendar size={17} />
          </ActionIcon>
        </>
      }
    />
  )
}

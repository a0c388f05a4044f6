import { ActionIcon, TextInput, type TextInputProps } from '@mantine/core'
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
  /** In the cell of a table: small, the label is only heard, and Enter does not send the form. */
  isCell?: boolean
  withAsterisk?: boolean
  description?: ReactNode
  error?: ReactNode
}

/** The hour that a chosen day gets while none was typed. */
const END_OF_DAY = '23:59'

interface CalendarButtonProps {
  /** Names the field. */
  label: string
  /** `YYYY-MM-DD`, or empty. */
  day: string
  onChoose: (day: string) => void
}

/** A button that opens the browser's calendar. */
export function CalendarButton({ label, day, onChoose }: CalendarButtonProps) {
  const { t } = useTranslation()
  const calendar = useRef<HTMLInputElement>(null)
  return (
    <>
      <input
        ref={calendar}
        type="date"
        className={classes.calendar}
        tabIndex={-1}
        aria-hidden="true"
        value={day}
        onChange={({ currentTarget }) => {
          if (currentTarget.value !== '') onChoose(currentTarget.value)
        }}
      />
      <ActionIcon
        aria-label={t('time.choose', { field: label })}
        onClick={() => calendar.current?.showPicker()}
      >
        <IconCalendar size={17} />
      </ActionIcon>
    </>
  )
}

/** How a field looks and behaves in the cell of a table. */
const inCell = (label: string): TextInputProps => ({
  'aria-label': label,
  size: 'xs',
  onKeyDown: (event) => {
    if (event.key === 'Enter') event.preventDefault()
  },
})

/**
 * A time as text, with a button that opens the browser's calendar. The browser's own field would show the time in
 * another format than the rest of the app.
 */
export function TimeField(props: TimeFieldProps) {
  const { label, value, onChange, isDeadline = false, isCell = false, error, ...others } = props
  const { t } = useTranslation()
  const now = useServerNow() / 1000
  const at = isDeadline ? parseDeadline(value) : parseTime(value)
  const [day = '', time = END_OF_DAY] = Number.isNaN(at) ? [] : value.split(' ')
  return (
    <TextInput
      {...others}
      {...(isCell
        ? inCell(label)
        : { label: `${label} (${zoneName(Number.isNaN(at) ? now : at)})` })}
      placeholder="YYYY-MM-DD HH:mm"
      autoComplete="off"
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      error={error && value !== '' && Number.isNaN(at) ? t('time.wrongForm') : error}
      rightSection={
        <CalendarButton
          label={label}
          day={day}
          onChoose={(chosen) => onChange(`${chosen} ${time}`)}
        />
      }
    />
  )
}

interface DayFieldProps extends Pick<TimeFieldProps, 'label' | 'value' | 'onChange' | 'error'> {
  description?: ReactNode
}

/** A day as `YYYY-MM-DD`, with the same button. */
export function DayField({ onChange, ...props }: DayFieldProps) {
  return (
    <TextInput
      {...props}
      placeholder="YYYY-MM-DD"
      autoComplete="off"
      onChange={(event) => onChange(event.currentTarget.value)}
      rightSection={<CalendarButton label={props.label} day={props.value} onChoose={onChange} />}
    />
  )
}

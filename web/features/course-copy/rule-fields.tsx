import { Button, Checkbox, Fieldset, Group, NativeSelect, Text } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { IconPlus, IconX } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { DayField } from '../../components/forms/time-field.tsx'
import { useCourse } from '../../lib/queries/course.ts'
import { isDay, ON_HOLIDAY, type CopyValues, type Holiday } from './plan.ts'

const textOf = ({ first, last }: Holiday) => (first === last ? first : `${first} – ${last}`)

/** Adds a day, or the days from one to another. */
function AddHoliday({ onAdd }: { onAdd: (holiday: Holiday) => void }) {
  const { t } = useTranslation()
  const [first, setFirst] = useState('')
  const [last, setLast] = useState('')
  const [wrong, setWrong] = useState<'first' | 'last' | null>(null)

  function add() {
    const end = last === '' ? first : last
    if (!isDay(first)) return setWrong('first')
    if (!isDay(end) || end < first) return setWrong('last')
    onAdd({ first, last: end })
    setFirst('')
    setLast('')
    setWrong(null)
  }

  return (
    <Group align="flex-end" gap={12}>
      <DayField
        label={t('courseCopy.holidayFirst')}
        value={first}
        onChange={setFirst}
        error={wrong === 'first' ? t('courseCopy.dayForm') : null}
      />
      <DayField
        label={t('courseCopy.holidayLast')}
        value={last}
        onChange={setLast}
        error={wrong === 'last' ? t('courseCopy.lastForm') : null}
      />
      <Button
        variant="default"
        leftSection={<IconPlus size={16} aria-hidden="true" />}
        onClick={add}
      >
        {t('courseCopy.addHoliday')}
      </Button>
    </Group>
  )
}

/** The days without lessons, and what happens with homeworks that are due then. Each is a button that takes it away. */
function Holidays({ form }: { form: UseFormReturnType<CopyValues> }) {
  const { t } = useTranslation()
  const { holidays } = form.values

  function set(changed: Holiday[]) {
    const sorted = changed.toSorted((one, other) => (one.first < other.first ? -1 : 1))
    form.setFieldValue('holidays', sorted)
  }

  const without = (holiday: Holiday) => holidays.filter((each) => textOf(each) !== textOf(holiday))
  return (
    <Fieldset legend={t('courseCopy.holidays')}>
      <AddHoliday onAdd={(holiday) => set([...without(holiday), holiday])} />
      {holidays.length === 0 ? null : (
        <Group component="ul" className="app-list" gap={8} mt={12}>
          {holidays.map((holiday) => (
            <li key={textOf(holiday)}>
              <Button
                variant="default"
                size="compact-sm"
                rightSection={<IconX size={14} aria-hidden="true" />}
                aria-label={t('courseCopy.removeHoliday', { days: textOf(holiday) })}
                onClick={() => set(without(holiday))}
              >
                {textOf(holiday)}
              </Button>
            </li>
          ))}
        </Group>
      )}
      <NativeSelect
        mt={12}
        maw={420}
        label={t('courseCopy.onHoliday')}
        data={ON_HOLIDAY.map((value) => ({ value, label: t(`courseCopy.onHolidayAs.${value}`) }))}
        {...form.getInputProps('onHoliday')}
      />
    </Fieldset>
  )
}

/** The rule by which the table's dates are proposed. */
export function RuleFields({ form }: { form: UseFormReturnType<CopyValues> }) {
  const { t } = useTranslation()
  const { timeZone } = useCourse()
  return (
    <>
      <Group align="flex-end" gap="8px 24px">
        <DayField
          label={t('courseCopy.firstDay')}
          {...form.getInputProps('firstDay')}
          value={form.values.firstDay}
        />
        <Checkbox
          mb={8}
          label={t('courseCopy.keepWeekdays')}
          {...form.getInputProps('keepWeekdays', { type: 'checkbox' })}
        />
      </Group>
      <Holidays form={form} />
      <Text size="sm" c="dimmed">
        {t('courseCopy.zone', { zone: timeZone })}
      </Text>
    </>
  )
}

import { Button, Checkbox, Fieldset, Group, NativeSelect, Text } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { IconPlus } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { DayField } from '../../components/forms/time-field.tsx'
import { useCourse } from '../../lib/queries/course.ts'
import { ON_HOLIDAY, type CopyValues, type Holiday } from './plan.ts'

/** The days without lessons, and what happens with homeworks that are due then. */
function Holidays({ form }: { form: UseFormReturnType<CopyValues> }) {
  const { t } = useTranslation()
  const { holidays } = form.values
  const field = (index: number, day: keyof Holiday) =>
    form.getInputProps(`holidays.${index}.${day}`)
  return (
    <Fieldset legend={t('courseCopy.holidays')}>
      {holidays.map(({ first, last }, index) => (
        // Fields are identified by their position.
        <Group key={index} align="flex-start" gap={12} mb={12}>
          <DayField label={t('courseCopy.holidayFirst')} {...field(index, 'first')} value={first} />
          <DayField label={t('courseCopy.holidayLast')} {...field(index, 'last')} value={last} />
          <Button
            variant="subtle"
            mt={24}
            aria-label={t('courseCopy.removeHoliday', { number: index + 1 })}
            onClick={() => form.removeListItem('holidays', index)}
          >
            {t('lateDays.remove')}
          </Button>
        </Group>
      ))}
      <Button
        variant="default"
        leftSection={<IconPlus size={16} aria-hidden="true" />}
        onClick={() => form.insertListItem('holidays', { first: '', last: '' })}
      >
        {t('courseCopy.addHoliday')}
      </Button>
      {holidays.length === 0 ? null : (
        <NativeSelect
          mt={12}
          maw={420}
          label={t('courseCopy.onHoliday')}
          data={ON_HOLIDAY.map((value) => ({ value, label: t(`courseCopy.onHolidayAs.${value}`) }))}
          {...form.getInputProps('onHoliday')}
        />
      )}
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

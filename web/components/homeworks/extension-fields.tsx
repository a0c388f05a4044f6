import { Button, Checkbox, Group, NumberInput, Stack, Text, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useTranslation } from 'react-i18next'
import { HOMEWORK_LIMITS, QUOTA_MAX, QUOTA_UNLIMITED } from '#contract/limits'
import { addCalendarDays } from '../../lib/format/calendar-days.ts'
import { formatDeadline } from '../../lib/format/format.ts'
import { useCourse } from '../../lib/queries/course.ts'
import { TimeField } from '../forms/time-field.tsx'
import { useTimeInCourse } from '../forms/time-in-course.ts'
import classes from './extension-fields.module.css'
import type { ExtensionValues, Target } from './extension-values.ts'

type Form = UseFormReturnType<ExtensionValues>

const DAYS = [1, 2, 3, 7] as const

/** Buttons that move the due time by days of the course's calendar. */
export function DayButtons({ form, targets }: { form: Form; targets: readonly Target[] }) {
  const { t } = useTranslation()
  const { timeZone } = useCourse()
  const [first] = targets

  function choose(days: number) {
    const isOne = first !== undefined && targets.length === 1
    const due = isOne ? formatDeadline(addCalendarDays(first.own.due, days, timeZone)) : ''
    form.setValues({ days, due })
  }

  return (
    <fieldset className={classes.days}>
      <Text component="legend" size="sm" fw={500} mb={4}>
        {t('dates.addDays')}
      </Text>
      <Group gap="xs">
        {DAYS.map((days) => (
          <Button
            key={days}
            variant={form.values.days === days ? 'filled' : 'default'}
            aria-pressed={form.values.days === days}
            onClick={() => choose(days)}
          >
            {days === 7 ? t('dates.addWeek') : t('dates.add', { count: days })}
          </Button>
        ))}
      </Group>
      {targets.length > 1 && form.values.days !== null ? (
        <Text size="sm" mt={4}>
          {t('dates.eachOwn')}
        </Text>
      ) : null}
    </fieldset>
  )
}

function MoreFields({ form }: { form: Form }) {
  const { t } = useTranslation()
  const inCourse = useTimeInCourse()
  const { opens, closes } = form.values
  const isWrong = ['opens', 'closes'].some((field) => form.errors[field] !== undefined)
  return (
    <details open={isWrong || undefined}>
      <summary>{t('dates.more')}</summary>
      <Stack gap="sm" mt="sm">
        <Text size="sm">{t('dates.emptyHelp')}</Text>
        <TimeField label={t('dates.opens')} {...form.getInputProps('opens')} value={opens} />
        <TimeField
          label={t('dates.closes')}
          isDeadline
          description={inCourse(closes)}
          {...form.getInputProps('closes')}
          value={closes}
        />
        <NumberInput
          label={t('dates.graceMinutes')}
          min={0}
          max={HOMEWORK_LIMITS.graceMinutes}
          allowDecimal={false}
          {...form.getInputProps('graceMinutes')}
        />
        <NumberInput
          label={t('dates.latePercent')}
          description={t('dates.latePercentHelp')}
          min={0}
          max={100}
          allowDecimal={false}
          {...form.getInputProps('latePercent')}
        />
        <NumberInput
          label={t('dates.quota')}
          description={t('dates.quotaHelp')}
          min={QUOTA_UNLIMITED}
          max={QUOTA_MAX}
          allowDecimal={false}
          {...form.getInputProps('quota')}
        />
      </Stack>
    </details>
  )
}

/** The due time, whether the homework is excused, the reason and, folded, all other fields. */
export function ExtensionFields({ form, first }: { form: Form; first: Target | undefined }) {
  const { t } = useTranslation()
  const inCourse = useTimeInCourse()
  const { due, excused } = form.values
  const reasonHelp =
    first?.label !== undefined
      ? t('labels.reasonHelp')
      : t(first?.username === null ? 'dates.reasonForAll' : 'dates.reasonHelp')
  const { onChange, ...dueField } = form.getInputProps('due')
  return (
    <>
      <TimeField
        label={t('dates.due')}
        isDeadline
        description={inCourse(due)}
        {...dueField}
        value={due}
        onChange={(text) => {
          form.setFieldValue('days', null)
          onChange(text)
        }}
      />
      <Checkbox
        label={t('dates.excused')}
        description={t('dates.excusedHelp')}
        {...form.getInputProps('excused')}
        checked={excused}
      />
      <MoreFields form={form} />
      <TextInput
        label={t('dates.reason')}
        description={reasonHelp}
        maxLength={HOMEWORK_LIMITS.reason}
        {...form.getInputProps('reason')}
      />
    </>
  )
}

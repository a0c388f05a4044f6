import { ActionIcon, Button, Group, NativeSelect, NumberInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { datesOf } from '#contract/homework-dates'
import { homeworkForm } from '#contract/homeworks'
import { HOMEWORK_LIMITS } from '#contract/limits'
import { TimeField } from '../../components/forms/time-field.tsx'
import { LateRuleNote } from '../../components/homeworks/late-rule-note.tsx'
import { LateTimeline } from '../../components/homeworks/late-timeline.tsx'
import { parseDeadline } from '../../lib/format/parse-time.ts'
import { useCourse } from '../../lib/queries/course.ts'
import { COUNTS_CHOICES, toBody, type HomeworkValues } from './form-values.ts'
import classes from './homework-form.module.css'
import { HOWS, LATE_CHOICES, RULE_KINDS, UNITS, withChoice } from './late-values.ts'

type Form = UseFormReturnType<HomeworkValues>

interface CountFieldProps {
  form: Form
  label: string
  /** The field of the form, and the contract's field whose errors it shows. */
  field: string
  source: string
  help?: string
}

/** A field for a whole number. */
function CountField({ form, label, field, source, help }: CountFieldProps) {
  return (
    <NumberInput
      label={label}
      description={help}
      min={0}
      clampBehavior="none"
      allowDecimal={false}
      {...form.getInputProps(field)}
      error={form.errors[source]}
    />
  )
}

/** The steps of a rule: how late, and what late work counts from then on. */
function StepFields({ form }: { form: Form }) {
  const { t } = useTranslation()
  const { steps } = form.values
  return (
    <>
      {steps.map((_, index) => (
        // Steps are identified by their position.
        <fieldset key={index} className={classes.step}>
          <legend>{t('homeworkForm.step', { number: index + 1 })}</legend>
          <CountField
            form={form}
            label={t('homeworkForm.after')}
            field={`steps.${index}.afterHours`}
            source={`lateRule.steps.${index}.afterHours`}
          />
          <CountField
            form={form}
            label={t('homeworkForm.counts')}
            field={`steps.${index}.percent`}
            source={`lateRule.steps.${index}.percent`}
          />
          <ActionIcon
            size="lg"
            aria-label={t('homeworkForm.removeStep', { number: index + 1 })}
            disabled={steps.length === 1}
            onClick={() => form.removeListItem('steps', index)}
          >
            <IconTrash size={17} />
          </ActionIcon>
        </fieldset>
      ))}
      <Button
        variant="default"
        size="xs"
        w="fit-content"
        leftSection={<IconPlus size={15} aria-hidden="true" />}
        disabled={steps.length >= HOMEWORK_LIMITS.lateSteps}
        onClick={() => form.insertListItem('steps', { afterHours: '', percent: '' })}
      >
        {t('homeworkForm.addStep')}
      </Button>
    </>
  )
}

/** A rule by units of time: the unit, what each takes, how, and what is left at least. */
function UnitFields({ form }: { form: Form }) {
  const { t } = useTranslation()
  return (
    <div className={classes.times}>
      <CountField
        form={form}
        label={t('homeworkForm.amount')}
        field="unitAmount"
        source="lateRule.unitMinutes"
      />
      <NativeSelect
        label={t('homeworkForm.unit')}
        data={UNITS.map((value) => ({ value, label: t(`homeworkForm.units.${value}`) }))}
        {...form.getInputProps('unit')}
      />
      <CountField
        form={form}
        label={t('homeworkForm.percent')}
        field="unitPercent"
        source="lateRule.percent"
      />
      <NativeSelect
        label={t('homeworkForm.how')}
        data={HOWS.map((value) => ({ value, label: t(`homeworkForm.hows.${value}`) }))}
        {...form.getInputProps('how')}
      />
      <CountField
        form={form}
        label={t('homeworkForm.floor')}
        field="floor"
        source="lateRule.floor"
      />
    </div>
  )
}

/** A rule of one's own: when the homework closes, and what late work counts until then. */
function OwnRule({ form }: { form: Form }) {
  const { t } = useTranslation()
  const { close, end, ruleKind } = form.values
  const isBeforeDue = parseDeadline(close) < parseDeadline(end)
  return (
    <>
      <TimeField
        label={t('homeworkForm.close')}
        isDeadline
        description={t('homeworkForm.closeHelp')}
        {...form.getInputProps('close')}
        value={close}
        error={
          form.errors.close && isBeforeDue ? t('homeworkForm.closeBeforeDue') : form.errors.close
        }
      />
      <NativeSelect
        label={t('homeworkForm.rule')}
        data={RULE_KINDS.map((value) => ({ value, label: t(`homeworkForm.kind.${value}`) }))}
        {...form.getInputProps('ruleKind')}
      />
      {ruleKind === 'steps' ? <StepFields form={form} /> : null}
      {ruleKind === 'units' ? <UnitFields form={form} /> : null}
    </>
  )
}

/** What the filled-in dates and rules mean; nothing while a field is wrong. */
function Meaning({ values }: { values: HomeworkValues }) {
  const { t } = useTranslation()
  const course = useCourse()
  const { success, data } = homeworkForm.safeParse({ ...toBody(values), name: '–' })
  // An empty part keeps the fields in their place.
  if (!success) return <div />
  const { lateRule, counts } = data
  const terms = { own: datesOf(data, null, null), lateRule, counts: counts ?? course.counts }
  return (
    <section className={classes.meaning} aria-label={t('homeworkForm.meaning')}>
      <LateRuleNote terms={terms} withDates />
      <LateTimeline terms={terms} />
    </section>
  )
}

/** What late work counts, the grace, and which submission counts; with what this means. */
export function LateFields({ form }: { form: Form }) {
  const { t } = useTranslation()
  const { counts } = useCourse()
  const what = t(`homeworkForm.countsAs.${counts}`)
  return (
    <div className={classes.late}>
      <div className={classes.fields}>
        <Group grow preventGrowOverflow={false} align="flex-start">
          <NativeSelect
            label={t('homeworkForm.late')}
            data={LATE_CHOICES.map((value) => ({
              value,
              label: t(`homeworkForm.preset.${value}`),
            }))}
            {...form.getInputProps('late')}
            onChange={({ currentTarget: { value } }) =>
              form.setValues(withChoice(form.values, value))
            }
          />
          <NativeSelect
            label={t('homeworkForm.whatCounts')}
            data={COUNTS_CHOICES.map((value) => ({
              value,
              label: t(`homeworkForm.countsAs.${value}`, { what }),
            }))}
            {...form.getInputProps('counts')}
          />
        </Group>
        {form.values.late === 'own' ? <OwnRule form={form} /> : null}
        <CountField
          form={form}
          label={t('homeworkForm.grace')}
          help={t('homeworkForm.graceHelp')}
          field="graceMinutes"
          source="graceMinutes"
        />
      </div>
      <Meaning values={form.values} />
    </div>
  )
}

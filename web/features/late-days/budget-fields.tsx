import { Button, Checkbox, MultiSelect, NativeSelect, NumberInput, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useTranslation } from 'react-i18next'
import type { Homework } from '#contract/homeworks'
import { lateDaySpending } from '#contract/late-days'
import { LATE_DAY_LIMITS, TEXT_LIMITS } from '#contract/limits'
import { Sentences } from '../../components/display/sentences.tsx'
import { lateDayExample, lateDayRuleSentences } from '../../components/homeworks/late-days.ts'
import { NothingFound } from '../../components/lists/nothing-found.tsx'
import { toNumberField } from '../../lib/format/number-field.ts'
import classes from './late-days.module.css'
import { ruleOf, type BudgetsValues, type BudgetValues } from './budget-values.ts'

/** What the fields mean, in plain words, with an example. */
function Meaning({ budget }: { budget: BudgetValues }) {
  const { t } = useTranslation()
  const rule = ruleOf(budget)
  if (rule === null) return null
  return <Sentences sentences={[...lateDayRuleSentences(rule, t), lateDayExample(rule, t)]} />
}

interface BudgetFieldsProps {
  form: UseFormReturnType<BudgetsValues>
  index: number
  /** Of the course; undefined until they are read. */
  homeworks: readonly Homework[] | undefined
}

interface DaysFieldProps extends Pick<BudgetFieldsProps, 'form' | 'index'> {
  name: 'size' | 'mostEach'
  label: string
}

function DaysField({ form, index, name, label }: DaysFieldProps) {
  const path = `budgets.${index}.${name}` as const
  return (
    <NumberInput
      label={label}
      withAsterisk
      min={1}
      max={LATE_DAY_LIMITS[name]}
      allowDecimal={false}
      clampBehavior="none"
      {...form.getInputProps(path)}
      onChange={(value) => form.setFieldValue(path, toNumberField(value))}
    />
  )
}

/** The homeworks of the budget; those of other budgets cannot be chosen. */
function HomeworksField({ form, index, homeworks }: BudgetFieldsProps) {
  const { t } = useTranslation()
  // Without their names the chosen homeworks would be shown as ids.
  if (homeworks === undefined) return null
  const taken = new Set(
    form.values.budgets.flatMap(({ homeworkIds }, other) => (other === index ? [] : homeworkIds)),
  )
  return (
    <MultiSelect
      label={t('lateDays.homeworks')}
      description={t('lateDays.homeworksHelp')}
      data={homeworks
        .filter(({ id }) => !taken.has(id))
        .map(({ id, name }) => ({ value: id, label: name }))}
      searchable
      hidePickedOptions
      nothingFoundMessage={<NothingFound text={t('lateDays.noHomeworks')} isLoading={false} />}
      {...form.getInputProps(`budgets.${index}.homeworkIds`)}
    />
  )
}

/** The fields of one kind of late days. */
export function BudgetFields({ form, index, homeworks }: BudgetFieldsProps) {
  const { t } = useTranslation()
  const budget = form.values.budgets[index]
  if (budget === undefined) return null
  const field = (name: keyof BudgetValues) => form.getInputProps(`budgets.${index}.${name}`)
  const title = t('lateDays.budget', { number: index + 1 })

  return (
    <fieldset className={classes.budget}>
      <legend className={classes.legend}>{budget.name.trim() === '' ? title : budget.name}</legend>
      <div className={classes.fields}>
        <TextInput
          label={t('lateDays.name')}
          description={t('lateDays.nameHelp')}
          withAsterisk
          maxLength={TEXT_LIMITS.budgetName}
          {...field('name')}
        />
        <DaysField {...{ form, index }} name="size" label={t('lateDays.sizeField')} />
        <DaysField {...{ form, index }} name="mostEach" label={t('lateDays.mostEach')} />
        <NativeSelect
          label={t('lateDays.spending')}
          data={lateDaySpending.options.map((value) => ({
            value,
            label: t(`lateDays.spendings.${value}`),
          }))}
          {...field('spending')}
        />
      </div>
      <Checkbox
        label={t('lateDays.movesClosing')}
        {...field('movesClosing')}
        checked={budget.movesClosing}
      />
      <HomeworksField {...{ form, index, homeworks }} />
      <Meaning budget={budget} />
      <div>
        <Button
          size="xs"
          variant="subtle"
          aria-label={t('lateDays.removeNamed', { name: budget.name || title })}
          onClick={() => form.removeListItem('budgets', index)}
        >
          {t('lateDays.remove')}
        </Button>
      </div>
    </fieldset>
  )
}

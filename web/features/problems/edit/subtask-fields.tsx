import {
  ActionIcon,
  Button,
  Checkbox,
  Group,
  NumberInput,
  Text,
  TextInput,
  type NumberInputProps,
} from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { COUNT_LIMITS, SUBTASK_LIMITS, TOTAL_SCORE } from '#contract/limits'
import { toNumberField } from '../../../lib/format/number-field.ts'
import type { ProblemValues } from './form-values.ts'
import classes from './problem-form.module.css'
import {
  newLimits,
  newSubtask,
  totalScore,
  withSplitScores,
  withTypedScores,
  type SubtaskValues,
} from './subtask-values.ts'
import { TypedCaseFields } from '../test-data/typed-case-fields.tsx'
import { beginTyping, withTyped } from '../test-data/typed-cases.ts'

/** For each field of the form: the contract's field whose errors it shows, and its bounds in the form's unit. */
const COUNTS = [
  {
    field: 'caseCount',
    source: 'caseCount',
    min: 1,
    max: COUNT_LIMITS.casesPerSubtask,
    decimals: 0,
  },
  {
    field: 'taskScore',
    source: 'taskScore',
    min: SUBTASK_LIMITS.score.min,
    max: SUBTASK_LIMITS.score.max,
    decimals: 0,
  },
] as const
const LIMITS = [
  {
    field: 'timeMs',
    source: 'timeLimit',
    min: SUBTASK_LIMITS.timeMs.min,
    max: SUBTASK_LIMITS.timeMs.max,
    decimals: 0,
  },
  {
    field: 'memoryMb',
    source: 'memoryLimit',
    min: SUBTASK_LIMITS.memoryKb.min / 1024,
    max: SUBTASK_LIMITS.memoryKb.max / 1024,
    decimals: 3,
  },
] as const

interface BoundedFieldProps extends Omit<NumberInputProps, 'error'> {
  of: (typeof COUNTS | typeof LIMITS)[number]
  isRefused: boolean
}

/** A number field whose error names its bounds. */
function BoundedField({
  of: { field, min, max, decimals },
  isRefused,
  ...input
}: BoundedFieldProps) {
  const { t } = useTranslation()
  return (
    <NumberInput
      label={t(`problemForm.${field}`)}
      min={min}
      max={max}
      clampBehavior="none"
      decimalScale={decimals}
      {...input}
      error={isRefused ? t('field.between', { min, max }) : null}
    />
  )
}

interface SampleBoxProps {
  subtask: SubtaskValues
  /** How many samples the statement shows. */
  shownCount: number
  onChange: (sample: boolean) => void
}

/** A checkbox that lets students see the cases of a subtask; it warns if they would see more than the statement shows. */
function SampleBox({ subtask, shownCount, onChange }: SampleBoxProps) {
  const { t } = useTranslation()
  const { caseCount, sample } = subtask
  const showsMore = sample && caseCount !== '' && caseCount > shownCount
  return (
    <Checkbox
      style={{ gridColumn: '1 / -1' }}
      label={t('problemForm.sample')}
      description={
        showsMore
          ? t('problemForm.sampleCases', { cases: caseCount, shown: shownCount })
          : undefined
      }
      checked={sample}
      onChange={(event) => onChange(event.currentTarget.checked)}
    />
  )
}

interface SubtaskFieldsProps {
  form: UseFormReturnType<ProblemValues>
  /** Whether the picked zip determines the numbers of cases. */
  counted: boolean
}

interface SubtaskRowProps extends SubtaskFieldsProps {
  index: number
  subtask: SubtaskValues
  onChange: (values: Partial<SubtaskValues>) => void
  onRemove: () => void
}

/** The limits of time and memory that all subtasks share, and the choice to give each its own. */
function LimitFields({ form }: { form: SubtaskFieldsProps['form'] }) {
  const { t } = useTranslation()
  const { limits, subtasks } = form.values

  /** The own limits of each subtask start with the shared values; shared limits start with those of the first subtask. */
  function setApart(isApart: boolean) {
    const { timeMs, memoryMb } = limits ?? subtasks[0] ?? newLimits()
    if (isApart)
      form.setFieldValue(
        'subtasks',
        subtasks.map((subtask) => ({ ...subtask, timeMs, memoryMb })),
      )
    form.setFieldValue('limits', isApart ? null : { timeMs, memoryMb })
  }

  return (
    <Group align="flex-start">
      {limits === null
        ? null
        : LIMITS.map((limit) => (
            <BoundedField
              key={limit.field}
              of={limit}
              {...form.getInputProps(`limits.${limit.field}`)}
              isRefused={Boolean(form.errors[`testCase.0.${limit.source}`])}
            />
          ))}
      {subtasks.length > 1 || limits === null ? (
        <Checkbox
          mt={limits === null ? 0 : 30}
          label={t('problemForm.limitsApart')}
          checked={limits === null}
          onChange={(event) => setApart(event.currentTarget.checked)}
        />
      ) : null}
    </Group>
  )
}

interface ScoreRowProps {
  subtasks: SubtaskValues[]
  onChange: (subtasks: SubtaskValues[]) => void
}

/** The scores of all subtasks as one text. The text stays as typed until the field loses the focus. */
function ScoreRow({ subtasks, onChange }: ScoreRowProps) {
  const { t } = useTranslation()
  const [typed, setTyped] = useState<string | null>(null)
  return (
    <TextInput
      label={t('problemForm.scores')}
      description={t('problemForm.scoresHelp')}
      value={typed ?? subtasks.map(({ taskScore }) => taskScore).join(' / ')}
      onChange={({ currentTarget: { value } }) => {
        setTyped(value)
        onChange(withTypedScores(subtasks, value))
      }}
      onBlur={() => setTyped(null)}
    />
  )
}

/** The fields of one subtask. */
function SubtaskRow({ form, counted, index, subtask, onChange, onRemove }: SubtaskRowProps) {
  const { t } = useTranslation()
  const { subtasks, samples, typesCases, limits } = form.values
  const columns = limits === null ? [...COUNTS, ...LIMITS] : COUNTS
  const shownCount = samples.filter(({ input, output }) => input !== '' || output !== '').length
  return (
    <fieldset className={classes.subtask}>
      <legend>{t('problemForm.subtask', { number: index })}</legend>
      {columns.map((column) => (
        <BoundedField
          key={column.field}
          of={column}
          readOnly={(counted || typesCases) && column.field === 'caseCount'}
          {...form.getInputProps(`subtasks.${index}.${column.field}`)}
          {...(column.field === 'taskScore' && {
            onChange: (value: number | string) =>
              onChange({ taskScore: toNumberField(value), isScoreTyped: true }),
          })}
          isRefused={Boolean(form.errors[`testCase.${index}.${column.source}`])}
        />
      ))}
      <ActionIcon
        size="lg"
        className={classes.removeSubtask}
        aria-label={t('problemForm.removeSubtaskOf', { number: index })}
        title={t('problemForm.removeSubtaskOf', { number: index })}
        disabled={counted || subtasks.length === 1}
        onClick={onRemove}
      >
        <IconTrash size={17} />
      </ActionIcon>
      <SampleBox
        subtask={subtask}
        shownCount={shownCount}
        onChange={(sample) => onChange({ sample })}
      />
      {typesCases ? (
        <TypedCaseFields
          number={index}
          cases={subtask.typed}
          isChecked={form.errors['subtasks'] !== undefined}
          onChange={(typed) => onChange(withTyped(subtask, typed))}
        />
      ) : null}
    </fieldset>
  )
}

/** Subtasks with their scores and limits; the scores must total 100. */
export function SubtaskFields({ form, counted }: SubtaskFieldsProps) {
  const { t } = useTranslation()
  const { subtasks } = form.values
  const total = totalScore(subtasks)

  function setSubtasks(next: SubtaskValues[]) {
    form.setFieldValue('subtasks', withSplitScores(next))
  }

  return (
    <>
      <LimitFields form={form} />
      {subtasks.length > 1 ? <ScoreRow subtasks={subtasks} onChange={setSubtasks} /> : null}
      {subtasks.map((subtask, index) => (
        <SubtaskRow
          // Subtasks are identified by their position.
          key={index}
          form={form}
          counted={counted}
          index={index}
          subtask={subtask}
          onChange={(values) => setSubtasks(subtasks.with(index, { ...subtask, ...values }))}
          onRemove={() => setSubtasks(subtasks.toSpliced(index, 1))}
        />
      ))}
      <Group justify="space-between" gap={10}>
        <Button
          variant="default"
          size="xs"
          leftSection={<IconPlus size={15} aria-hidden="true" />}
          disabled={counted || subtasks.length >= COUNT_LIMITS.subtasks}
          onClick={() =>
            setSubtasks([
              ...subtasks,
              ...(form.values.typesCases ? beginTyping([newSubtask()]) : [newSubtask()]),
            ])
          }
        >
          {t('problemForm.addSubtask')}
        </Button>
        <Text size="sm" c={total === TOTAL_SCORE ? 'dimmed' : 'var(--mantine-color-error)'}>
          {t('problemForm.total', { total, wanted: TOTAL_SCORE })}
        </Text>
      </Group>
    </>
  )
}

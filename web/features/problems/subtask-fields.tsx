import { ActionIcon, Button, NumberInput, Text } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { COUNT_LIMITS, SUBTASK_LIMITS, TOTAL_SCORE } from '#contract/limits'
import { newSubtask, totalScore, type ProblemValues } from './form-values.ts'
import classes from './problem-form.module.css'

/** The form's field, the contract's field whose errors it shows, and the bounds in the form's unit. */
const COLUMNS = [
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

interface SubtaskFieldsProps {
  form: UseFormReturnType<ProblemValues>
  /** The picked zip determines the numbers of cases. */
  counted: boolean
}

/** Subtasks with their scores and limits; the scores must total 100. */
export function SubtaskFields({ form, counted }: SubtaskFieldsProps) {
  const { t } = useTranslation()
  const total = totalScore(form.values.subtasks)
  return (
    <>
      {form.values.subtasks.map((_, index) => (
        // Subtasks are known by their position.
        <fieldset key={index} className={classes.subtask}>
          <legend>{t('problemForm.subtask', { number: index })}</legend>
          {COLUMNS.map(({ field, source, min, max, decimals }) => (
            <NumberInput
              key={field}
              label={t(`problemForm.${field}`)}
              min={min}
              max={max}
              clampBehavior="none"
              decimalScale={decimals}
              readOnly={counted && field === 'caseCount'}
              {...form.getInputProps(`subtasks.${index}.${field}`)}
              error={
                form.errors[`testCase.${index}.${source}`] ? t('field.between', { min, max }) : null
              }
            />
          ))}
          <ActionIcon
            size="lg"
            className={classes.removeSubtask}
            aria-label={t('problemForm.removeSubtaskOf', { number: index })}
            title={t('problemForm.removeSubtaskOf', { number: index })}
            disabled={counted || form.values.subtasks.length === 1}
            onClick={() => form.removeListItem('subtasks', index)}
          >
            <IconTrash size={17} />
          </ActionIcon>
        </fieldset>
      ))}
      <div className={classes.subtaskFoot}>
        <Button
          variant="default"
          size="xs"
          leftSection={<IconPlus size={15} aria-hidden="true" />}
          disabled={counted || form.values.subtasks.length >= COUNT_LIMITS.subtasks}
          onClick={() => form.insertListItem('subtasks', newSubtask())}
        >
          {t('problemForm.addSubtask')}
        </Button>
        <Text size="sm" c={total === TOTAL_SCORE ? 'dimmed' : 'var(--mantine-color-error)'}>
          {t('problemForm.total', { total, wanted: TOTAL_SCORE })}
        </Text>
      </div>
    </>
  )
}

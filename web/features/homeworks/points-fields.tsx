import { NumberInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useTranslation } from 'react-i18next'
import { HOMEWORK_LIMITS, TOTAL_SCORE } from '#contract/limits'
import { toNumberField } from '../../lib/format/number-field.ts'
import type { HomeworkValues } from './form-values.ts'
import classes from './homework-form.module.css'

interface PointsFieldsProps {
  form: UseFormReturnType<HomeworkValues>
  /** Problem id → name. */
  names: ReadonlyMap<string, string>
}

/** What each problem of the homework is worth. */
export function PointsFields({ form, names }: PointsFieldsProps) {
  const { t } = useTranslation()
  const { problemIds, points } = form.values
  if (problemIds.length === 0) return null
  return (
    <div className={classes.times}>
      {problemIds.map((id, index) => (
        <NumberInput
          key={id}
          label={t('homeworkForm.pointsOf', { name: names.get(id) ?? `#${id}` })}
          min={0}
          max={HOMEWORK_LIMITS.points}
          clampBehavior="none"
          allowDecimal={false}
          value={points[id] ?? TOTAL_SCORE}
          onChange={(value) =>
            form.setFieldValue('points', { ...points, [id]: toNumberField(value) })
          }
          error={form.errors[`points.${index}`]}
        />
      ))}
    </div>
  )
}

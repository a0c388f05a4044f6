import { Button, Checkbox, NativeSelect, Text, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { GRADEBOOK_LIMITS, TEXT_LIMITS } from '#contract/limits'
import { FormError } from '../../../components/forms/form-error.tsx'
import { askToConfirm } from '../../../lib/confirm.ts'
import { useNumberText } from '../../../lib/format/number-text.ts'
import { useCourse } from '../../../lib/queries/course.ts'
import { countMarks } from './count-marks.ts'
import { Movable } from './movable.tsx'
import { SettingsNumber } from './number-input.tsx'
import classes from './settings.module.css'
import {
  titleOf,
  withoutColumn,
  type ColumnValues,
  type SettingsValues,
} from './settings-values.ts'

interface ColumnFieldsProps {
  form: UseFormReturnType<SettingsValues>
  index: number
}

interface DeleteColumnProps extends Pick<ColumnFieldsProps, 'form'> {
  column: ColumnValues
  title: string
}

/** Takes a manual column out of the form, after a question that says how many people lose a mark. */
function DeleteColumn({ form, column, title }: DeleteColumnProps) {
  const { t } = useTranslation()
  const { course } = useCourse()
  const { id } = column
  const deleting = useMutation({
    mutationFn: async () => {
      if (id !== null) {
        const count = await countMarks(course, id)
        const isSure = await askToConfirm({
          title: t('gradebook.settings.delete.title', { name: title }),
          text: t('gradebook.settings.delete.text', { count }),
          label: t('common.delete'),
        })
        if (!isSure) return
      }
      form.setValues(withoutColumn(form.getValues(), column))
    },
  })
  return (
    <>
      <Button
        size="xs"
        variant="subtle"
        aria-label={t('gradebook.settings.deleteNamed', { name: title })}
        loading={deleting.isPending}
        onClick={() => deleting.mutate()}
      >
        {t('common.delete')}
      </Button>
      <FormError error={deleting.error} />
    </>
  )
}

/** Name and maximum of a manual column. */
function ManualFields({ form, index }: ColumnFieldsProps) {
  const { t } = useTranslation()
  return (
    <>
      <TextInput
        label={t('gradebook.settings.name')}
        withAsterisk
        maxLength={TEXT_LIMITS.homeworkName}
        {...form.getInputProps(`columns.${index}.name`)}
      />
      <SettingsNumber
        form={form}
        path={`columns.${index}.max`}
        label={t('gradebook.settings.max')}
        max={GRADEBOOK_LIMITS.points}
        isPoints
      />
    </>
  )
}

/** The fields of a column: a homework, or one that staff fill by hand. */
export function ColumnFields({ form, index }: ColumnFieldsProps) {
  const { t } = useTranslation()
  const { points } = useNumberText()
  const { groups, columns } = form.values
  const column = columns[index]
  if (column === undefined) return null
  const isManual = column.kind === 'manual'
  const title = titleOf('column', column.name, index, t)
  return (
    <Movable
      title={title}
      index={index}
      count={columns.length}
      onMove={(to) => form.reorderListItem('columns', { from: index, to })}
      actions={isManual ? <DeleteColumn {...{ form, column, title }} /> : null}
    >
      {isManual ? null : (
        <Text size="sm" c="dimmed">
          {t('gradebook.settings.homework', { max: points(Number(column.max)) })}
        </Text>
      )}
      <div className={classes.fields}>
        {isManual ? <ManualFields {...{ form, index }} /> : null}
        {groups.length === 0 ? null : (
          <NativeSelect
            label={t('gradebook.settings.inGroup')}
            data={[
              { value: '', label: t('gradebook.settings.noGroup') },
              ...groups.map(({ key, name }, place) => ({
                value: key,
                label: titleOf('group', name, place, t),
              })),
            ]}
            {...form.getInputProps(`columns.${index}.group`)}
          />
        )}
        <SettingsNumber
          form={form}
          path={`columns.${index}.weight`}
          label={t('gradebook.settings.weight')}
          placeholder={t('gradebook.settings.asMax')}
          max={GRADEBOOK_LIMITS.points}
          isPoints
        />
      </div>
      <Checkbox
        label={t('gradebook.settings.extraColumn')}
        {...form.getInputProps(`columns.${index}.extra`, { type: 'checkbox' })}
      />
    </Movable>
  )
}

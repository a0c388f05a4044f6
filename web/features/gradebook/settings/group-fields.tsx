import { Button, Checkbox, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useTranslation } from 'react-i18next'
import { GRADEBOOK_LIMITS, TEXT_LIMITS } from '#contract/limits'
import { Sentences } from '../../../components/display/sentences.tsx'
import { useNumberText } from '../../../lib/format/number-text.ts'
import { Movable } from './movable.tsx'
import { SettingsNumber } from './number-input.tsx'
import { groupSentences } from './rule-sentences.ts'
import classes from './settings.module.css'
import { titleOf, type SettingsValues } from './settings-values.ts'

interface GroupFieldsProps {
  form: UseFormReturnType<SettingsValues>
  index: number
}

/** Name and rule of a group. */
function RuleFields({ form, index }: GroupFieldsProps) {
  const { t } = useTranslation()
  return (
    <>
      <div className={classes.fields}>
        <TextInput
          label={t('gradebook.settings.name')}
          withAsterisk
          maxLength={TEXT_LIMITS.labelName}
          {...form.getInputProps(`groups.${index}.name`)}
        />
        <SettingsNumber
          form={form}
          path={`groups.${index}.weight`}
          label={t('gradebook.settings.weight')}
          placeholder={t('gradebook.settings.asColumns')}
          max={GRADEBOOK_LIMITS.points}
          isPoints
        />
        <SettingsNumber
          form={form}
          path={`groups.${index}.dropLowest`}
          label={t('gradebook.settings.dropLowest')}
          max={GRADEBOOK_LIMITS.columns}
        />
        <SettingsNumber
          form={form}
          path={`groups.${index}.capPercent`}
          label={t('gradebook.settings.cap')}
          min={1}
          max={GRADEBOOK_LIMITS.capPercent}
          suffix=" %"
        />
      </div>
      <Checkbox
        label={t('gradebook.settings.extraGroup')}
        {...form.getInputProps(`groups.${index}.extra`, { type: 'checkbox' })}
      />
    </>
  )
}

/** The fields of a group, and what they mean. */
export function GroupFields({ form, index }: GroupFieldsProps) {
  const { t } = useTranslation()
  const { points } = useNumberText()
  const { groups, columns } = form.values
  const group = groups[index]
  if (group === undefined) return null
  const title = titleOf('group', group.name, index, t)

  function remove(key: string) {
    form.setFieldValue(
      'columns',
      columns.map((column) => (column.group === key ? { ...column, group: '' } : column)),
    )
    form.removeListItem('groups', index)
  }

  return (
    <Movable
      title={title}
      index={index}
      count={groups.length}
      onMove={(to) => form.reorderListItem('groups', { from: index, to })}
      actions={
        <Button
          size="xs"
          variant="subtle"
          aria-label={t('gradebook.settings.removeNamed', { name: title })}
          onClick={() => remove(group.key)}
        >
          {t('gradebook.settings.remove')}
        </Button>
      }
    >
      <RuleFields form={form} index={index} />
      <Sentences sentences={groupSentences(form.values, index, t, points)} />
    </Movable>
  )
}

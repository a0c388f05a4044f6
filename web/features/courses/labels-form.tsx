import { Button, Checkbox, Text, TextInput } from '@mantine/core'
import { useForm, type UseFormReturnType } from '@mantine/form'
import { IconPlus } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { labelList, type LabelList } from '#contract/labels'
import { COUNT_LIMITS, TEXT_LIMITS } from '#contract/limits'
import { nameKey } from '#contract/names'
import { CheckedForm } from '../../components/forms/checked-form.tsx'
import { FormButtons } from '../../components/forms/form-buttons.tsx'
import { FormError } from '../../components/forms/form-error.tsx'
import { useSchemaValidation } from '../../lib/api/field-text.ts'
import { askToConfirm } from '../../lib/confirm.ts'
import { useCourse } from '../../lib/queries/course.ts'
import { courseEtag, refreshLabels, saveLabels } from './label-calls.ts'
import classes from './members-page.module.css'

type Values = { labels: LabelList['labels'] }

/** New labels without a name are not stored. */
const toBody = ({ labels }: Values) => ({
  labels: labels.filter(({ id, name }) => id !== null || name.trim() !== ''),
})

/** The form, with its checks: each name is allowed, and no two are the same. */
function useLabelsForm() {
  const { t } = useTranslation()
  const { labels } = useCourse()
  const faultsOf = useSchemaValidation<Values>(labelList, (values) => values)
  return useForm<Values>({
    initialValues: { labels: labels.length > 0 ? labels : [{ id: null, name: '', shown: false }] },
    validate: (values) => {
      const keys = values.labels.map(({ name }) => nameKey(name.trim()))
      const isBlank = (index: number) => values.labels[index]?.id === null && keys[index] === ''
      const twice = keys.flatMap((key, index) =>
        key !== '' && keys.indexOf(key) < index
          ? [[`labels.${index}.name`, t('error.label_exists')]]
          : [],
      )
      const faults = Object.entries(faultsOf(values)).filter(
        ([path]) => !isBlank(Number(path.split('.')[1])),
      )
      return Object.fromEntries([...faults, ...twice])
    },
  })
}

/** Asks before labels are deleted, then saves. */
function useSaving(onDone: (kept: number) => void) {
  const { t } = useTranslation()
  const { course, labels } = useCourse()
  const [etag] = useState(() => courseEtag(course))
  const saving = useMutation({
    mutationFn: (values: Values) => saveLabels(course, toBody(values).labels, etag),
    onSuccess: ({ kept }) => onDone(kept),
    onSettled: () => refreshLabels(course),
  })

  async function askAndSave(values: Values) {
    const gone = labels.filter(({ id }) => values.labels.every((label) => label.id !== id))
    const isSure =
      gone.length === 0 ||
      (await askToConfirm({
        title: t('labels.delete.title', { names: gone.map(({ name }) => name).join(', ') }),
        text: t('labels.delete.text'),
        label: t('common.delete'),
      }))
    if (isSure) saving.mutate(values)
  }

  return { saving, askAndSave }
}

/** The fields of one label. */
function LabelFields({ form, index }: { form: UseFormReturnType<Values>; index: number }) {
  const { t } = useTranslation()
  const { memberLabels } = useCourse()
  const { id = null, name = '' } = form.values.labels[index] ?? {}
  const count = [...memberLabels.values()].filter((ids) => id !== null && ids.includes(id)).length
  return (
    <div className={classes.label}>
      <TextInput
        aria-label={t('labels.nameOf', { number: index + 1 })}
        description={id === null ? null : t('dates.people', { count })}
        inputWrapperOrder={['input', 'error', 'description']}
        maxLength={TEXT_LIMITS.labelName}
        {...form.getInputProps(`labels.${index}.name`)}
      />
      <Checkbox
        label={t('labels.shown')}
        aria-label={t('labels.shownOf', { name })}
        {...form.getInputProps(`labels.${index}.shown`, { type: 'checkbox' })}
      />
      <Button
        size="xs"
        variant="subtle"
        aria-label={t('labels.removeOf', { name })}
        onClick={() => form.removeListItem('labels', index)}
      >
        {t('common.delete')}
      </Button>
    </div>
  )
}

interface LabelsFormProps {
  onDone: (kept: number) => void
  onClose: () => void
}

/** Names, adds and deletes the labels of the course, and says which ones students see. */
export function LabelsForm({ onDone, onClose }: LabelsFormProps) {
  const { t } = useTranslation()
  const form = useLabelsForm()
  const { saving, askAndSave } = useSaving((kept) => {
    onDone(kept)
    onClose()
  })
  const all = form.values.labels
  return (
    <CheckedForm form={form} gap="sm" onSend={(values) => void askAndSave(values)}>
      <Text size="sm">{t('labels.help')}</Text>
      {all.map(({ id }, index) => (
        // New fields are identified by their position.
        <LabelFields key={id ?? `new ${index}`} {...{ form, index }} />
      ))}
      {all.length < COUNT_LIMITS.labels ? (
        <div>
          <Button
            size="xs"
            variant="default"
            leftSection={<IconPlus size={14} aria-hidden="true" />}
            onClick={() => form.insertListItem('labels', { id: null, name: '', shown: false })}
          >
            {t('labels.add')}
          </Button>
        </div>
      ) : null}
      <FormError error={saving.error} />
      <FormButtons isSending={saving.isPending} disabled={!form.isDirty()} onCancel={onClose} />
    </CheckedForm>
  )
}

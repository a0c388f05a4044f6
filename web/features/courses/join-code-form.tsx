import { Checkbox, NativeSelect, NumberInput, TextInput } from '@mantine/core'
import { useForm, type UseFormReturnType } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { JOIN_LIMITS } from '#contract/limits'
import { newJoinCode, type JoinCode } from '#contract/joining'
import { CheckedForm } from '../../components/forms/checked-form.tsx'
import { FormButtons } from '../../components/forms/form-buttons.tsx'
import { FormError } from '../../components/forms/form-error.tsx'
import { TimeField } from '../../components/forms/time-field.tsx'
import { useTimeInCourse } from '../../components/forms/time-in-course.ts'
import { useSchemaValidation } from '../../lib/api/field-text.ts'
import { formatDeadline } from '../../lib/format/format.ts'
import { toNumberField, type NumberField } from '../../lib/format/number-field.ts'
import { parseDeadline } from '../../lib/format/parse-time.ts'
import { useCourse } from '../../lib/queries/course.ts'
import { changeCode, makeCode, refreshJoining } from './joining-calls.ts'
import { splitNames } from './members.ts'

type Values = {
  labelId: string
  until: string
  most: NumberField
  domains: string
  approval: boolean
}

function toBody({ labelId, until, most, domains, approval }: Values) {
  return {
    labelId: labelId === '' ? null : Number(labelId),
    until: until.trim() === '' ? null : parseDeadline(until.trim()),
    most: most === '' ? null : most,
    // People write the domain with or without @.
    domains: splitNames(domains).map((domain) => domain.replace(/^@/, '')),
    approval,
  }
}

/** The form's values, and its checks; the fault of one domain is shown at the field of all. */
function useCodeForm(code: JoinCode | null) {
  const faultsOf = useSchemaValidation<Values>(newJoinCode, toBody)
  return useForm<Values>({
    initialValues: {
      labelId: code?.labelId == null ? '' : String(code.labelId),
      until: code?.until == null ? '' : formatDeadline(code.until),
      most: code?.most ?? '',
      domains: code?.domains.join(', ') ?? '',
      approval: code?.approval ?? false,
    },
    validate: (values) =>
      Object.fromEntries(
        Object.entries(faultsOf(values)).map(([path, text]) => [path.split('.')[0], text]),
      ),
  })
}

/** The fields of the form. */
function RuleFields({ form }: { form: UseFormReturnType<Values> }) {
  const { t } = useTranslation()
  const { labels } = useCourse()
  const inCourse = useTimeInCourse()
  return (
    <>
      <TimeField
        label={t('joinCodes.until')}
        isDeadline
        description={inCourse(form.values.until) ?? t('joinCodes.untilHelp')}
        {...form.getInputProps('until')}
        value={form.values.until}
      />
      <NumberInput
        label={t('joinCodes.most')}
        description={t('joinCodes.mostHelp')}
        min={1}
        max={JOIN_LIMITS.people}
        allowDecimal={false}
        {...form.getInputProps('most')}
        onChange={(value) => form.setFieldValue('most', toNumberField(value))}
      />
      <TextInput
        label={t('joinCodes.domains')}
        description={t('joinCodes.domainsHelp')}
        placeholder="example.edu"
        autoComplete="off"
        {...form.getInputProps('domains')}
      />
      {labels.length === 0 ? null : (
        <NativeSelect
          label={t('joinCodes.label')}
          data={[
            { value: '', label: t('labels.none') },
            ...labels.map(({ id, name }) => ({ value: String(id), label: name })),
          ]}
          {...form.getInputProps('labelId')}
        />
      )}
      <Checkbox
        label={t('joinCodes.approval')}
        description={t('joinCodes.approvalHelp')}
        {...form.getInputProps('approval', { type: 'checkbox' })}
      />
    </>
  )
}

interface JoinCodeFormProps {
  /** null: a new code. */
  code: JoinCode | null
  onDone: (code: JoinCode) => void
  onClose: () => void
}

/** Says who may join by a code. */
export function JoinCodeForm({ code, onDone, onClose }: JoinCodeFormProps) {
  const { t } = useTranslation()
  const { course } = useCourse()
  const form = useCodeForm(code)
  const save = useMutation({
    mutationFn: (values: Values) =>
      code === null
        ? makeCode(course, toBody(values))
        : changeCode(course, code.id, toBody(values)),
    onSuccess: async (saved) => {
      onDone(saved)
      await refreshJoining(course)
    },
  })
  return (
    <CheckedForm form={form} gap="sm" onSend={(values) => save.mutate(values)}>
      <RuleFields form={form} />
      <FormError error={save.error} />
      <FormButtons
        {...(code === null && { label: t('joinCodes.make') })}
        isSending={save.isPending}
        onCancel={onClose}
      />
    </CheckedForm>
  )
}

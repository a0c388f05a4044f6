import { NumberInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { RUNNERS } from '#contract/limits'
import { runnerEdit, type Runner } from '#contract/judging/runners'
import { call } from '../../lib/api/call.ts'
import { CheckedForm } from '../../components/forms/checked-form.tsx'
import { DialogButton } from '../../components/overlays/dialog-button.tsx'
import { FormButtons } from '../../components/forms/form-buttons.tsx'
import { FormError } from '../../components/forms/form-error.tsx'
import { useSchemaValidation } from '../../lib/api/field-text.ts'
import { refresh } from '../../lib/api/query-client.ts'
import { queueQuery, runnersQuery } from './api.ts'

const RANGE = { min: 1, max: RUNNERS.slots }

interface LimitValues {
  /** Empty while nothing is typed. */
  slotLimit: number | ''
}

/** The form as the contract validates it; an empty field is NaN. */
function toEdit({ slotLimit }: LimitValues): { slotLimit: number } {
  return { slotLimit: slotLimit === '' ? Number.NaN : slotLimit }
}

function SlotLimitForm({ runner, onClose }: { runner: Runner; onClose: () => void }) {
  const { t } = useTranslation()
  // The list is polled, so the dialog keeps the runner and its ETag as they were when it opened.
  const [opened] = useState(runner)
  const form = useForm<LimitValues>({
    initialValues: { slotLimit: runner.slotLimit },
    validate: useSchemaValidation<LimitValues>(runnerEdit, toEdit),
  })
  const save = useMutation({
    mutationFn: (values: LimitValues) =>
      call('PATCH /runners/:id', {
        params: { id: opened.runnerId },
        body: toEdit(values),
        ifMatch: opened.etag,
      }),
    onSuccess: onClose,
    onSettled: () => refresh(runnersQuery.queryKey, queueQuery.queryKey),
  })
  return (
    <CheckedForm form={form} onSend={(values) => save.mutate(values)}>
      <NumberInput
        label={t('fleet.limitField')}
        description={t('fleet.limitHelp', { name: runner.name, ...RANGE })}
        withAsterisk
        data-autofocus
        {...RANGE}
        clampBehavior="none"
        {...form.getInputProps('slotLimit')}
        error={form.errors['slotLimit'] ? t('field.between', RANGE) : null}
      />
      <FormError error={save.error} />
      <FormButtons isSending={save.isPending} onCancel={onClose} />
    </CheckedForm>
  )
}

/** The button that limits how many submissions a judge host takes at a time, and its dialog. */
export function SlotLimit({ runner, disabled }: { runner: Runner; disabled: boolean }) {
  const { t } = useTranslation()
  const title = t('fleet.limitOf', { name: runner.name })
  return (
    <DialogButton
      label={t('fleet.limit')}
      ofWhat={title}
      title={title}
      buttonSize="xs"
      disabled={disabled}
      keepsInput
    >
      {(close) => <SlotLimitForm runner={runner} onClose={close} />}
    </DialogButton>
  )
}

import { Button, Group, NumberInput, Stack } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { RUNNERS } from '#contract/limits'
import { runnerEdit, type Runner } from '#contract/runners'
import { Dialog } from '../../components/dialog.tsx'
import { FormError } from '../../components/form-error.tsx'
import { useErrorText } from '../../lib/error-text.ts'
import { useSchemaValidation } from '../../lib/field-text.ts'
import { focusFirstInvalid } from '../../lib/focus.ts'
import { changeRunner, queueQuery, runnersQuery } from './api.ts'

const RANGE = { min: 1, max: RUNNERS.slots }

interface LimitValues {
  /** Empty while nothing is typed. */
  slotLimit: number | ''
}

/** What the contract is asked about: nothing typed is no number. */
function toEdit({ slotLimit }: LimitValues): { slotLimit: number } {
  return { slotLimit: slotLimit === '' ? Number.NaN : slotLimit }
}

function SlotLimitForm({ runner, onClose }: { runner: Runner; onClose: () => void }) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const errorText = useErrorText()
  const form = useForm<LimitValues>({
    initialValues: { slotLimit: runner.slotLimit },
    validate: useSchemaValidation<LimitValues>(runnerEdit, toEdit),
  })
  const save = useMutation({
    mutationFn: (values: LimitValues) => changeRunner(runner, toEdit(values)),
    onSuccess: onClose,
    onSettled: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: runnersQuery.queryKey }),
        client.invalidateQueries({ queryKey: queueQuery.queryKey }),
      ]),
  })
  return (
    <form
      noValidate
      onSubmit={form.onSubmit(
        (values) => save.mutate(values),
        () => focusFirstInvalid(),
      )}
    >
      <Stack>
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
        <FormError>{save.isError ? errorText(save.error) : null}</FormError>
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t('common.cancel')}
          </Button>
          <Button type="submit" loading={save.isPending}>
            {t('common.save')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

/** The button that limits how many submissions a judge host takes at a time, and its dialog. */
export function SlotLimit({ runner, disabled }: { runner: Runner; disabled: boolean }) {
  const { t } = useTranslation()
  /** As the host was when the dialog was opened. */
  const [edited, setEdited] = useState<Runner | null>(null)
  const title = t('fleet.limitOf', { name: runner.name })
  function close() {
    setEdited(null)
  }
  return (
    <>
      <Button
        size="xs"
        variant="default"
        disabled={disabled}
        aria-label={title}
        onClick={() => setEdited(runner)}
      >
        {t('fleet.limit')}
      </Button>
      <Dialog opened={edited !== null} onClose={close} title={title} keepsInput>
        {edited === null ? null : <SlotLimitForm runner={edited} onClose={close} />}
      </Dialog>
    </>
  )
}

import { Button, Group, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { overrideChanges, overridesChanged } from '#contract/homework-overrides'
import type { Homework } from '#contract/homeworks'
import { call } from '../../lib/api/call.ts'
import { useSchemaValidation } from '../../lib/api/field-text.ts'
import { useCourse } from '../../lib/queries/course.ts'
import { homeworkDatesQuery } from '../../lib/queries/homework-dates.ts'
import { refreshHomework } from '../../lib/queries/refresh-homework.ts'
import { ErrorBox } from '../feedback/error-box.tsx'
import { RowsSkeleton } from '../feedback/rows-skeleton.tsx'
import { CheckedForm } from '../forms/checked-form.tsx'
import { FormButtons } from '../forms/form-buttons.tsx'
import { FormError } from '../forms/form-error.tsx'
import { ExtensionDone } from './extension-done.tsx'
import { DayButtons, ExtensionFields } from './extension-fields.tsx'
import {
  changeFor,
  targetsOf,
  valuesOf,
  type ExtensionValues,
  type Target,
  type Whose,
} from './extension-values.ts'
import { HomeworkChoice, type About } from './homework-choice.tsx'
import { presentText } from './present-text.ts'

/** The present dates of one target, or how many people change. */
function Present({ targets }: { targets: readonly Target[] }) {
  const { t } = useTranslation()
  const [first] = targets
  if (first === undefined || targets.length > 1)
    return <Text size="sm">{t('dates.people', { count: targets.length })}</Text>
  return <Text size="sm">{presentText(first.own, 'dates.presentDue', t)}</Text>
}

/** Whose dates are taken back. */
function removalOf(targets: readonly Target[]) {
  return {
    usernames: targets.flatMap(({ username, label }) => (label === undefined ? username : [])),
    labels: targets.flatMap(({ label }) => label ?? []),
  }
}

interface ExtensionFormProps {
  homework: Homework
  targets: readonly Target[]
  onDone: (kept: number) => void
  onClose: () => void
}

function ExtensionForm({ homework, targets, onDone, onClose }: ExtensionFormProps) {
  const { t } = useTranslation()
  const { timeZone } = useCourse()
  const [initial] = useState(() => valuesOf(targets))
  const params = { id: homework.id }

  function toBody(values: ExtensionValues) {
    return { overrides: targets.map((target) => changeFor(target, values, initial, timeZone)) }
  }

  const faultsOf = useSchemaValidation(overrideChanges, toBody)
  const form = useForm<ExtensionValues>({
    initialValues: initial,
    validate: (values) =>
      Object.fromEntries(
        Object.entries(faultsOf(values)).map(([path, text]) => [
          path.replace(/^overrides\.\d+\./, ''),
          text,
        ]),
      ),
  })
  const saving = useMutation({
    mutationFn: (values: ExtensionValues | null) =>
      values === null
        ? call('DELETE /homework/:id/overrides', {
            params,
            body: removalOf(targets),
            ifMatch: null,
            as: overridesChanged,
          })
        : call('PUT /homework/:id/overrides', {
            params,
            body: toBody(values),
            ifMatch: null,
            as: overridesChanged,
          }),
    onSuccess: async ({ kept }) => {
      await refreshHomework(homework.id)
      onDone(kept)
    },
  })
  return (
    <CheckedForm form={form} onSend={(values) => saving.mutate(values)}>
      <Present targets={targets} />
      <DayButtons form={form} targets={targets} />
      <ExtensionFields form={form} first={targets[0]} />
      <FormError error={saving.error} />
      <Group justify="space-between">
        {targets.some(({ override }) => override !== null) ? (
          <Button variant="subtle" disabled={saving.isPending} onClick={() => saving.mutate(null)}>
            {t('dates.takeBack')}
          </Button>
        ) : (
          <span />
        )}
        <FormButtons isSending={saving.isPending} onCancel={onClose} />
      </Group>
    </CheckedForm>
  )
}

interface LoadedProps {
  homework: Homework
  whose: Whose
  onClose: () => void
}

function Loaded({ homework, whose, onClose }: LoadedProps) {
  const [kept, setKept] = useState<number | null>(null)
  const table = useQuery(homeworkDatesQuery(homework.id))
  if (table.isPending) return <RowsSkeleton rows={3} height={50} />
  if (!table.data) return <ErrorBox of={table} />
  const targets = targetsOf(whose, table.data, homework)
  return kept === null ? (
    <ExtensionForm {...{ homework, targets, onClose }} onDone={setKept} />
  ) : (
    <ExtensionDone {...{ homework, targets, kept, onClose }} />
  )
}

export type ExtensionDialogProps = About & { whose: Whose; onClose: () => void }

/** The content of a dialog that gives students, everybody with a label, or all dates of their own in a homework. */
export function ExtensionDialog({ whose, onClose, ...about }: ExtensionDialogProps) {
  return (
    <HomeworkChoice about={about}>
      {(homework) => <Loaded key={homework.id} {...{ homework, whose, onClose }} />}
    </HomeworkChoice>
  )
}

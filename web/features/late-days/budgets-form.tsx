import { Button, Fieldset, Stack, Text } from '@mantine/core'
import { useForm, type UseFormReturnType } from '@mantine/form'
import { IconPlus } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useCallback, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { lateDayBudgets, type LateDayTable } from '#contract/late-days'
import { COUNT_LIMITS } from '#contract/limits'
import { ErrorBox } from '../../components/feedback/error-box.tsx'
import { CheckedForm } from '../../components/forms/checked-form.tsx'
import { FormButtons } from '../../components/forms/form-buttons.tsx'
import { KeptNotice } from '../../components/forms/kept-notice.tsx'
import { SaveError } from '../../components/forms/save-error.tsx'
import { etagOf } from '../../lib/api/api.ts'
import { addressOfCall, call } from '../../lib/api/call.ts'
import { useSchemaValidation } from '../../lib/api/field-text.ts'
import { queryClient } from '../../lib/api/query-client.ts'
import { useKeptForm } from '../../lib/drafts/kept-form.ts'
import { homeworksQuery } from '../../lib/queries/course-homeworks.ts'
import { useCourse } from '../../lib/queries/course.ts'
import { lateDaysQuery } from '../../lib/queries/late-days.ts'
import { refreshHomework } from '../../lib/queries/refresh-homework.ts'
import { paths } from '../../paths.ts'
import { BudgetFields } from './budget-fields.tsx'
import { newBudget, toBudgets, toBudgetsValues, type BudgetsValues } from './budget-values.ts'

/** The form with the late days that were read first, and its saving. */
function useBudgetsForm(opened: LateDayTable) {
  const { course } = useCourse()
  const params = { name: course }
  const readEtag = () => etagOf(addressOfCall('GET /course/:name/late-days', { params }))
  // Later reads must not replace this ETag, or the form would overwrite what another person has saved meanwhile.
  const etag = useRef(readEtag())
  const form = useForm<BudgetsValues>({
    initialValues: toBudgetsValues(opened.budgets),
    validate: useSchemaValidation<BudgetsValues>(lateDayBudgets, toBudgets),
  })
  const saving = useMutation({
    mutationFn: async (overwrite: boolean) => {
      await call('PUT /course/:name/late-days', {
        params,
        body: toBudgets(form.getValues()),
        ifMatch: overwrite ? null : etag.current,
      })
      await refreshHomework()
    },
    onSuccess: () => {
      const table = queryClient.getQueryData(lateDaysQuery(course).queryKey)
      if (table === undefined) return
      etag.current = readEtag()
      form.setInitialValues(toBudgetsValues(table.budgets))
      form.reset()
    },
  })
  return { form, saving }
}

/** A button that adds a kind of late days, unless there are as many as a course may have. */
function AddBudget({ form }: { form: UseFormReturnType<BudgetsValues> }) {
  const { t } = useTranslation()
  const { length } = form.values.budgets
  if (length >= COUNT_LIMITS.budgets) return null
  return (
    <div>
      <Button
        size="xs"
        variant="default"
        leftSection={<IconPlus size={14} aria-hidden="true" />}
        onClick={() =>
          form.insertListItem('budgets', newBudget(length === 0 ? t('lateDays.title') : ''))
        }
      >
        {t('lateDays.add')}
      </Button>
    </div>
  )
}

/** The late days of the course, for staff: each kind with its rule and its homeworks. */
export function BudgetsForm({ table }: { table: LateDayTable }) {
  const { t } = useTranslation()
  const { course } = useCourse()
  const homeworks = useQuery(homeworksQuery(course))
  const { form, saving } = useBudgetsForm(table)
  const dirty = form.isDirty()
  const kept = useKeptForm(
    form,
    useCallback(() => dirty, [dirty]),
  )
  const { budgets } = form.values
  return (
    <CheckedForm
      form={form}
      onSend={() => saving.mutate(false)}
      className="app-card"
      p="lg"
      maw={900}
    >
      <Text size="sm">{t('lateDays.help')}</Text>
      <KeptNotice kept={kept} />
      <ErrorBox of={homeworks} />
      {/* What is typed meanwhile would be lost once the stored late days are in the fields. */}
      <Fieldset variant="unstyled" disabled={saving.isPending}>
        <Stack>
          {budgets.map(({ key }, index) => (
            <BudgetFields key={key} {...{ form, index }} homeworks={homeworks.data} />
          ))}
          <AddBudget form={form} />
        </Stack>
      </Fieldset>
      {saving.isError ? (
        <SaveError
          error={saving.error}
          storedAt={paths.lateDays(course)}
          onOverwrite={() => saving.mutate(true)}
        />
      ) : null}
      <Text component="output" size="sm">
        {saving.isSuccess && !dirty ? t('common.saved') : ''}
      </Text>
      <FormButtons isSending={saving.isPending} disabled={!dirty} />
    </CheckedForm>
  )
}

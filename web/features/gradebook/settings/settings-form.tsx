import { Button, Fieldset, Stack, Text } from '@mantine/core'
import { useForm, type UseFormReturnType } from '@mantine/form'
import { IconPlus } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useCallback, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { gradebookForm, type GradebookColumns } from '#contract/gradebook'
import { GRADEBOOK_LIMITS } from '#contract/limits'
import { CheckedForm } from '../../../components/forms/checked-form.tsx'
import { FormButtons } from '../../../components/forms/form-buttons.tsx'
import { KeptNotice } from '../../../components/forms/kept-notice.tsx'
import { SaveError } from '../../../components/forms/save-error.tsx'
import { Section } from '../../../components/page/section.tsx'
import { etagOf } from '../../../lib/api/api.ts'
import { addressOfCall, call } from '../../../lib/api/call.ts'
import { useSchemaValidation } from '../../../lib/api/field-text.ts'
import { queryClient } from '../../../lib/api/query-client.ts'
import { useKeptForm } from '../../../lib/drafts/kept-form.ts'
import { useCourse } from '../../../lib/queries/course.ts'
import { columnsQuery, refreshMarks } from '../../../lib/queries/marks.ts'
import { paths } from '../../../paths.ts'
import { ColumnFields } from './column-fields.tsx'
import { Example } from './example.tsx'
import { GroupFields } from './group-fields.tsx'
import {
  newColumn,
  newGroup,
  overStored,
  toSettings,
  toSettingsValues,
  type SettingsValues,
} from './settings-values.ts'
import { ShownTotal } from './shown-total.tsx'
import { TotalFields } from './total-fields.tsx'

/** The form with the settings that were read first, and its saving. */
function useSettingsForm(opened: GradebookColumns) {
  const { course } = useCourse()
  const params = { name: course }
  const readEtag = () => etagOf(addressOfCall('GET /course/:name/gradebook/columns', { params }))
  // Later reads must not replace this ETag, or the form would overwrite what another person has saved meanwhile.
  const etag = useRef(readEtag())
  const form = useForm<SettingsValues>({
    initialValues: toSettingsValues(opened),
    validate: useSchemaValidation<SettingsValues>(gradebookForm, toSettings),
  })
  const readStored = () => {
    const stored = queryClient.getQueryData(columnsQuery(course).queryKey)
    return stored && toSettingsValues(stored)
  }

  /** Takes the ETag of the newest read, if it says the same as the one that the form was opened with. */
  function takeEtag() {
    const isSame = JSON.stringify(readStored()) === JSON.stringify(form.getInitialValues())
    if (isSame) etag.current = readEtag()
  }

  const saving = useMutation({
    mutationFn: async (overwrite: boolean) => {
      if (overwrite) {
        const stored = await queryClient.fetchQuery({ ...columnsQuery(course), staleTime: 0 })
        form.setValues(overStored(form.getValues(), stored))
      }
      await call('PUT /course/:name/gradebook/columns', {
        params,
        body: toSettings(form.getValues()),
        ifMatch: overwrite ? null : etag.current,
      })
      await refreshMarks()
    },
    onSuccess: () => {
      const stored = readStored()
      if (stored === undefined) return
      etag.current = readEtag()
      form.setInitialValues(stored)
      form.reset()
    },
  })
  return { form, saving, takeEtag }
}

/** A button that adds a group or a column, unless there are as many as a gradebook may have. */
function AddButton({
  label,
  isFull,
  onAdd,
}: {
  label: string
  isFull: boolean
  onAdd: () => void
}) {
  if (isFull) return null
  return (
    <div>
      <Button
        size="xs"
        variant="default"
        leftSection={<IconPlus size={14} aria-hidden="true" />}
        onClick={onAdd}
      >
        {label}
      </Button>
    </div>
  )
}

/** Groups, columns and total. */
function Fields({ form }: { form: UseFormReturnType<SettingsValues> }) {
  const { t } = useTranslation()
  const { groups, columns } = form.values
  return (
    <>
      <Section title={t('gradebook.settings.groups')} help={t('gradebook.settings.groupsHelp')}>
        <Stack>
          {groups.map(({ key }, index) => (
            <GroupFields key={key} {...{ form, index }} />
          ))}
          <AddButton
            label={t('gradebook.settings.addGroup')}
            isFull={groups.length >= GRADEBOOK_LIMITS.groups}
            onAdd={() => form.insertListItem('groups', newGroup())}
          />
        </Stack>
      </Section>
      <Section title={t('gradebook.settings.columns')} help={t('gradebook.settings.columnsHelp')}>
        <Stack>
          {columns.map(({ key }, index) => (
            <ColumnFields key={key} {...{ form, index }} />
          ))}
          <AddButton
            label={t('gradebook.settings.addColumn')}
            isFull={columns.length >= GRADEBOOK_LIMITS.columns}
            onAdd={() => form.insertListItem('columns', newColumn())}
          />
        </Stack>
      </Section>
      <Section title={t('marks.total')}>
        <TotalFields form={form} />
      </Section>
    </>
  )
}

/** The columns and groups of the gradebook and how its total is made, with an example. */
export function SettingsForm({ stored }: { stored: GradebookColumns }) {
  const { t } = useTranslation()
  const { course } = useCourse()
  const { form, saving, takeEtag } = useSettingsForm(stored)
  const dirty = form.isDirty()
  const kept = useKeptForm(
    form,
    useCallback(() => dirty, [dirty]),
  )
  const total = stored.columns.find(({ kind }) => kind === 'total')
  return (
    <Stack gap={24} maw={900}>
      <CheckedForm form={form} onSend={() => saving.mutate(false)} gap={24}>
        <KeptNotice kept={kept} />
        {/* What is typed meanwhile would be lost once the stored settings are in the fields. */}
        <Fieldset variant="unstyled" disabled={saving.isPending}>
          <Stack gap={24}>
            <Fields form={form} />
          </Stack>
        </Fieldset>
        {saving.isError ? (
          <SaveError
            error={saving.error}
            storedAt={paths.gradebookSettings(course)}
            onOverwrite={() => saving.mutate(true)}
          />
        ) : null}
        <Text component="output" size="sm">
          {saving.isSuccess && !dirty ? t('common.saved') : ''}
        </Text>
        <FormButtons isSending={saving.isPending} disabled={!dirty} />
      </CheckedForm>
      {form.values.columns.length === 0 ? null : <Example values={form.values} />}
      {total === undefined ? null : <ShownTotal total={total} onStored={takeEtag} />}
    </Stack>
  )
}

import { MultiSelect, TextInput } from '@mantine/core'
import { useForm, type UseFormReturnType } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { homeworkForm } from '#contract/homeworks'
import { TEXT_LIMITS } from '#contract/limits'
import { MarkdownField } from '../../components/markdown-field.tsx'
import { SavedForm } from '../../components/saved-form.tsx'
import { isRefusal } from '../../lib/api-error.ts'
import { useErrorText } from '../../lib/error-text.ts'
import { useSchemaValidation } from '../../lib/field-text.ts'
import { zoneName } from '../../lib/format.ts'
import { fromLocalInput } from '../../lib/local-time-input.ts'
import { courseProblemsQuery } from '../../lib/problems.ts'
import { useServerNow } from '../../lib/use-server-now.ts'
import { toBody, type HomeworkBody, type HomeworkValues } from './form-values.ts'
import classes from './homework-form.module.css'

interface HomeworkFormProps {
  course: string
  initial: HomeworkValues
  cancelTo: string
  /** Stores and leaves the page. `overwrite`: even if somebody else has saved since. */
  onSave: (homework: HomeworkBody, overwrite: boolean) => Promise<void>
}

function TimeFields({ form }: { form: UseFormReturnType<HomeworkValues> }) {
  const { t } = useTranslation()
  const zone = zoneName(useServerNow() / 1000)
  const endBeforeStart = fromLocalInput(form.values.end) < fromLocalInput(form.values.start)
  return (
    <div className={classes.times}>
      <TextInput
        type="datetime-local"
        label={`${t('homeworks.from')} (${zone})`}
        withAsterisk
        {...form.getInputProps('start')}
      />
      <TextInput
        type="datetime-local"
        label={`${t('homeworks.due')} (${zone})`}
        withAsterisk
        {...form.getInputProps('end')}
        error={form.errors.end && endBeforeStart ? t('homeworks.endBeforeStart') : form.errors.end}
      />
    </div>
  )
}

/** The homework form. */
export function HomeworkForm({ course, initial, cancelTo, onSave }: HomeworkFormProps) {
  const { t } = useTranslation()
  const errorText = useErrorText()
  const problems = useQuery(courseProblemsQuery(course))
  const form = useForm<HomeworkValues>({
    initialValues: initial,
    validate: useSchemaValidation<HomeworkValues>(homeworkForm, toBody),
  })

  function showRefusal(error: unknown) {
    if (isRefusal(error, 'homework_exists')) form.setFieldError('name', errorText(error))
  }

  return (
    <SavedForm
      form={form}
      cancelTo={cancelTo}
      onSave={(values, overwrite) => onSave(toBody(values), overwrite)}
      onRefused={showRefusal}
    >
      <TextInput
        label={t('homeworks.nameField')}
        withAsterisk
        maxLength={TEXT_LIMITS.homeworkName}
        {...form.getInputProps('name')}
      />
      <MultiSelect
        label={t('homeworks.problemsField')}
        description={t('homeworks.problemsHelp')}
        data={(problems.data ?? []).map((problem) => ({
          value: String(problem.problemId),
          label: `#${problem.problemId} ${problem.problemName}`,
        }))}
        searchable
        hidePickedOptions
        nothingFoundMessage={t('problems.noneFound')}
        {...form.getInputProps('problemIds')}
      />
      <TimeFields form={form} />
      <MarkdownField
        below={1}
        label={t('homeworks.textField')}
        minRows={6}
        value={form.values.markdown}
        onChange={(value) => form.setFieldValue('markdown', value)}
        error={form.errors.markdown}
      />
    </SavedForm>
  )
}

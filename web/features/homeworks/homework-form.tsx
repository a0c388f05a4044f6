import { MultiSelect, NativeSelect, TextInput } from '@mantine/core'
import { useForm, type UseFormReturnType } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import * as z from 'zod'
import { homeworkForm, type HomeworkForm as HomeworkBody } from '#contract/homeworks'
import { TEXT_LIMITS } from '#contract/limits'
import { MarkdownField } from '../../components/markdown/markdown-field.tsx'
import { NothingFound } from '../../components/lists/nothing-found.tsx'
import { SavedForm } from '../../components/forms/saved-form.tsx'
import { TimeField } from '../../components/forms/time-field.tsx'
import { useTimeInCourse } from '../../components/forms/time-in-course.ts'
import { isRefusal, refusalData } from '../../lib/api/api-error.ts'
import { useErrorText } from '../../lib/api/error-text.ts'
import { useSchemaValidation } from '../../lib/api/field-text.ts'
import { parseDeadline, parseTime } from '../../lib/format/parse-time.ts'
import { courseProblemsQuery } from '../../lib/queries/problems.ts'
import { SCOREBOARD_FOR, toBody, type HomeworkValues } from './form-values.ts'
import classes from './homework-form.module.css'
import { LateFields } from './late-fields.tsx'
import { PointsFields } from './points-fields.tsx'

/** `data` of `bad_dates`: whose changed dates do not fit; null for those of all. */
const badDates = z.object({ people: z.array(z.string().nullable()) })

interface HomeworkFormProps {
  course: string
  initial: HomeworkValues
  cancelTo: string
  /** Saves the form and leaves the page. `overwrite`: saves even if another person has saved since the form was opened. */
  onSave: (homework: HomeworkBody, overwrite: boolean) => Promise<void>
}

interface ProblemsFieldProps {
  form: UseFormReturnType<HomeworkValues>
  course: string
}

/** The problems, and what each is worth. */
function ProblemsFields({ form, course }: ProblemsFieldProps) {
  const { t } = useTranslation()
  const errorText = useErrorText()
  const problems = useQuery(courseProblemsQuery(course))
  const failure = problems.isLoadingError ? errorText(problems.error) : null
  const data = (problems.data ?? []).map((problem) => ({
    value: String(problem.problemId),
    label: `#${problem.problemId} ${problem.problemName}`,
  }))
  return (
    <>
      <MultiSelect
        label={t('homeworks.problemsField')}
        description={t('homeworks.problemsHelp')}
        data={data}
        searchable
        hidePickedOptions
        nothingFoundMessage={
          <NothingFound text={failure ?? t('problems.noneFound')} isLoading={problems.isPending} />
        }
        {...form.getInputProps('problemIds')}
        error={form.errors.problemIds ?? failure}
      />
      <PointsFields form={form} names={new Map(data.map(({ value, label }) => [value, label]))} />
    </>
  )
}

function TimeFields({ form }: { form: UseFormReturnType<HomeworkValues> }) {
  const { t } = useTranslation()
  const inCourse = useTimeInCourse()
  const { start, end } = form.values
  return (
    <div className={classes.times}>
      <TimeField
        label={t('homeworks.from')}
        withAsterisk
        {...form.getInputProps('start')}
        value={start}
      />
      <TimeField
        label={t('homeworks.due')}
        isDeadline
        withAsterisk
        description={inCourse(end)}
        {...form.getInputProps('end')}
        value={end}
        error={
          form.errors.end && parseDeadline(end) < parseTime(start)
            ? t('homeworks.endBeforeStart')
            : form.errors.end
        }
      />
    </div>
  )
}

/** The homework form. */
export function HomeworkForm({ course, initial, cancelTo, onSave }: HomeworkFormProps) {
  const { t } = useTranslation()
  const errorText = useErrorText()
  const form = useForm<HomeworkValues>({
    initialValues: initial,
    validate: useSchemaValidation<HomeworkValues>(homeworkForm, toBody),
  })

  function showRefusal(error: unknown) {
    const isTaken = isRefusal(error, 'homework_exists')
    if (isTaken) form.setFieldError('name', errorText(error))
    const people = refusalData(error, badDates)?.people
    if (people === undefined) return isTaken
    const names = people.map((username) => username ?? t('homeworkForm.everybody'))
    form.setFieldError('end', t('homeworkForm.badDates', { people: names.join(', ') }))
    return true
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
      <ProblemsFields form={form} course={course} />
      <TimeFields form={form} />
      <LateFields form={form} />
      <NativeSelect
        label={t('scoreboard.for')}
        description={t('scoreboard.forHelp')}
        data={SCOREBOARD_FOR.map((value) => ({ value, label: t(`scoreboard.${value}`) }))}
        {...form.getInputProps('scoreboard')}
      />
      <MarkdownField
        below={1}
        label={t('homeworks.textField')}
        minRows={6}
        value={form.values.markdown}
        onChange={(value) => form.setFieldValue('markdown', value)}
        error={form.errors.markdown}
        notesImages
      />
    </SavedForm>
  )
}

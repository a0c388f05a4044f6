import { Button, Group, MultiSelect, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useCallback, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { newHomework, type NewHomework } from '#contract/homeworks'
import { TEXT_LIMITS } from '#contract/limits'
import { MarkdownField } from '../../components/markdown-field.tsx'
import { SaveError } from '../../components/save-error.tsx'
import { ApiError } from '../../lib/api-error.ts'
import { useSchemaValidation } from '../../lib/field-text.ts'
import { focusFirstInvalid } from '../../lib/focus.ts'
import { useLeaveWarning } from '../../lib/leave-warning.ts'
import { fromLocalInput } from '../../lib/local-time-input.ts'
import { courseProblemsQuery } from '../../lib/problems.ts'
import classes from './homework-form.module.css'

export interface HomeworkValues {
  name: string
  problemIds: string[]
  /** As the browser's date-and-time field has them. */
  start: string
  end: string
  markdown: string
}

interface HomeworkFormProps {
  course: string
  initial: HomeworkValues
  cancelTo: string
  /** Stores and leaves the page. */
  onSave: (homework: NewHomework) => Promise<void>
}

/** The homework form (spec §3). */
export function HomeworkForm({ course, initial, cancelTo, onSave }: HomeworkFormProps) {
  const { t } = useTranslation()
  const problems = useQuery(courseProblemsQuery(course))
  const saved = useRef(false)

  function toBody(values: HomeworkValues): NewHomework {
    return {
      name: values.name.trim(),
      courseName: course,
      markdown: values.markdown,
      start: fromLocalInput(values.start),
      end: fromLocalInput(values.end),
      problemIds: values.problemIds.map(Number),
    }
  }

  const form = useForm<HomeworkValues>({
    initialValues: initial,
    validate: useSchemaValidation<HomeworkValues>(newHomework, toBody),
  })
  const save = useMutation({
    mutationFn: async (values: HomeworkValues) => {
      saved.current = true
      await onSave(toBody(values))
    },
    onError: (error) => {
      saved.current = false
      if (error instanceof ApiError && error.code === 'homework_exists')
        form.setFieldError('name', t('homeworks.exists'))
    },
  })
  const dirty = form.isDirty()
  useLeaveWarning(useCallback(() => dirty && !saved.current, [dirty]))
  const endBeforeStart = fromLocalInput(form.values.end) < fromLocalInput(form.values.start)
  return (
    <form
      onSubmit={form.onSubmit(
        (values) => save.mutate(values),
        () => focusFirstInvalid(),
      )}
      noValidate
    >
      <Stack className="app-card" p="lg">
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
        <div className={classes.times}>
          <TextInput
            type="datetime-local"
            label={t('homeworks.from')}
            withAsterisk
            {...form.getInputProps('start')}
          />
          <TextInput
            type="datetime-local"
            label={t('homeworks.due')}
            withAsterisk
            {...form.getInputProps('end')}
            error={
              form.errors.end && endBeforeStart ? t('homeworks.endBeforeStart') : form.errors.end
            }
          />
        </div>
        <MarkdownField
          below={1}
          label={t('homeworks.textField')}
          minRows={6}
          value={form.values.markdown}
          onChange={(value) => form.setFieldValue('markdown', value)}
          error={form.errors.markdown}
        />
        {save.isError ? <SaveError error={save.error} /> : null}
        <Group justify="flex-end">
          <Button component={Link} to={cancelTo} variant="default">
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

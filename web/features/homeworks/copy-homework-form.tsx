import { Anchor, Button, Group, Select, Stack, Text, TextInput } from '@mantine/core'
import { useForm, type UseFormReturnType } from '@mantine/form'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { homeworkCopy } from '#contract/course-copy'
import { homeworkCreated, type Homework } from '#contract/homeworks'
import { TEXT_LIMITS } from '#contract/limits'
import { can } from '#contract/roles'
import { CheckedForm } from '../../components/forms/checked-form.tsx'
import { FormButtons } from '../../components/forms/form-buttons.tsx'
import { FormError } from '../../components/forms/form-error.tsx'
import { TimeField } from '../../components/forms/time-field.tsx'
import { NothingFound } from '../../components/lists/nothing-found.tsx'
import { isRefusal } from '../../lib/api/api-error.ts'
import { call } from '../../lib/api/call.ts'
import { useErrorText } from '../../lib/api/error-text.ts'
import { useSchemaValidation } from '../../lib/api/field-text.ts'
import { refresh } from '../../lib/api/query-client.ts'
import { serverNowMs } from '../../lib/live/server-clock.ts'
import { useCourse } from '../../lib/queries/course.ts'
import { coursesQuery } from '../../lib/queries/courses.ts'
import { paths } from '../../paths.ts'
import { toCopyBody, toCopyValues, type HomeworkCopyValues } from './copy-values.ts'

function CopyFields({ form }: { form: UseFormReturnType<HomeworkCopyValues> }) {
  const { t } = useTranslation()
  const errorText = useErrorText()
  const courses = useQuery(coursesQuery)
  const unread = courses.isLoadingError ? errorText(courses.error) : null
  const targets = courses.data?.filter(({ role }) => can(role, 'homework.write')) ?? []
  return (
    <>
      <Select
        label={t('problem.copyCourse')}
        data={targets.map(({ course }) => course)}
        searchable
        allowDeselect={false}
        data-autofocus
        nothingFoundMessage={
          <NothingFound text={unread ?? t('problem.copyNowhere')} isLoading={courses.isPending} />
        }
        {...form.getInputProps('courseName')}
        value={form.values.courseName || null}
        error={form.errors.courseName ?? unread}
      />
      <TextInput
        label={t('homeworks.nameField')}
        maxLength={TEXT_LIMITS.homeworkName}
        {...form.getInputProps('name')}
      />
      <TimeField
        label={t('dates.opens')}
        {...form.getInputProps('start')}
        value={form.values.start}
      />
      <TimeField
        label={t('dates.due')}
        isDeadline
        {...form.getInputProps('end')}
        value={form.values.end}
      />
      <TimeField
        label={t('homeworkForm.close')}
        isDeadline
        description={t('homeworkForm.closeHelp')}
        {...form.getInputProps('close')}
        value={form.values.close}
      />
    </>
  )
}

interface CopyHomeworkFormProps {
  homework: Homework
  onClose: () => void
}

/** Asks where to and with which dates, makes the copy, and then links to it. */
export function CopyHomeworkForm({ homework, onClose }: CopyHomeworkFormProps) {
  const { t } = useTranslation()
  const errorText = useErrorText()
  const { course, timeZone } = useCourse()
  const form = useForm<HomeworkCopyValues>({
    initialValues: toCopyValues(homework, timeZone, serverNowMs() / 1_000),
    validate: useSchemaValidation<HomeworkCopyValues>(homeworkCopy, toCopyBody),
  })
  const copy = useMutation({
    mutationFn: (values: HomeworkCopyValues) =>
      call('POST /homework/:id/copy', {
        params: { id: homework.id },
        body: toCopyBody(values),
        as: homeworkCreated,
      }),
    onSuccess: (_, { courseName }) => refresh(['homeworks', courseName], ['problems', courseName]),
    onError(error) {
      if (isRefusal(error, 'homework_exists')) form.setFieldError('name', errorText(error))
    },
  })
  if (copy.isSuccess) {
    const { courseName, name } = copy.variables
    return (
      <Stack>
        <Text component="output">{t('courseCopy.homeworkCopied', { course: courseName })}</Text>
        <Anchor
          component={Link}
          to={`${paths.homeworks(courseName)}#homework-${copy.data.id}`}
          onClick={onClose}
        >
          {name}
        </Anchor>
        <Group justify="flex-end">
          <Button onClick={onClose}>{t('common.close')}</Button>
        </Group>
      </Stack>
    )
  }
  const isShown = Object.keys(form.errors).length > 0
  return (
    <CheckedForm form={form} onSend={(values) => copy.mutate(values)}>
      <Text size="sm">
        {t(
          form.values.courseName === course
            ? 'courseCopy.homeworkHelpHere'
            : 'courseCopy.homeworkHelp',
        )}
      </Text>
      <CopyFields form={form} />
      <FormError error={isShown ? null : copy.error} />
      <FormButtons
        label={t('courseCopy.copyStart')}
        isSending={copy.isPending}
        disabled={form.values.courseName === ''}
        onCancel={onClose}
      />
    </CheckedForm>
  )
}

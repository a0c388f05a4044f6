import { NativeSelect, Select, Switch, TextInput } from '@mantine/core'
import { useForm, type UseFormReturnType } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'
import { useCallback, useId, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import * as z from 'zod'
import { courseEdit, type CourseDetail, type CourseEdit } from '#contract/courses'
import { courseName } from '#contract/fields'
import { counts, type Counts } from '#contract/homework-dates'
import { TEXT_LIMITS } from '#contract/limits'
import { roleCan } from '#contract/roles'
import { addressOfCall, call } from '../../lib/api/call.ts'
import { CheckedForm } from '../../components/forms/checked-form.tsx'
import { FormButtons } from '../../components/forms/form-buttons.tsx'
import { SaveError } from '../../components/forms/save-error.tsx'
import { etagOf } from '../../lib/api/api.ts'
import { useCourse } from '../../lib/queries/course.ts'
import { useSchemaValidation } from '../../lib/api/field-text.ts'
import { useLeaveWarning } from '../../lib/drafts/leave-warning.ts'
import { queryClient, refresh } from '../../lib/api/query-client.ts'
import { mayInInstallation, useSession } from '../../lib/session/session.ts'
import { paths } from '../../paths.ts'
import { MovedTimes, type HomeworksKeep } from './moved-times.tsx'
import { TeacherField } from './teacher-field.tsx'
import { timeZonesWith } from './time-zones.ts'
import { useCourseRefusal } from './use-course-refusal.ts'

type SettingsValues = {
  newCourse: string
  teacher: string
  timeZone: string
  /** What homeworks keep when the time zone changes. */
  keep: HomeworksKeep
  counts: Counts
  closed: boolean
}

interface NewTeacherFieldProps {
  value: string
  onChange: (username: string) => void
  error?: ReactNode
}

/** The new teacher: admins search all accounts, a teacher chooses among members who may teach. */
function NewTeacherField(props: NewTeacherFieldProps) {
  const { t } = useTranslation()
  const { teacher, TAs, students } = useCourse()
  const { user } = useSession()
  const listId = useId()
  if (mayInInstallation(user, 'course.appointTeacher'))
    return (
      <TeacherField
        {...props}
        description={`${t('courses.teacherSearch')} ${t('courseSettings.teacherHelp')}`}
      />
    )
  const candidates = [teacher, ...TAs, ...students].filter(({ role }) =>
    roleCan(role, 'course.create'),
  )
  return (
    <>
      <TextInput
        {...props}
        onChange={(event) => props.onChange(event.currentTarget.value)}
        label={t('courses.teacherField')}
        description={`${t('courses.teacherHelp')} ${t('courseSettings.teacherHelp')}`}
        maxLength={TEXT_LIMITS.username}
        autoCapitalize="none"
        spellCheck={false}
        list={listId}
      />
      <datalist id={listId}>
        {candidates.map(({ username, displayedName }) => (
          <option key={username} value={username}>
            {displayedName}
          </option>
        ))}
      </datalist>
    </>
  )
}

/** The fields for the time zone. Before a new zone is saved, these fields show how the homeworks' times change. */
function ZoneFields({ form }: { form: UseFormReturnType<SettingsValues> }) {
  const { t } = useTranslation()
  const { timeZone } = useCourse()
  const [zones] = useState(() => timeZonesWith(timeZone))
  return (
    <>
      <Select
        label={t('courses.zoneField')}
        description={t('courses.zoneHelp')}
        data={zones}
        searchable
        allowDeselect={false}
        {...form.getInputProps('timeZone')}
      />
      {form.values.timeZone === timeZone ? null : (
        <MovedTimes
          timeZone={form.values.timeZone}
          keep={form.values.keep}
          onChange={(keep) => form.setFieldValue('keep', keep)}
        />
      )}
    </>
  )
}

/** Which submission counts in the homeworks that do not say it themselves. */
function CountsField({ form }: { form: UseFormReturnType<SettingsValues> }) {
  const { t } = useTranslation()
  return (
    <NativeSelect
      label={t('homeworkForm.courseCounts')}
      description={t('homeworkForm.courseCountsHelp')}
      data={counts.options.map((value) => ({ value, label: t(`homeworkForm.countsAs.${value}`) }))}
      {...form.getInputProps('counts')}
    />
  )
}

/** Whether students only read. */
function ClosedField({ form }: { form: UseFormReturnType<SettingsValues> }) {
  const { t } = useTranslation()
  return (
    <Switch
      label={t('courseCopy.closed')}
      description={t('courseCopy.closedHelp')}
      {...form.getInputProps('closed', { type: 'checkbox' })}
    />
  )
}

/** The form of a stored course. */
function toValues(stored: CourseDetail): SettingsValues {
  const { course, teacher, timeZone, counts, closedAt } = stored
  return {
    newCourse: course,
    teacher: teacher.username,
    timeZone,
    keep: 'instants',
    counts,
    closed: closedAt !== null,
  }
}

/**
 * What a filled-in form sends. Untouched fields are not sent, and stay as they are stored.
 * @param stored the course as it was opened
 */
function toBody(values: SettingsValues, stored: CourseDetail): CourseEdit {
  const { course, teacher, timeZone } = stored
  const [name, username] = [values.newCourse.trim(), values.teacher.trim()]
  return {
    course,
    ...(name !== course && { newCourse: name }),
    ...(username !== teacher.username && { teacher: username }),
    ...(values.timeZone !== timeZone && {
      timeZone: values.timeZone,
      keepWallTimes: values.keep === 'wallTimes',
    }),
    ...(values.counts !== stored.counts && { counts: values.counts }),
    ...(values.closed !== (stored.closedAt !== null) && { closed: values.closed }),
  }
}

/** Renames the course, hands it over, changes its time zone and what counts in its homeworks, closes it. */
export function CourseSettingsForm() {
  const { t } = useTranslation()
  const stored = useCourse()
  const { course } = stored
  const [etag] = useState(() =>
    etagOf(addressOfCall('GET /course/:name', { params: { name: course } })),
  )
  const navigate = useNavigate()
  const form = useForm<SettingsValues>({
    initialValues: toValues(stored),
    validate: useSchemaValidation<SettingsValues>(courseEdit, (values) => toBody(values, stored)),
  })
  const isDirty = form.isDirty()
  useLeaveWarning(useCallback(() => isDirty, [isDirty]))
  const save = useMutation({
    mutationFn: (overwrite: boolean) =>
      call('PUT /course', {
        body: toBody(form.getValues(), stored),
        ifMatch: overwrite ? null : etag,
        as: z.object({ course: courseName }),
      }),
    onSuccess: async ({ course: name }) => {
      // Leave this page first, because the course is no longer found under its old name.
      await navigate(paths.members(name), { replace: true })
      await refresh(['course', name], ['courses'], ['homeworks', name], ['running-homeworks'])
      // Cached problems and lists still have the old name.
      if (name !== course) queryClient.removeQueries({ type: 'inactive' })
    },
    onError: useCourseRefusal(form, 'newCourse'),
  })
  const toldAtField = Object.keys(form.errors).length > 0
  return (
    <CheckedForm form={form} onSend={() => save.mutate(false)} className="app-card" p="lg">
      <TextInput
        label={t('courses.nameField')}
        description={t('courseSettings.renameHelp')}
        maxLength={TEXT_LIMITS.courseName}
        {...form.getInputProps('newCourse')}
      />
      <NewTeacherField
        value={form.values.teacher}
        onChange={(username) => form.setFieldValue('teacher', username)}
        error={form.errors.teacher}
      />
      <ZoneFields form={form} />
      <CountsField form={form} />
      <ClosedField form={form} />
      {save.isError && !toldAtField ? (
        <SaveError
          error={save.error}
          storedAt={paths.courseSettings(course)}
          onOverwrite={() => save.mutate(true)}
        />
      ) : null}
      <FormButtons isSending={save.isPending} disabled={!isDirty} />
    </CheckedForm>
  )
}

import { Button, Group, Select, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate } from 'react-router'
import { newCourse } from '#contract/courses'
import { TEXT_LIMITS } from '#contract/limits'
import { ROLES } from '#contract/roles'
import { Page } from '../../components/page.tsx'
import { NotFoundPage } from '../../layout/not-found-page.tsx'
import { anything, callApi } from '../../lib/api.ts'
import { ApiError } from '../../lib/api-error.ts'
import { useSchemaValidation } from '../../lib/field-text.ts'
import { useSession } from '../../lib/session.ts'
import { paths } from '../../paths.ts'

interface CourseValues {
  course: string
  teacher: string
  timeZone: string
}

const TIME_ZONES = ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')]

function NewCourseForm({ self, isAdmin }: { self: string; isAdmin: boolean }) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const client = useQueryClient()
  const form = useForm<CourseValues>({
    initialValues: {
      course: '',
      teacher: self,
      timeZone: new Intl.DateTimeFormat().resolvedOptions().timeZone,
    },
    validate: useSchemaValidation<CourseValues>(newCourse, (values) => values),
  })
  const create = useMutation({
    mutationFn: (body: CourseValues) => callApi('/course', anything, { method: 'POST', body }),
    onSuccess: async (_, body) => {
      await client.invalidateQueries({ queryKey: ['courses'] })
      await navigate(paths.course(body.course))
    },
    onError: (error) => {
      if (!(error instanceof ApiError)) return
      if (error.code === 'course_exists') form.setFieldError('course', t('courses.exists'))
      if (error.code === 'user_not_found') form.setFieldError('teacher', t('courses.noTeacher'))
      if (error.code === 'teacher_is_student') form.setFieldError('teacher', error.message)
    },
  })
  const known = create.error instanceof ApiError && Object.keys(form.errors).length > 0
  return (
    <form onSubmit={form.onSubmit((values) => create.mutate(values))} noValidate>
      <Stack className="app-card" p="lg" maw={560}>
        <TextInput
          label={t('courses.nameField')}
          description={t('courses.nameHelp')}
          withAsterisk
          maxLength={TEXT_LIMITS.courseName}
          {...form.getInputProps('course')}
        />
        <TextInput
          label={t('courses.teacherField')}
          description={isAdmin ? t('courses.teacherHelp') : null}
          readOnly={!isAdmin}
          withAsterisk
          maxLength={TEXT_LIMITS.username}
          {...form.getInputProps('teacher')}
        />
        <Select
          label={t('courses.zoneField')}
          description={t('courses.zoneHelp')}
          data={TIME_ZONES}
          searchable
          allowDeselect={false}
          {...form.getInputProps('timeZone')}
        />
        <div role="alert">{create.isError && !known ? t('courses.unknownError') : null}</div>
        <Group justify="flex-end">
          <Button component={Link} to={paths.courses()} variant="default">
            {t('common.cancel')}
          </Button>
          <Button type="submit" loading={create.isPending}>
            {t('courses.create')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

/** `/courses/new`: for admins and teachers. */
export function NewCoursePage() {
  const { t } = useTranslation()
  const { user } = useSession()
  if (user === null || user.role === ROLES.student) return <NotFoundPage />
  return (
    <Page title={t('courses.new')} crumbs={[{ label: t('nav.courses'), to: paths.courses() }]}>
      <NewCourseForm self={user.username} isAdmin={user.role === ROLES.admin} />
    </Page>
  )
}

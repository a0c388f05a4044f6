import { Select, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { newCourse } from '#contract/courses'
import { TEXT_LIMITS } from '#contract/limits'
import { can } from '#contract/roles'
import { call } from '../../lib/api/call.ts'
import { CheckedForm } from '../../components/forms/checked-form.tsx'
import { FormButtons } from '../../components/forms/form-buttons.tsx'
import { FormError } from '../../components/forms/form-error.tsx'
import { Page } from '../../components/page/page.tsx'
import { NotFoundPage } from '../../layout/not-found-page.tsx'
import { ApiError } from '../../lib/api/api-error.ts'
import { useSchemaValidation } from '../../lib/api/field-text.ts'
import { refresh } from '../../lib/api/query-client.ts'
import { coursesQuery } from '../../lib/queries/courses.ts'
import { mayInInstallation, useSession } from '../../lib/session/session.ts'
import { useNavigateFromHere } from '../../lib/navigation/navigate-from-here.ts'
import { paths } from '../../paths.ts'
import { closedCoursesQuery } from './api.ts'
import { TeacherField } from './teacher-field.tsx'
import { OWN_ZONE, timeZonesWith } from './time-zones.ts'
import { useCourseRefusal } from './use-course-refusal.ts'

interface CourseValues {
  course: string
  teacher: string
  timeZone: string
}

const TIME_ZONES = timeZonesWith()

/** What the form sends, trimmed: keyboards of phones add spaces. */
function toBody(values: CourseValues): CourseValues {
  return { ...values, course: values.course.trim(), teacher: values.teacher.trim() }
}

/** The form, and the call that creates the course. @param self the initial teacher's username */
function useNewCourse(self: string) {
  const navigate = useNavigateFromHere()
  const form = useForm<CourseValues>({
    initialValues: {
      course: '',
      teacher: self,
      timeZone: OWN_ZONE,
    },
    validate: useSchemaValidation<CourseValues>(newCourse, toBody),
  })
  const create = useMutation({
    mutationFn: (body: CourseValues) => call('POST /course', { body }),
    onSuccess: async (_, body) => {
      void refresh(['courses'])
      await navigate(paths.course(body.course))
    },
    onError: useCourseRefusal(form, 'course'),
  })
  return { form, create }
}

function NewCourseForm({ self, mayAppoint }: { self: string; mayAppoint: boolean }) {
  const { t } = useTranslation()
  const { form, create } = useNewCourse(self)
  // Errors that are shown elsewhere: 401 in the dialog of ended sessions, others at their fields.
  const known =
    create.error instanceof ApiError &&
    (create.error.status === 401 || Object.keys(form.errors).length > 0)
  return (
    <CheckedForm
      form={form}
      onSend={(values) => create.mutate(toBody(values))}
      className="app-card"
      p="lg"
      maw={560}
    >
      <TextInput
        label={t('courses.nameField')}
        description={t('courses.nameHelp')}
        withAsterisk
        maxLength={TEXT_LIMITS.courseName}
        {...form.getInputProps('course')}
      />
      {mayAppoint ? (
        <TeacherField {...form.getInputProps('teacher')} value={form.values.teacher} />
      ) : (
        <TextInput
          label={t('courses.teacherField')}
          description={t('courses.teacherFixed')}
          variant="filled"
          readOnly
          {...form.getInputProps('teacher')}
        />
      )}
      <Select
        label={t('courses.zoneField')}
        description={t('courses.zoneHelp')}
        data={TIME_ZONES}
        searchable
        allowDeselect={false}
        {...form.getInputProps('timeZone')}
      />
      <FormError>{create.isError && !known ? t('courses.unknownError') : null}</FormError>
      <FormButtons
        label={t('courses.create')}
        isSending={create.isPending}
        cancelTo={paths.courses()}
      />
    </CheckedForm>
  )
}

/** Chooses a course of one's own, open or closed, to bring back; nothing if there is none. */
function EarlierCourse() {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const open = useQuery(coursesQuery)
  const closed = useQuery(closedCoursesQuery)
  const own = [...(open.data ?? []), ...(closed.data ?? [])].filter(({ role }) =>
    can(role, 'course.manage'),
  )
  if (own.length === 0) return null
  return (
    <Select
      className="app-card"
      p="lg"
      mb="md"
      maw={560}
      label={t('courseCopy.fromEarlier')}
      description={t('courseCopy.fromEarlierHelp')}
      placeholder={t('courseCopy.choose')}
      // A course that was just closed may be in both lists.
      data={[...new Set(own.map(({ course }) => course))]}
      searchable
      value={null}
      onChange={(course) => {
        if (course !== null) void navigate(paths.copyCourse(course))
      }}
    />
  )
}

/** `/courses/new`: for admins and teachers. */
export function NewCoursePage() {
  const { t } = useTranslation()
  const { user } = useSession()
  if (user === null || !mayInInstallation(user, 'course.create')) return <NotFoundPage />
  return (
    <Page title={t('courses.new')} crumbs={[{ label: t('nav.courses'), to: paths.courses() }]}>
      <EarlierCourse />
      <NewCourseForm
        self={user.username}
        mayAppoint={mayInInstallation(user, 'course.appointTeacher')}
      />
    </Page>
  )
}

import { Stack } from '@mantine/core'
import { IconCopyPlus } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { PUBLIC_COURSE } from '#contract/fields'
import { CourseDownload } from '../../components/downloads/course-download.tsx'
import { call } from '../../lib/api/call.ts'
import { ConfirmDelete } from '../../components/overlays/confirm-delete.tsx'
import { LinkButton } from '../../components/page/link-button.tsx'
import { Page } from '../../components/page/page.tsx'
import { Section } from '../../components/page/section.tsx'
import { NotFoundPage } from '../../layout/not-found-page.tsx'
import { useCourseCrumbs } from '../../lib/navigation/course-crumbs.ts'
import { useCourse } from '../../lib/queries/course.ts'
import { refresh } from '../../lib/api/query-client.ts'
import { mayInInstallation, useSession } from '../../lib/session/session.ts'
import { paths } from '../../paths.ts'
import { CourseSettingsForm } from './course-settings-form.tsx'
import { WebhookSection } from './webhook-section.tsx'

/** `/course/{name}/settings`: renames the course, hands it over, changes its time zone, or deletes it. */
export function CourseSettingsPage() {
  const { t } = useTranslation()
  const { course } = useCourse()
  const crumbs = useCourseCrumbs()
  const navigate = useNavigate()
  const { user } = useSession()
  if (course === PUBLIC_COURSE) return <NotFoundPage />

  async function remove() {
    await call('DELETE /course', { body: { course }, ifMatch: null })
    await navigate(paths.courses(), { replace: true })
    await refresh(['courses'])
  }

  return (
    <Page title={t('nav.courseSettings')} crumbs={crumbs}>
      <Stack gap={24} maw={640}>
        <CourseSettingsForm />
        {mayInInstallation(user, 'course.create') ? (
          <Section title={t('courseCopy.title')} help={t('courseCopy.help', { name: course })}>
            <LinkButton
              to={paths.copyCourse(course)}
              Icon={IconCopyPlus}
              label={t('courseCopy.bring')}
            />
          </Section>
        ) : null}
        <WebhookSection course={course} />
        <CourseDownload course={course} />
        <Section
          title={t('courseSettings.delete')}
          help={t('courseSettings.deleteText', { name: course })}
        >
          <ConfirmDelete
            name={course}
            label={t('courseSettings.delete')}
            text={t('courseSettings.deleteText', { name: course })}
            isUndoable
            onDelete={remove}
          />
        </Section>
      </Stack>
    </Page>
  )
}

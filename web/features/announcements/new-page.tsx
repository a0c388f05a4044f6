import { useTranslation } from 'react-i18next'
import { announcementCreated } from '#contract/announcements'
import { call } from '../../lib/api/call.ts'
import { Page } from '../../components/page/page.tsx'
import { useCourseCrumbs } from '../../lib/navigation/course-crumbs.ts'
import { useCourse } from '../../lib/queries/course.ts'
import { useNavigateFromHere } from '../../lib/navigation/navigate-from-here.ts'
import { refresh } from '../../lib/api/query-client.ts'
import { paths } from '../../paths.ts'
import { AnnouncementForm, type AnnouncementValues } from './announcement-form.tsx'

/** `/course/{name}/announcements/new`. */
export function NewAnnouncementPage() {
  const { t } = useTranslation()
  const { course } = useCourse()
  const crumbs = useCourseCrumbs('announcements')
  const navigate = useNavigateFromHere()

  async function create(values: AnnouncementValues) {
    const { annId } = await call('POST /ann', {
      body: { ...values, courseName: course },
      as: announcementCreated,
    })
    await refresh(['announcements'])
    await navigate(paths.announcement(course, annId))
  }

  return (
    <Page title={t('announcements.new')} crumbs={crumbs}>
      <AnnouncementForm
        initial={{ title: '', pinned: false, markdown: '' }}
        cancelTo={paths.announcements(course)}
        onSave={create}
      />
    </Page>
  )
}

import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import { call } from '../../lib/api/call.ts'
import { Page } from '../../components/page/page.tsx'
import { LoadedPage } from '../../layout/loaded-page.tsx'
import { announcementPath, announcementQuery } from '../../lib/queries/announcements.ts'
import { useCourseCrumbs } from '../../lib/navigation/course-crumbs.ts'
import { useCourse } from '../../lib/queries/course.ts'
import { useOpenedEtag } from '../../lib/api/opened-etag.ts'
import { useNavigateFromHere } from '../../lib/navigation/navigate-from-here.ts'
import { refresh } from '../../lib/api/query-client.ts'
import { paths } from '../../paths.ts'
import { AnnouncementForm, type AnnouncementValues } from './announcement-form.tsx'

/** `/course/{name}/announcements/{id}/edit`. */
export function EditAnnouncementPage() {
  const { t } = useTranslation()
  const { annId = '' } = useParams()
  const { course } = useCourse()
  const crumbs = useCourseCrumbs('announcements')
  const navigate = useNavigateFromHere()
  const announcement = useQuery(announcementQuery(course, annId))
  const etag = useOpenedEtag(announcement, announcementPath(course, annId))

  async function save(values: AnnouncementValues, overwrite: boolean) {
    await call('PUT /ann', { body: { annId, ...values }, ifMatch: overwrite ? null : etag })
    await refresh(['announcements'])
    await navigate(paths.announcement(course, annId))
  }

  return (
    <LoadedPage query={announcement} title={t('announcements.edit')} crumbs={crumbs}>
      {({ title, pinned, markdown }) => (
        <Page title={t('announcements.edit')} crumbs={crumbs}>
          <AnnouncementForm
            initial={{ title, pinned, markdown }}
            cancelTo={paths.announcement(course, annId)}
            onSave={save}
          />
        </Page>
      )}
    </LoadedPage>
  )
}

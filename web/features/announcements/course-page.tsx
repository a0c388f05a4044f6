import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import { ErrorBox } from '../../components/error-box.tsx'
import { PageSkeleton } from '../../components/page-skeleton.tsx'
import { Page } from '../../components/page.tsx'
import { NotFoundPage } from '../../layout/not-found-page.tsx'
import { isNotFound } from '../../lib/api-error.ts'
import { etagOf } from '../../lib/api.ts'
import { useCourseCrumbs } from '../../lib/course-crumbs.ts'
import { useCourse } from '../../lib/course.ts'
import { paths } from '../../paths.ts'
import { AnnouncementActions } from './announcement-actions.tsx'
import { AnnouncementView } from './announcement-view.tsx'
import { announcementPath, announcementQuery } from './api.ts'

/** `/course/{name}/announcements/{id}`. */
export function CourseAnnouncementPage() {
  const { t } = useTranslation()
  const { annId = '' } = useParams()
  const { course, may } = useCourse()
  const crumbs = useCourseCrumbs('announcements')
  const announcement = useQuery(announcementQuery(course, annId))
  if (isNotFound(announcement.error)) return <NotFoundPage />
  if (announcement.isPending) return <PageSkeleton />
  if (announcement.isError)
    return (
      <Page title={t('nav.announcements')} crumbs={crumbs}>
        <ErrorBox error={announcement.error} onRetry={() => void announcement.refetch()} />
      </Page>
    )

  return (
    <Page
      title={announcement.data.title}
      crumbs={crumbs}
      actions={
        may('announcement.write') ? (
          <AnnouncementActions
            announcement={announcement.data}
            course={course}
            etag={etagOf(announcementPath(course, annId))}
            listAt={paths.announcements(course)}
          />
        ) : null
      }
    >
      <AnnouncementView announcement={announcement.data} />
    </Page>
  )
}

import { Button } from '@mantine/core'
import { IconPencil } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate, useParams } from 'react-router'
import { ConfirmDelete } from '../../components/confirm-delete.tsx'
import { ErrorBox } from '../../components/error-box.tsx'
import { PageSkeleton } from '../../components/page-skeleton.tsx'
import { Page } from '../../components/page.tsx'
import { NotFoundPage } from '../../layout/not-found-page.tsx'
import { isNotFound } from '../../lib/api-error.ts'
import { useCourseCrumbs } from '../../lib/course-crumbs.ts'
import { useCourse } from '../../lib/course.ts'
import { paths } from '../../paths.ts'
import { AnnouncementView } from './announcement-view.tsx'
import { announcementQuery, deleteAnnouncement } from './api.ts'

/** `/course/{name}/announcements/{id}`. */
export function CourseAnnouncementPage() {
  const { t } = useTranslation()
  const { annId = '' } = useParams()
  const { course, may } = useCourse()
  const crumbs = useCourseCrumbs('announcements')
  const navigate = useNavigate()
  const client = useQueryClient()
  const announcement = useQuery(announcementQuery(course, annId))
  if (isNotFound(announcement.error)) return <NotFoundPage />
  if (announcement.isPending) return <PageSkeleton />
  if (announcement.isError)
    return (
      <Page title={t('nav.announcements')} crumbs={crumbs}>
        <ErrorBox error={announcement.error} onRetry={() => void announcement.refetch()} />
      </Page>
    )

  async function remove() {
    await deleteAnnouncement(annId)
    // Not refetched: this page's own announcement is gone. The lists are read anew when they are opened.
    for (const list of [course, 'system'])
      client.removeQueries({ queryKey: ['announcements', list], exact: true })
    await navigate(paths.announcements(course))
  }

  return (
    <Page
      title={announcement.data.title}
      crumbs={crumbs}
      actions={
        may('announcement.write') ? (
          <>
            <Button
              component={Link}
              to={paths.editAnnouncement(course, annId)}
              variant="default"
              leftSection={<IconPencil size={16} aria-hidden="true" />}
            >
              {t('common.edit')}
            </Button>
            <ConfirmDelete name={announcement.data.title} onDelete={remove} />
          </>
        ) : null
      }
    >
      <AnnouncementView announcement={announcement.data} />
    </Page>
  )
}

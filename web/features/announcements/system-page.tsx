import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import { PUBLIC_COURSE } from '#contract/fields'
import { ROLES } from '#contract/roles'
import { ErrorBox } from '../../components/error-box.tsx'
import { PageSkeleton } from '../../components/page-skeleton.tsx'
import { Page } from '../../components/page.tsx'
import { isNotFound } from '../../lib/api-error.ts'
import { etagOf } from '../../lib/api.ts'
import { roleOf, useSession } from '../../lib/session.ts'
import { paths } from '../../paths.ts'
import { NotFoundPage } from '../../layout/not-found-page.tsx'
import { AnnouncementActions } from './announcement-actions.tsx'
import { AnnouncementView } from './announcement-view.tsx'
import { systemAnnouncementPath, systemAnnouncementQuery } from './api.ts'

/** `/announcements/{id}`: one system announcement, open to everyone. */
export function SystemAnnouncementPage() {
  const { t } = useTranslation()
  const { annId = '' } = useParams()
  const { user } = useSession()
  const announcement = useQuery(systemAnnouncementQuery(annId))
  if (isNotFound(announcement.error)) return <NotFoundPage />
  if (announcement.isPending) return <PageSkeleton />
  const crumbs = [{ label: t('nav.home'), to: paths.home() }]
  if (announcement.isError)
    return (
      <Page title={t('home.announcements')} crumbs={crumbs}>
        <ErrorBox error={announcement.error} onRetry={() => void announcement.refetch()} />
      </Page>
    )
  return (
    <Page
      title={announcement.data.title}
      crumbs={crumbs}
      actions={
        roleOf(user) === ROLES.admin ? (
          <AnnouncementActions
            announcement={announcement.data}
            course={PUBLIC_COURSE}
            etag={etagOf(systemAnnouncementPath(annId))}
            listAt={paths.home()}
          />
        ) : null
      }
    >
      <AnnouncementView announcement={announcement.data} />
    </Page>
  )
}

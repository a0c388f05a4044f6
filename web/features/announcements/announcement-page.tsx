import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import { PUBLIC_COURSE } from '#contract/fields'
import { Page, type Crumb } from '../../components/page/page.tsx'
import { useMarkdownSoon } from '../../components/markdown/markdown.tsx'
import { LoadedPage } from '../../layout/loaded-page.tsx'
import { announcementPath, announcementQuery } from '../../lib/queries/announcements.ts'
import { etagOf } from '../../lib/api/api.ts'
import { useCourseCrumbs } from '../../lib/navigation/course-crumbs.ts'
import { useCourse } from '../../lib/queries/course.ts'
import { mayInInstallation, useSession } from '../../lib/session/session.ts'
import { paths } from '../../paths.ts'
import { AnnouncementActions } from './announcement-actions.tsx'
import { AnnouncementView } from './announcement-view.tsx'

interface AnyAnnouncementProps {
  /** null: a system announcement. */
  course: string | null
  /** The list that the announcement belongs to. */
  list: { title: string; crumbs: Crumb[]; path: string }
  mayWrite: boolean
}

function AnyAnnouncement({ course, list, mayWrite }: AnyAnnouncementProps) {
  const { annId = '' } = useParams()
  const query = useQuery(announcementQuery(course, annId))
  return (
    <LoadedPage query={query} title={list.title} crumbs={list.crumbs}>
      {(announcement) => (
        <Page
          title={announcement.title}
          crumbs={list.crumbs}
          actions={
            mayWrite ? (
              <AnnouncementActions
                announcement={announcement}
                course={course ?? PUBLIC_COURSE}
                etag={etagOf(announcementPath(course, annId))}
                listAt={list.path}
              />
            ) : null
          }
        >
          <AnnouncementView announcement={announcement} />
        </Page>
      )}
    </LoadedPage>
  )
}

function CourseAnnouncement() {
  const { t } = useTranslation()
  const { course, may } = useCourse()
  const crumbs = useCourseCrumbs('announcements')
  return (
    <AnyAnnouncement
      course={course}
      list={{ title: t('nav.announcements'), crumbs, path: paths.announcements(course) }}
      mayWrite={may('announcement.write')}
    />
  )
}

/** A system announcement, which is open to everyone. */
function SystemAnnouncement() {
  const { t } = useTranslation()
  const { user } = useSession()
  const crumbs = [{ label: t('nav.home'), to: paths.home() }]
  return (
    <AnyAnnouncement
      course={null}
      list={{ title: t('home.announcements'), crumbs, path: paths.home() }}
      mayWrite={mayInInstallation(user, 'announcement.write')}
    />
  )
}

/** `/course/{name}/announcements/{id}`, or `/announcements/{id}`: a system announcement. */
export function AnnouncementPage() {
  useMarkdownSoon()
  const { name } = useParams()
  return name === undefined ? <SystemAnnouncement /> : <CourseAnnouncement />
}

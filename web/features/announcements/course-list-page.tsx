import { Anchor, Button } from '@mantine/core'
import { IconPin, IconPlus, IconSpeakerphone } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { EmptyState } from '../../components/empty-state.tsx'
import { ListError } from '../../components/list-error.tsx'
import { LoadMore } from '../../components/load-more.tsx'
import { Page } from '../../components/page.tsx'
import { RowsSkeleton } from '../../components/rows-skeleton.tsx'
import { TimeText } from '../../components/time-text.tsx'
import { courseAnnouncementsQuery } from '../../lib/announcements.ts'
import { useCourseCrumbs } from '../../lib/course-crumbs.ts'
import { useCourse } from '../../lib/course.ts'
import { paths } from '../../paths.ts'
import classes from './course-list-page.module.css'

/** `/course/{name}/announcements`: pinned first, then newest. */
export function CourseListPage() {
  const { t } = useTranslation()
  const { course, may } = useCourse()
  const crumbs = useCourseCrumbs()
  const list = useInfiniteQuery(courseAnnouncementsQuery(course))
  const announcements = list.data?.pages.flat() ?? []
  const newButton = may('announcement.write') ? (
    <Button
      component={Link}
      to={paths.newAnnouncement(course)}
      leftSection={<IconPlus size={16} aria-hidden="true" />}
    >
      {t('announcements.new')}
    </Button>
  ) : null
  return (
    <Page title={t('nav.announcements')} crumbs={crumbs} actions={newButton}>
      {list.isPending ? <RowsSkeleton rows={4} height={64} /> : null}
      <ListError list={list} />
      {list.data && announcements.length === 0 ? (
        <EmptyState Icon={IconSpeakerphone} text={t('announcements.none')} action={newButton} />
      ) : null}
      <LoadMore list={list} count={announcements.length}>
        {announcements.length > 0 ? (
          <ul className={`app-card ${classes.list}`}>
            {announcements.map((item) => (
              <li key={item.annId} className={classes.item}>
                <Anchor
                  component={Link}
                  to={paths.announcement(course, item.annId)}
                  className={classes.title}
                >
                  {item.pinned ? (
                    <IconPin
                      size={16}
                      className={classes.pin}
                      aria-label={t('announcements.pinned')}
                    />
                  ) : null}
                  {item.title}
                </Anchor>
                <span className={classes.meta}>
                  {item.creator.displayedName || item.creator.username} ·{' '}
                  <TimeText at={item.createTime} />
                </span>
              </li>
            ))}
          </ul>
        ) : null}
      </LoadMore>
    </Page>
  )
}

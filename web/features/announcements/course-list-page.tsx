import { Anchor, Text } from '@mantine/core'
import { IconPin, IconPlus, IconSpeakerphone } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { LinkButton } from '../../components/page/link-button.tsx'
import { EmptyState } from '../../components/feedback/empty-state.tsx'
import { Page } from '../../components/page/page.tsx'
import { PagedList } from '../../components/lists/paged-list.tsx'
import { Person } from '../../components/display/person.tsx'
import { TimeText } from '../../components/display/time-text.tsx'
import { courseAnnouncementsQuery } from '../../lib/queries/announcements.ts'
import { useCourseCrumbs } from '../../lib/navigation/course-crumbs.ts'
import { useCourse } from '../../lib/queries/course.ts'
import { paths } from '../../paths.ts'
import { CopiedNotice } from './copied-notice.tsx'
import { CourseChecklist } from './course-checklist.tsx'
import classes from './course-list-page.module.css'

/** `/course/{name}/announcements`: pinned first, then newest. */
export function CourseListPage() {
  const { t } = useTranslation()
  const { course, may, lacks = [] } = useCourse()
  const crumbs = useCourseCrumbs()
  const list = useInfiniteQuery(courseAnnouncementsQuery(course))
  const announcements = list.data?.pages.flat() ?? []
  const newButton = may('announcement.write') ? (
    <LinkButton
      to={paths.newAnnouncement(course)}
      Icon={IconPlus}
      label={t('announcements.new')}
      variant="filled"
    />
  ) : null
  return (
    <Page title={t('nav.announcements')} crumbs={crumbs} actions={newButton}>
      {may('homework.write') ? <CopiedNotice /> : null}
      {may('homework.write') && lacks.length > 0 ? <CourseChecklist key={course} /> : null}
      <PagedList
        list={list}
        count={announcements.length}
        skeleton={{ rows: 4, height: 64 }}
        empty={
          <EmptyState Icon={IconSpeakerphone} text={t('announcements.none')} action={newButton} />
        }
      >
        <ul className={`app-card app-list ${classes.list}`}>
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
              <Text span fz="0.8438rem" c="dimmed">
                <Person user={item.creator} /> · <TimeText at={item.createTime} />
              </Text>
            </li>
          ))}
        </ul>
      </PagedList>
    </Page>
  )
}

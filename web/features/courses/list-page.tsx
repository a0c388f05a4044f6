import { Badge, Box, Group } from '@mantine/core'
import { IconBooks, IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { LinkButton } from '../../components/page/link-button.tsx'
import { EmptyState } from '../../components/feedback/empty-state.tsx'
import { ErrorBox } from '../../components/feedback/error-box.tsx'
import { Page } from '../../components/page/page.tsx'
import { RowsSkeleton } from '../../components/feedback/rows-skeleton.tsx'
import { coursesQuery, useOwnRoleText } from '../../lib/queries/courses.ts'
import { mayInInstallation, useSession } from '../../lib/session/session.ts'
import { paths } from '../../paths.ts'
import { DeletedCourses } from './deleted-courses.tsx'
import classes from './list-page.module.css'

/** `/courses`: the user's courses; for admins all. */
export function CoursesPage() {
  const { t } = useTranslation()
  const { user } = useSession()
  const ownRole = useOwnRoleText()
  const courses = useQuery(coursesQuery)
  const newButton = mayInInstallation(user, 'course.create') ? (
    <LinkButton to={paths.newCourse()} Icon={IconPlus} label={t('courses.new')} variant="filled" />
  ) : null
  return (
    <Page title={t('nav.courses')} actions={newButton}>
      {courses.isPending ? <RowsSkeleton rows={4} height={72} /> : null}
      <ErrorBox of={courses} />
      {courses.data?.length === 0 ? (
        <EmptyState Icon={IconBooks} text={t('courses.none')} action={newButton} />
      ) : null}
      {courses.data && courses.data.length > 0 ? (
        <ul className={`app-list ${classes.grid}`}>
          {courses.data.map((item) => (
            <li key={item.course}>
              <Link to={paths.course(item.course)} className={`app-card ${classes.card}`}>
                <span className={classes.name}>{item.course}</span>
                <Group
                  component="span"
                  justify="space-between"
                  gap={10}
                  wrap="nowrap"
                  fz="sm"
                  c="dimmed"
                >
                  {item.teacher.displayedName || item.teacher.username}
                  <Badge variant="light" size="sm" flex="none" tt="none">
                    {ownRole(item)}
                  </Badge>
                </Group>
              </Link>
            </li>
          ))}
        </ul>
      ) : null}
      {newButton === null ? null : (
        <Box mt={32}>
          <DeletedCourses />
        </Box>
      )}
    </Page>
  )
}

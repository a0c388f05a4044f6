import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { coursesQuery, useOwnRoleText } from '../../lib/courses.ts'
import { paths } from '../../paths.ts'
import classes from './home-page.module.css'

/** The number of courses that fit beside the announcements. */
const SHOWN = 6

/** Links from home to the user's courses. */
export function MyCourses() {
  const { t } = useTranslation()
  const ownRole = useOwnRoleText()
  const courses = useQuery(coursesQuery)
  if (!courses.data) return null
  return (
    <section className={`app-card ${classes.panel}`} aria-labelledby="my-courses-title">
      <h2 id="my-courses-title" className={classes.panelTitle}>
        {t('home.myCourses')}
      </h2>
      {courses.data.length === 0 ? (
        <Text size="sm" c="dimmed">
          {t('courses.none')}
        </Text>
      ) : null}
      {courses.data.slice(0, SHOWN).map((item) => (
        <Link key={item.course} to={paths.course(item.course)} className={classes.courseLink}>
          {item.course}
          <small>{ownRole(item)}</small>
        </Link>
      ))}
      {courses.data.length > SHOWN ? (
        <Link to={paths.courses()} className={classes.courseLink}>
          {t('home.allCourses')}
        </Link>
      ) : null}
    </section>
  )
}

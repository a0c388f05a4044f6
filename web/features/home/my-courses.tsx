import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { CountBadge } from '../../components/display/count-badge.tsx'
import { Section } from '../../components/page/section.tsx'
import { coursesQuery, useOwnRoleText } from '../../lib/queries/courses.ts'
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
    <Section title={t('home.myCourses')} isQuiet>
      {courses.data.length === 0 ? (
        <Text size="sm" c="dimmed">
          {t('courses.none')}
        </Text>
      ) : null}
      {courses.data.slice(0, SHOWN).map((item) => (
        <div key={item.course} className={classes.course}>
          <Link to={paths.course(item.course)} className={classes.courseLink}>
            {item.course}
            <small>{ownRole(item)}</small>
          </Link>
          {item.waitingQuestions > 0 ? (
            <Link
              to={paths.questions(item.course)}
              aria-label={`${t('nav.questions')}: ${t('nav.waiting', { count: item.waitingQuestions })}`}
              title={t('nav.questions')}
            >
              <CountBadge count={item.waitingQuestions} />
            </Link>
          ) : null}
        </div>
      ))}
      {courses.data.length > SHOWN ? (
        <Link to={paths.courses()} className={classes.courseLink}>
          {t('home.allCourses')}
        </Link>
      ) : null}
    </Section>
  )
}

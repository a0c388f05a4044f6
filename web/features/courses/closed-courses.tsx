import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ErrorBox } from '../../components/feedback/error-box.tsx'
import { RowsSkeleton } from '../../components/feedback/rows-skeleton.tsx'
import { closedCoursesQuery } from './api.ts'
import { CourseCards } from './course-cards.tsx'
import classes from './list-page.module.css'

function ClosedList() {
  const { t } = useTranslation()
  const courses = useQuery(closedCoursesQuery)
  return (
    <>
      {courses.isPending ? <RowsSkeleton rows={1} height={72} /> : null}
      <ErrorBox of={courses} />
      {courses.data?.length === 0 ? <Text c="dimmed">{t('courseCopy.noneClosed')}</Text> : null}
      {courses.data ? <CourseCards courses={courses.data} /> : null}
    </>
  )
}

/** The user's closed courses, which are read when the section is opened. */
export function ClosedCourses() {
  const { t } = useTranslation()
  const [wasOpened, setWasOpened] = useState(false)
  return (
    <details className={classes.closed} onToggle={() => setWasOpened(true)}>
      <summary>{t('courseCopy.closedCourses')}</summary>
      {wasOpened ? <ClosedList /> : null}
    </details>
  )
}

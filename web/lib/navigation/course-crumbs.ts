import { useTranslation } from 'react-i18next'
import { paths } from '../../paths.ts'
import { useCourse } from '../queries/course.ts'

/** The breadcrumbs to the course and, for pages below one of its lists, to that list. */
export function useCourseCrumbs(
  list?: 'announcements' | 'gradebook' | 'homeworks' | 'problems' | 'questions' | 'submissions',
) {
  const { t } = useTranslation()
  const { course } = useCourse()
  return [
    { label: t('nav.courses'), to: paths.courses() },
    { label: course, to: paths.course(course) },
    ...(list === undefined ? [] : [{ label: t(`nav.${list}`), to: paths[list](course) }]),
  ]
}

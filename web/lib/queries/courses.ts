/** The caller's courses, which home and the course list read. */
import { useTranslation } from 'react-i18next'
import * as z from 'zod'
import { courseItem, type CourseItem } from '#contract/courses'
import { apiQuery } from '../api/api-query.ts'
import { mayInInstallation, useSession } from '../session/session.ts'

/** GET /course. */
export const coursesQuery = apiQuery(['courses'], 'GET /course', { as: z.array(courseItem) })

/** The user's role in a course, in words. */
export function useOwnRoleText(): (item: CourseItem) => string {
  const { t } = useTranslation()
  const { user } = useSession()
  return function ownRoleText({ role, teacher }) {
    const isAdminThere =
      mayInInstallation(user, 'course.readAll') && teacher.username !== user?.username
    return isAdminThere ? t('role.0') : t(`courseRole.${role}`)
  }
}

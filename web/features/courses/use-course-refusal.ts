import type { UseFormReturnType } from '@mantine/form'
import { useTranslation } from 'react-i18next'
import { ApiError } from '../../lib/api/api-error.ts'
import { useErrorText } from '../../lib/api/error-text.ts'

/** If a course is refused, shows the error at the field that it is about. @param nameField the form's field for the name */
export function useCourseRefusal<Values extends { teacher: string }>(
  form: UseFormReturnType<Values>,
  nameField: keyof Values & string,
): (error: unknown) => void {
  const { t } = useTranslation()
  const errorText = useErrorText()
  return function showRefusal(error) {
    if (!(error instanceof ApiError)) return
    if (error.code === 'course_exists') form.setFieldError(nameField, t('courses.exists'))
    if (error.code === 'user_not_found') form.setFieldError('teacher', t('courses.noTeacher'))
    if (error.code === 'teacher_is_student' || error.code === 'email_unconfirmed')
      form.setFieldError('teacher', errorText(error))
  }
}

import type { UseFormReturnType } from '@mantine/form'
import { useTranslation } from 'react-i18next'
import { ApiError } from '../../lib/api/api-error.ts'
import { useErrorText } from '../../lib/api/error-text.ts'

/** Shows a refused course's error at its field. @param nameField the form's field of the name */
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

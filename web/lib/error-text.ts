/** What a failed call says to the reader. */
import { useTranslation } from 'react-i18next'
import english from '../i18n/english.json'
import { ApiError, LOCAL_ERROR_CODES } from './api-error.ts'

/** Whether the catalogues say it; what only programs meet is shown as the API wrote it. */
function isExplained(code: string): code is keyof typeof english.error {
  return code in english.error
}

/** A function from an error to a sentence in the reader's language. */
export function useErrorText(): (error: unknown) => string {
  const { t } = useTranslation()
  return function errorText(error) {
    if (!(error instanceof ApiError)) return error instanceof Error ? error.message : String(error)
    if (error.code === LOCAL_ERROR_CODES.network) return t('common.unreachable')
    if (error.code === LOCAL_ERROR_CODES.badAnswer)
      return t('common.badAnswer', { status: error.status })
    const text = isExplained(error.code) ? t(`error.${error.code}`) : error.message
    const seconds = error.retryAfterSeconds
    if (seconds === null) return text
    if (seconds <= 120) return `${text} ${t('common.retryAfter', { count: seconds })}`
    return seconds <= 7_200
      ? `${text} ${t('common.retryMinutes', { count: Math.ceil(seconds / 60) })}`
      : `${text} ${t('common.retryHours', { count: Math.ceil(seconds / 3600) })}`
  }
}

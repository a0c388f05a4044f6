/** What a failed call says to the reader. */
import { useTranslation } from 'react-i18next'
import { ApiError, LOCAL_ERROR_CODES } from './api-error.ts'

/** A function from an error to a sentence in the reader's language. */
export function useErrorText(): (error: unknown) => string {
  const { t } = useTranslation()
  return function errorText(error) {
    if (!(error instanceof ApiError)) return error instanceof Error ? error.message : String(error)
    if (error.code === LOCAL_ERROR_CODES.network) return t('common.unreachable')
    if (error.code === LOCAL_ERROR_CODES.badAnswer)
      return t('common.badAnswer', { status: error.status })
    return error.retryAfterSeconds === null
      ? error.message
      : `${error.message} ${t('common.retryAfter', { count: error.retryAfterSeconds })}`
  }
}

/** Texts that tell the reader why a call failed. */
import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import * as z from 'zod'
import type { ErrorCode } from '#contract/errors'
import english from '../../i18n/english.json'
import { ApiError, LOCAL_ERROR_CODES } from './api-error.ts'

/** The missing settings that a refusal may name. */
export const SETTABLE = Object.keys(english.fix) as (keyof typeof english.fix)[]

/** Says what to set if the installation lacks settings. */
function fixesOf(t: TFunction, { code, data }: ApiError): string[] {
  if (code !== ('not_configured' satisfies ErrorCode)) return []
  const faults = z.array(z.object({ name: z.enum(SETTABLE) })).safeParse(data)
  return faults.success ? faults.data.map(({ name }) => t(`fix.${name}`)) : []
}

const reported = new WeakSet<ApiError>()

/** Whether the page already shows this error. */
export function isReported(error: ApiError): boolean {
  return reported.has(error)
}

/**
 * Why a call failed, and when to retry if the API has said so. The caller must show the text. A fault of the app gets a
 * general text, because its message names files of the build; the console shows the message.
 */
export function errorText(t: TFunction, error: unknown): string {
  if (!(error instanceof ApiError)) return t('common.fault')
  reported.add(error)
  if (error.code === LOCAL_ERROR_CODES.network) return t('common.unreachable')
  if (error.code === LOCAL_ERROR_CODES.badAnswer)
    return t('common.badAnswer', { status: error.status })
  if (error.code === LOCAL_ERROR_CODES.cpuLimit) return t('common.cpuLimit')
  // Errors that the home page never shows stand in the catalogues of the other pages.
  const said = t(`error.${error.code}`, { defaultValue: error.message })
  // Chinese has no blank between sentences.
  const safe = error.status >= 500 ? [t('common.safe')] : []
  const what = [said, ...fixesOf(t, error), ...safe].join(' ').replaceAll('。 ', '。')
  const seconds = error.retryAfterSeconds
  if (seconds === null) return what
  if (seconds <= 120) return t('common.retryAfter', { what, count: seconds })
  return seconds <= 7_200
    ? t('common.retryMinutes', { what, count: Math.ceil(seconds / 60) })
    : t('common.retryHours', { what, count: Math.ceil(seconds / 3600) })
}

/** Returns a function that turns an error into a sentence in the reader's language. */
export function useErrorText(): (error: unknown) => string {
  const { t } = useTranslation()
  return (error) => errorText(t, error)
}

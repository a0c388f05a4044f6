import { createInstance } from 'i18next'
import { expect, it } from 'vitest'
import { ERRORS } from '#contract/errors'
import { settingFaults } from '#contract/installation/settings'
import { chinese, english, taiwanese } from './fixtures/catalogues.ts'
import { ApiError, LOCAL_ERROR_CODES } from '../../web/lib/api/api-error.ts'
import { errorText, isReported } from '../../web/lib/api/error-text.ts'
import { FALLBACK_TAGS, LOCALE_NAMES, LOCALES } from '../../web/lib/format/locale.ts'

const LIMITED = Object.entries(ERRORS).filter(([, [status]]) => status === 429)

async function textIn(language: (typeof LOCALE_NAMES)[number], error: Error): Promise<string> {
  const i18n = createInstance()
  await i18n.init({
    lng: LOCALES[language].tag,
    fallbackLng: FALLBACK_TAGS,
    load: 'currentOnly',
    interpolation: { escapeValue: false, prefix: '{', suffix: '}' },
    resources: {
      [LOCALES.english.tag]: { translation: english },
      [LOCALES.chinese.tag]: { translation: chinese },
      [LOCALES.taiwanese.tag]: { translation: taiwanese },
    },
  })
  return errorText(i18n.t, error)
}

function limited(code: string, message: string, seconds: number): ApiError {
  return new ApiError({ status: 429, code, message, retryAfterSeconds: seconds })
}

it.each(LOCALE_NAMES)('a limit says once, and in %s, when to try again', async (language) => {
  for (const [code, [, message]] of LIMITED)
    for (const seconds of [1, 5, 600, 80_000]) {
      const text = await textIn(language, limited(code, message, seconds))
      expect(text.match(/try again|再試|閣試/gi), text).toHaveLength(1)
      expect(/\p{Script=Han}/u.test(text), text).toBe(language !== 'english')
      expect(text).not.toMatch(/[{}]|。 /)
    }
})

it.each([
  [1, 'Too many requests in a short time. Try again in 1 second.'],
  [90, 'Too many requests in a short time. Try again in 90 seconds.'],
  [121, 'Too many requests in a short time. Try again in 3 minutes.'],
  [7_201, 'Too many requests in a short time. Try again in 3 hours.'],
])('%i seconds are told in a unit one can wait in', async (seconds, expected) => {
  expect(await textIn('english', limited('too_many_requests', '', seconds))).toBe(expected)
})

it.each(LOCALE_NAMES)(
  'no failure names files of the build or what a schema says, in %s',
  async (language) => {
    const failures = [
      new TypeError('Failed to fetch dynamically imported module: /assets/edit-page-B1x.js'),
      new ApiError({ status: 200, code: LOCAL_ERROR_CODES.badAnswer, message: 'Invalid input' }),
      new ApiError({ status: 0, code: LOCAL_ERROR_CODES.network, message: 'TypeError: fetch' }),
      new ApiError({ status: 500, code: 'internal', message: 'D1_ERROR' }),
    ]
    for (const error of failures) {
      const text = await textIn(language, error)
      expect(text).not.toMatch(/assets|Invalid input|TypeError|D1_ERROR/)
      expect(text).toMatch(
        { english: /try again/i, chinese: /重試|再試/, taiwanese: /閣試/ }[language],
      )
    }
  },
)

it('a failure counts as told once its text was asked for', () => {
  const error = new ApiError({ status: 500, code: 'internal', message: '' })
  expect(isReported(error)).toBe(false)
  errorText(createInstance().t, error)
  expect(isReported(error)).toBe(true)
})

it.each(LOCALE_NAMES)('what is not set up is named with its fix, in %s', async (language) => {
  const data = settingFaults({}, ['WEB_ORIGIN', 'MAIL_DRIVER'], ['WEB_ORIGIN', 'MAIL_DRIVER'])
  const error = new ApiError({ status: 409, code: 'not_configured', message: '', data })
  const text = await textIn(language, error)
  expect(text).toMatch(/WEB_ORIGIN.+MAIL_DRIVER/)
  expect(/\p{Script=Han}/u.test(text), text).toBe(language !== 'english')
  expect(text).not.toMatch(/[{}]|。 /)
})

/** The words, keys and numbers that people and other clients rely on: none may be missing or changed. */
import { readdirSync, readFileSync } from 'node:fs'
import { createInstance } from 'i18next'
import { renderToStaticMarkup } from 'react-dom/server'
import { I18nextProvider } from 'react-i18next'
import { describe, expect, it, test } from 'vitest'
import { FIELD_MESSAGES } from '#contract/fields'
import { QUOTA_UNLIMITED } from '#contract/limits'
import { STATUS } from '#contract/verdicts'
import { DESKTOP_BREAKPOINT_PX } from '../../web/layout/app-layout.tsx'
import { TOAST_MS } from '../../web/layout/server-toast.tsx'
import { PRODUCT_FIELD_MESSAGES, PRODUCT_MESSAGES } from '../support/product-messages.ts'
import { english } from './fixtures/catalogues.ts'
import { useFieldText } from '../../web/lib/api/field-text.ts'
import { formatTime } from '../../web/lib/format/format.ts'
import { LOCALE_NAMES, LOCALES, toLocaleName } from '../../web/lib/format/locale.ts'
import { STORAGE_KEYS } from '../../web/lib/storage.ts'

function textOf(key: string): unknown {
  return key.split('.').reduce<unknown>((at, part) => Reflect.get(Object(at), part), english)
}

const e2e = new URL('../e2e/', import.meta.url)
const journeys = readdirSync(e2e)
  .filter((name) => name.endsWith('.test.ts'))
  .map((name) => readFileSync(new URL(name, e2e), 'utf8'))
  .join('\n')

describe('messages', () => {
  it.each(Object.entries(PRODUCT_MESSAGES))('%s stands in the catalogue', (key, text) => {
    expect(textOf(key)).toBe(text)
  })

  it.each(Object.entries(PRODUCT_MESSAGES))('%s is provoked in a browser', (key, text) => {
    const [begin = ''] = text.split('{')
    expect(journeys.includes(begin) || journeys.includes(`PRODUCT_MESSAGES['${key}']`), text).toBe(
      true,
    )
  })
})

describe('messages beside fields', () => {
  const entries = Object.entries(PRODUCT_FIELD_MESSAGES)

  it.each(entries)('%s is the contract’s and the catalogue’s', (code, [text]) => {
    expect(Reflect.get(FIELD_MESSAGES, code)).toBe(text)
    expect(textOf(`field.${code}`)).toBe(text)
  })

  it.each(entries)('%s is shown with its blanks filled', async (code, [, params, shown]) => {
    function Shown() {
      return useFieldText()({ path: ['x'], code, message: '', params })
    }
    const i18n = createInstance()
    await i18n.init({
      lng: 'en',
      resources: { en: { translation: english } },
      interpolation: { escapeValue: false, prefix: '{', suffix: '}' },
    })
    const markup = renderToStaticMarkup(
      <I18nextProvider i18n={i18n}>
        <Shown />
      </I18nextProvider>,
    )
    expect(markup).toBe(shown)
  })

  test('sample input and output have labels of their own', () => {
    expect(textOf('problemForm.sampleInput')).toBe('Sample input {number}')
    expect(textOf('problemForm.sampleOutput')).toBe('Sample output {number}')
  })
})

describe('constants', () => {
  test('times, sizes and codes', () => {
    expect({
      TOAST_MS,
      DESKTOP_BREAKPOINT_PX,
      QUOTA_UNLIMITED,
      pending: STATUS.PENDING,
    }).toEqual({
      TOAST_MS: 2_400,
      DESKTOP_BREAKPOINT_PX: 1_024,
      QUOTA_UNLIMITED: -1,
      pending: -1,
    })
    expect(formatTime(1_767_225_599, 'UTC')).toBe('2025-12-31 23:59')
  })

  test('storage keys', () => {
    expect(Object.values(STORAGE_KEYS)).toEqual(
      expect.arrayContaining([
        'mini-sidebar',
        'locale',
        'last-used-lang',
        'admin-tab',
        'color-scheme',
      ]),
    )
    const script = readFileSync(
      new URL('../../web/public/color-scheme.js', import.meta.url),
      'utf8',
    )
    expect(script).toContain(`'${STORAGE_KEYS.colorScheme}'`)
    const main = readFileSync(new URL('../../web/main.tsx', import.meta.url), 'utf8')
    expect(main).toContain('defaultColorScheme="auto"')
  })

  test('locales', () => {
    expect(LOCALE_NAMES).toEqual(['english', 'chinese', 'taiwanese'])
    expect([toLocaleName(null), toLocaleName('klingon')]).toEqual(['english', 'english'])
    expect([LOCALES.chinese.dateTag, LOCALES.taiwanese.dateTag]).toEqual(['zh-TW', 'zh-TW'])
  })
})

/** The product's locales: english is the default and the fallback of the others. */

export type LocaleName = 'english' | 'chinese' | 'taiwanese'

/** A locale. Its key in `LOCALES` is the name that is stored. */
interface Locale {
  /** The tag of i18next. */
  tag: string
  /** The `lang` attribute. */
  htmlLang: string
  /** The tag with which Intl formats dates and relative times. */
  dateTag: string
  /** What stands between two sentences. */
  sentenceGap: string
  ownName: string
  /** Locales tried for a missing text before english. */
  fallback: readonly LocaleName[]
}

export const LOCALES = {
  english: {
    tag: 'en',
    htmlLang: 'en',
    dateTag: 'en',
    sentenceGap: ' ',
    ownName: 'English',
    fallback: [],
  },
  chinese: {
    tag: 'zh-TW',
    htmlLang: 'zh-Hant-TW',
    dateTag: 'zh-TW',
    sentenceGap: '',
    ownName: '中文',
    fallback: [],
  },
  taiwanese: {
    tag: 'nan-TW',
    htmlLang: 'nan-Hant-TW',
    dateTag: 'zh-TW',
    sentenceGap: '',
    ownName: '台語',
    fallback: ['chinese'],
  },
} as const satisfies Record<LocaleName, Locale>

/** All names, in the order of the menu. */
export const LOCALE_NAMES: readonly LocaleName[] = ['english', 'chinese', 'taiwanese']

/** The locale with a stored name; english if unknown. */
export function toLocaleName(stored: string | null): LocaleName {
  return LOCALE_NAMES.find((name) => name === stored) ?? 'english'
}

/** The locale of an i18next tag. */
export function localeOfTag(tag: string | undefined): LocaleName {
  return LOCALE_NAMES.find((name) => LOCALES[name].tag === tag) ?? 'english'
}

/** Fallback tags by tag; every chain ends with english. */
export const FALLBACK_TAGS: Record<string, string[]> = {
  default: [LOCALES.english.tag],
  ...Object.fromEntries(
    LOCALE_NAMES.map((name) => [
      LOCALES[name].tag,
      [...LOCALES[name].fallback.map((other) => LOCALES[other].tag), LOCALES.english.tag],
    ]),
  ),
}

/** The product's locales (spec §9): english is the default and the fallback of the others. */

/** Stored name → the tag i18next and Intl know, the `lang` attribute, the tag for dates, the own name. */
export const LOCALES = {
  english: { tag: 'en', htmlLang: 'en', dateTag: 'en', ownName: 'English' },
  chinese: { tag: 'zh-TW', htmlLang: 'zh-Hant-TW', dateTag: 'zh-TW', ownName: '中文' },
  taiwanese: { tag: 'nan-TW', htmlLang: 'nan-Hant-TW', dateTag: 'zh-TW', ownName: '台語' },
} as const

export type LocaleName = keyof typeof LOCALES

/** All names, in the order of the menu. */
export const LOCALE_NAMES: readonly LocaleName[] = ['english', 'chinese', 'taiwanese']

/** The locale a stored text names; english when it names none. */
export function toLocaleName(stored: string | null): LocaleName {
  return LOCALE_NAMES.find((name) => name === stored) ?? 'english'
}

/** The locale of an i18next tag. */
export function localeOfTag(tag: string | undefined): LocaleName {
  return LOCALE_NAMES.find((name) => LOCALES[name].tag === tag) ?? 'english'
}

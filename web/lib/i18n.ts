/** Texts of the interface. English travels with the app, the others are loaded when chosen. */
import { createInstance } from 'i18next'
import { initReactI18next, useTranslation } from 'react-i18next'
import english from '../i18n/english.json'
import { localeOfTag, LOCALES, toLocaleName, type LocaleName } from './locale.ts'
import { readStored, STORAGE_KEYS, writeStored } from './storage.ts'

declare module 'i18next' {
  interface CustomTypeOptions {
    resources: { translation: typeof english }
    interpolationPrefix: '{'
    interpolationSuffix: '}'
  }
}

const LOADERS = {
  chinese: () => import('../i18n/chinese.json'),
  taiwanese: () => import('../i18n/taiwanese.json'),
} as const

const i18n = createInstance()

async function show(name: LocaleName): Promise<void> {
  const { tag, htmlLang } = LOCALES[name]
  if (name !== 'english' && !i18n.hasResourceBundle(tag, 'translation')) {
    const catalogue = await LOADERS[name]()
    i18n.addResourceBundle(tag, 'translation', catalogue.default)
  }
  await i18n.changeLanguage(tag)
  document.documentElement.lang = htmlLang
}

/** Prepares the texts in the stored locale. */
export async function startI18n(): Promise<void> {
  await i18n.use(initReactI18next).init({
    lng: LOCALES.english.tag,
    fallbackLng: LOCALES.english.tag,
    load: 'currentOnly',
    resources: { [LOCALES.english.tag]: { translation: english } },
    // React escapes; the braces are those of the spec's messages.
    interpolation: { escapeValue: false, prefix: '{', suffix: '}' },
    returnEmptyString: false,
  })
  const stored = toLocaleName(readStored(STORAGE_KEYS.locale))
  // Without the chosen catalogue (offline, say) english is better than nothing.
  await show(stored).catch(() => show('english'))
}

/** Switches the locale and remembers it. */
export async function chooseLocale(name: LocaleName): Promise<void> {
  await show(name)
  writeStored(STORAGE_KEYS.locale, name)
}

/** The locale in use. */
export function useLocale(): LocaleName {
  const { i18n } = useTranslation()
  return localeOfTag(i18n.language)
}

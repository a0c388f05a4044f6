/** Texts of the interface. English travels with the app, the others are loaded when chosen. */
import { createInstance } from 'i18next'
import { initReactI18next, useTranslation } from 'react-i18next'
import english from '../i18n/english.json'
import { FALLBACK_TAGS, localeOfTag, LOCALES, toLocaleName, type LocaleName } from './locale.ts'
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

async function load(name: LocaleName): Promise<void> {
  const { tag } = LOCALES[name]
  if (name === 'english' || i18n.hasResourceBundle(tag, 'translation')) return
  const catalogue = await LOADERS[name]()
  i18n.addResourceBundle(tag, 'translation', catalogue.default)
}

/** The locale requested last; a catalogue that loads late must not override it. */
let wanted: LocaleName = 'english'

async function show(name: LocaleName): Promise<void> {
  wanted = name
  const { tag, htmlLang, fallback } = LOCALES[name]
  await Promise.all([load(name), ...fallback.map(load)])
  if (wanted !== name) return
  await i18n.changeLanguage(tag)
  document.documentElement.lang = htmlLang
}

/** Prepares the texts in the stored locale. */
export async function startI18n(): Promise<void> {
  await i18n.use(initReactI18next).init({
    lng: LOCALES.english.tag,
    fallbackLng: FALLBACK_TAGS,
    load: 'currentOnly',
    resources: { [LOCALES.english.tag]: { translation: english } },
    // React escapes already.
    interpolation: { escapeValue: false, prefix: '{', suffix: '}' },
    returnEmptyString: false,
  })
  const stored = toLocaleName(readStored(STORAGE_KEYS.locale))
  // Without the chosen catalogue (offline, say) english is better than nothing.
  await show(stored).catch(() => show('english'))
}

/** Switches the locale and remembers it. */
export async function chooseLocale(name: LocaleName): Promise<void> {
  writeStored(STORAGE_KEYS.locale, name)
  // Without its catalogue (offline, say) the texts stay as they are; the next start tries again.
  await show(name).catch(() => undefined)
}

/** The locale in use. */
export function useLocale(): LocaleName {
  const { i18n } = useTranslation()
  return localeOfTag(i18n.language)
}

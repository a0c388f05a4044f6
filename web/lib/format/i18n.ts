/**
 * Texts of the interface. The app contains the English texts of its frame and of the home page. The English texts of
 * other pages are loaded with the first such page, and those of pages for staff with the first of these. Other locales
 * are loaded when they are chosen.
 */
import { createInstance } from 'i18next'
import { initReactI18next, useTranslation } from 'react-i18next'
import english from '../../i18n/english.json'
import type englishPages from '../../i18n/pages/english.json'
import type englishStaff from '../../i18n/staff/english.json'
import { FALLBACK_TAGS, localeOfTag, LOCALES, toLocaleName, type LocaleName } from './locale.ts'
import { readStored, STORAGE_KEYS, writeStored } from '../storage.ts'

declare module 'i18next' {
  interface CustomTypeOptions {
    resources: { translation: typeof english & typeof englishPages & typeof englishStaff }
    interpolationPrefix: '{'
    interpolationSuffix: '}'
  }
}

type Catalogue = () => Promise<{ default: object }>

const FRAME: Record<LocaleName, Catalogue> = {
  english: () => Promise.resolve({ default: english }),
  chinese: () => import('../../i18n/chinese.json'),
  taiwanese: () => import('../../i18n/taiwanese.json'),
}

const PAGES: Record<LocaleName, Catalogue> = {
  english: () => import('../../i18n/pages/english.json'),
  chinese: () => import('../../i18n/pages/chinese.json'),
  taiwanese: () => import('../../i18n/pages/taiwanese.json'),
}

const STAFF: Record<LocaleName, Catalogue> = {
  english: () => import('../../i18n/staff/english.json'),
  chinese: () => import('../../i18n/staff/chinese.json'),
  taiwanese: () => import('../../i18n/staff/taiwanese.json'),
}

const i18n = createInstance()

void i18n.use(initReactI18next).init({
  lng: LOCALES.english.tag,
  fallbackLng: FALLBACK_TAGS,
  load: 'currentOnly',
  resources: { [LOCALES.english.tag]: { translation: english } },
  // React already escapes texts.
  interpolation: { escapeValue: false, prefix: '{', suffix: '}' },
  returnEmptyString: false,
})

/** The catalogues that the opened pages needed; they only become more. */
const needed = new Set([FRAME])

/** Loads the texts of a locale and of its fallbacks. */
async function load(name: LocaleName): Promise<void> {
  const names = [name, ...LOCALES[name].fallback]
  await Promise.all(
    [...needed].flatMap((part) =>
      names.map(async (each) => {
        const catalogue = await part[each]()
        i18n.addResourceBundle(LOCALES[each].tag, 'translation', catalogue.default, true)
      }),
    ),
  )
}

/** The locale that was requested last; a catalogue that arrives late must not override it. */
let wanted = toLocaleName(readStored(STORAGE_KEYS.locale))

async function show(name: LocaleName): Promise<void> {
  wanted = name
  await load(name)
  if (wanted !== name) return
  const { tag, htmlLang } = LOCALES[name]
  await i18n.changeLanguage(tag)
  document.documentElement.lang = htmlLang
}

/** Loads the texts in the stored locale. */
export async function startI18n(): Promise<void> {
  // If the chosen catalogue cannot be loaded (offline, say), english is better than nothing.
  await show(wanted).catch(() => show('english'))
}

/** Loads the texts of the pages that students open, too, in the locale in use. */
export async function loadPageTexts(): Promise<void> {
  needed.add(PAGES)
  await load(wanted).catch(() => load('english'))
}

/** Loads the texts of all pages, in the locale in use. */
export async function loadStaffTexts(): Promise<void> {
  needed.add(STAFF)
  await loadPageTexts()
}

/** Switches the locale and remembers it. */
export async function chooseLocale(name: LocaleName): Promise<void> {
  writeStored(STORAGE_KEYS.locale, name)
  // If the catalogue cannot be loaded (offline, say), the texts stay as they are; the next start tries again.
  await show(name).catch(() => undefined)
}

/** The locale in use. */
export function useLocale(): LocaleName {
  const { i18n } = useTranslation()
  return localeOfTag(i18n.language)
}

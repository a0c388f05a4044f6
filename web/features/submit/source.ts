/** Rules about source code before it is sent. */
import { isLanguageAllowed, LANGUAGES, type Language } from '#contract/languages'
import { SOURCE_LIMIT_BYTES } from '#contract/limits'

/** Why a submission is not sent yet. */
export type SubmitRefusal = 'emptyCode' | 'noLanguage' | 'tooLarge'

/** The languages a problem takes. */
export function allowedLanguages(mask: number): Language[] {
  return LANGUAGES.filter(({ code }) => isLanguageAllowed(mask, code))
}

/** The only allowed language, else the last used one where it is allowed, else none. */
export function preselect(mask: number, lastUsed: string | null): Language | null {
  const allowed = allowedLanguages(mask)
  if (allowed.length === 1) return allowed[0] ?? null
  return allowed.find(({ id }) => id === lastUsed) ?? null
}

/** The language a file's name tells; null when it tells none that is allowed. */
export function languageOfFile(name: string, mask: number): Language | null {
  const extension = name.toLowerCase().split('.').pop() ?? ''
  return allowedLanguages(mask).find(({ fileEndings }) => fileEndings.includes(extension)) ?? null
}

/** What stands against sending this; null when nothing does. White space alone is sent and judged. */
export function refusalOf(code: string, language: Language | null): SubmitRefusal | null {
  if (code === '') return 'emptyCode'
  if (language === null) return 'noLanguage'
  return new TextEncoder().encode(code).length > SOURCE_LIMIT_BYTES ? 'tooLarge' : null
}

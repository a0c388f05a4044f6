/** Rules about source code before it is submitted. */
import { isLanguageAllowed, LANGUAGES, type Language } from '#contract/languages'
import { SOURCE_LIMIT_BYTES } from '#contract/limits'

/** Why a submission is not sent yet. */
export type SubmitRefusal = 'emptyCode' | 'noLanguage' | 'tooLarge'

/** The languages a problem allows. */
export function allowedLanguages(mask: number): Language[] {
  return LANGUAGES.filter(({ code }) => isLanguageAllowed(mask, code))
}

/** The only allowed language, else the last used one if it is allowed, else none. */
export function preselect(mask: number, lastUsed: string | null): Language | null {
  const allowed = allowedLanguages(mask)
  if (allowed.length === 1) return allowed[0] ?? null
  return allowed.find(({ id }) => id === lastUsed) ?? null
}

/** The allowed language with this file ending; null if none. */
export function languageOfFile(name: string, mask: number): Language | null {
  const extension = name.toLowerCase().split('.').pop() ?? ''
  return allowedLanguages(mask).find(({ fileEndings }) => fileEndings.includes(extension)) ?? null
}

/** Why this cannot be submitted; null if it can. A program of white space alone is submitted and judged. */
export function refusalOf(code: string, language: Language | null): SubmitRefusal | null {
  if (code === '') return 'emptyCode'
  if (language === null) return 'noLanguage'
  return new TextEncoder().encode(code).length > SOURCE_LIMIT_BYTES ? 'tooLarge' : null
}

/** The programming languages of the product (spec §3): wire codes, masks and names. */
import * as z from 'zod'

/** Ordered by wire code. `mask` is the bit in a problem's `allowedLanguage`. */
export const LANGUAGES = [
  { code: 0, id: 'c', label: 'C', mask: 1, file: 'main.c' },
  { code: 1, id: 'cpp', label: 'C++', mask: 2, file: 'main.cpp' },
  { code: 2, id: 'py3', label: 'Python 3', mask: 4, file: 'main.py' },
] as const

export type Language = (typeof LANGUAGES)[number]

/** A language's wire code. */
export const languageCode = z.literal([0, 1, 2])
export type LanguageCode = z.infer<typeof languageCode>

/** A language's short name, used between Worker and runner. */
export const languageId = z.enum(['c', 'cpp', 'py3'])
export type LanguageId = z.infer<typeof languageId>

/** Every language allowed. */
export const ALL_LANGUAGES_MASK = 7

/** The language of a wire code. */
export function languageOf(code: LanguageCode): Language {
  return LANGUAGES[code]
}

/** Whether a problem's mask lets a language in. */
export function isLanguageAllowed(allowedLanguage: number, code: LanguageCode): boolean {
  return (allowedLanguage & languageOf(code).mask) !== 0
}

/** Codes, names and masks of the languages, in the same order. Pages without programs load these without the languages' data. */
import * as z from 'zod'

const CODES = [0, 1, 2] as const
const IDS = ['c', 'cpp', 'py3'] as const

/** A language's wire code. */
export const languageCode = z.literal(CODES)
export type LanguageCode = z.infer<typeof languageCode>

/** A language's short name, used between Worker and runner. */
export const languageId = z.enum(IDS)
export type LanguageId = z.infer<typeof languageId>

/** The mask of all languages: the bit 2^code of each. */
export const ALL_LANGUAGES_MASK = 2 ** CODES.length - 1

/** Whether the text of a hint names what students may not see of a case. */
import { entryName } from '#contract/problems/test-data'
import { AppError } from '../../http/errors.ts'
import { readCaseText } from '../../lib/case-text.ts'
import { isOpenToSubmitter } from '../submissions/queries.ts'
import type { LookedAt, LookedCase } from './looked-queries.ts'

/** A shorter line alone names nothing: it may be any number or word. */
const LINE_LENGTH = 8

/** A hint is compared with so many cases, because each is read from a zip. */
export const CASES_COMPARED = 8

/** Words with one blank between them. */
function wordsOf(text: string): string {
  return text.split(/\s+/).join(' ').trim()
}

/** A letter, digit or underscore. */
const IN_WORD = /[\p{L}\p{N}_]/u
/** Between two digits these are part of a number. */
const IN_NUMBER = /^\p{N}[.,]\p{N}$/u

/** Whether a text goes on without a break between two places: within a word, or within a number. */
function isWithin(text: string, at: number): boolean {
  const [before, next] = [text.charAt(at - 1), text.charAt(at)]
  return (
    (IN_WORD.test(before) && IN_WORD.test(next)) ||
    IN_NUMBER.test(text.slice(at - 2, at + 1)) ||
    IN_NUMBER.test(text.slice(at - 1, at + 2))
  )
}

/** Whether words stand in a text as whole words. Both are as `wordsOf` makes them. */
function hasWords(text: string, words: string): boolean {
  for (let at = text.indexOf(words); at !== -1; at = text.indexOf(words, at + 1))
    if (!isWithin(text, at) && !isWithin(text, at + words.length)) return true
  return false
}

/** Whether a hint names a secret text: all of it, or a line of it that is not short. */
export function namesSecret(markdown: string, secret: string): boolean {
  const text = wordsOf(markdown)
  const lines = secret.split('\n').map((line) => wordsOf(line))
  const named = [wordsOf(secret), ...lines.filter((line) => line.length >= LINE_LENGTH)]
  return named.some((words) => words !== '' && hasWords(text, words))
}

/** What a hint names of a hidden case; null if nothing. */
async function namedOf(
  bucket: R2Bucket,
  markdown: string,
  { failed, zipKey, zipBytes }: LookedCase,
): Promise<'input' | 'output' | null> {
  if (zipKey === null || zipBytes === null) return null
  const zip = { key: zipKey, bytes: zipBytes }
  const texts = await Promise.all(
    (['in', 'out'] as const).map((kind) =>
      readCaseText(bucket, zip, entryName(failed.task, failed.case, kind)),
    ),
  )
  const [input, output] = texts.map((found) => found !== null && namesSecret(markdown, found.text))
  if (input) return 'input'
  return output ? 'output' : null
}

/**
 * Refuses a hint that names the input or the expected output of a hidden case, or may name them because a case is unknown.
 * @throws AppError `hint_names_secret`; `data.what` is `input`, `output` or `unknown`
 */
export async function demandNoSecret(
  bucket: R2Bucket,
  markdown: string,
  { cases, isAllKnown }: LookedAt,
): Promise<void> {
  const hidden = cases.filter((one) => !isOpenToSubmitter(one))
  const compared = hidden.slice(0, CASES_COMPARED)
  const named = await Promise.all(compared.map((one) => namedOf(bucket, markdown, one)))
  const isCompared = isAllKnown && compared.length === hidden.length
  const what = named.find((one) => one !== null) ?? (isCompared ? null : 'unknown')
  if (what !== null) throw new AppError('hint_names_secret', { what })
}

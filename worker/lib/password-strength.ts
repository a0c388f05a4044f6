/**
 * How soon a new password is guessed, as zxcvbn judges it (Wheeler 2016): by words of lists and of the person's own, by
 * keyboard runs, repeats, sequences, dates and usual substitutions. The limits on signing in leave a guesser some
 * thousand guesses a day; the hashes must not fall in an afternoon either.
 */
import { ZxcvbnFactory } from '@zxcvbn-ts/core'
import { adjacencyGraphs } from '@zxcvbn-ts/language-common'
import { PASSWORD_STRENGTH } from '#contract/limits'
import { PRODUCT_NAME } from '#contract/product'
import { COMMON_PASSWORDS } from './common-passwords.ts'

let judge: ZxcvbnFactory | undefined

/** Made on first use: most calls judge no password. What follows the first characters only makes a password stronger. */
function openJudge(): ZxcvbnFactory {
  judge ??= new ZxcvbnFactory({
    dictionary: COMMON_PASSWORDS,
    graphs: adjacencyGraphs,
    maxLength: PASSWORD_STRENGTH.judgedCharacters,
    l33tMaxSubstitutions: PASSWORD_STRENGTH.substitutions,
  })
  return judge
}

const SEPARATORS = /[^\p{L}\p{M}\p{N}]+/gu

/** What a guesser tries first: each text, what stands before its @, the same in one word, and its parts. */
function guessesOf(texts: string[]): string[] {
  const names = texts.flatMap((text) => [text, text.replace(/@.*/, '')])
  const words = names.flatMap((name) => [
    name,
    name.replace(SEPARATORS, ''),
    ...name.split(SEPARATORS),
  ])
  const guesses = words.filter((word) => word.length >= PASSWORD_STRENGTH.ownWordMin)
  return [...new Set(guesses.map((word) => word.toLowerCase()))]
}

/**
 * Whether a password is guessed too soon.
 * @param about what others know of the person: username, e-mail address, displayed name, names of courses
 */
export function isGuessable(password: string, about: string[]): boolean {
  const own = guessesOf([PRODUCT_NAME, ...about])
  return openJudge().check(password, own).guesses < PASSWORD_STRENGTH.guesses
}

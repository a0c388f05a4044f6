/**
 * Password strength by zxcvbn (Wheeler 2016): word lists, the person's own words, keyboard runs, repeats,
 * sequences, dates and usual substitutions. Limits on sign-in leave an online guesser some thousand guesses
 * a day; the hashes must also withstand an afternoon of offline guessing.
 */
import { ZxcvbnFactory } from '@zxcvbn-ts/core'
import { adjacencyGraphs } from '@zxcvbn-ts/language-common'
import { PRODUCT_NAME } from '#contract/product'
import commonPasswords from './common-passwords.json' with { type: 'json' }

/**
 * New passwords. `guesses`: how many guesses of a good guesser a password must withstand (zxcvbn calls fewer than 10⁶ "very
 * guessable"). Only the first `judgedCharacters` count, with at most `substitutions` of digits for letters, so that a check
 * takes 1 ms, at worst 28 ms. `ownWordMin`: shorter parts of names are too common to count.
 */
const PASSWORD_STRENGTH = {
  guesses: 1_000_000,
  judgedCharacters: 24,
  substitutions: 10,
  ownWordMin: 3,
} as const

let judge: ZxcvbnFactory | undefined

/**
 * Opens the judge on first use, because most calls judge no password. Only the first characters are judged, because more only make
 * a password stronger. The words are passwords from published leaks, most common first. `long`: the first 3,000 with at least 8
 * characters, from the frequency list of zxcvbn 4.4.2 (Dan Wheeler and Dropbox, MIT licence). `short`: the first 3,000 with 4 to 7
 * letters and digits, from @zxcvbn-ts/language-common 4.1.3 (MIT licence); longer passwords often contain one.
 */
function openJudge(): ZxcvbnFactory {
  judge ??= new ZxcvbnFactory({
    dictionary: commonPasswords,
    graphs: adjacencyGraphs,
    maxLength: PASSWORD_STRENGTH.judgedCharacters,
    l33tMaxSubstitutions: PASSWORD_STRENGTH.substitutions,
  })
  return judge
}

const SEPARATORS = /[^\p{L}\p{M}\p{N}]+/gu

/** What a guesser tries first: each text, the part before its @, both without separators, and their words. */
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
 * Whether a password is too easy to guess.
 * @param about what others know of the person: username, e-mail address, displayed name, names of courses
 */
export function isGuessable(password: string, about: string[]): boolean {
  const own = guessesOf([PRODUCT_NAME, ...about])
  return openJudge().check(password, own).guesses < PASSWORD_STRENGTH.guesses
}

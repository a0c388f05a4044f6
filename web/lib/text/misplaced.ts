/** Characters that compilers refuse in code, although they look like those of code or like nothing. */
import { getStyleTags } from '@lezer/highlight'
import { codeColours } from './code-colours.ts'
import { UNSEEN, unicodeNumber } from './unseen.ts'

/**
 * Maps characters that word processors and East Asian keyboards write to the characters of code that they stand for.
 * The full-width forms are left out, because Unicode itself maps them.
 */
const MEANT = new Map([
  ...Array.from('“”„', (quote) => [quote, '"'] as const),
  ...Array.from('‘’', (quote) => [quote, "'"] as const),
  ...Array.from('–—−', (dash) => [dash, '-'] as const),
  ['。', '.'],
  ['、', ','],
])

/** Full-width letters are left out, because Python takes them for letters. */
const FULL_WIDTH = '！-＠［-｀｛-～'
const MISPLACED = new RegExp(`${UNSEEN.source}|[${FULL_WIDTH}${[...MEANT.keys()].join('')}]`, 'gu')

/** A program as a grammar has read it. */
interface Tree {
  resolveInner(at: number, side: 1): Parameters<typeof getStyleTags>[0]
}

export interface Misplaced {
  at: number
  character: string
}

/** The misplaced characters of a part of a program, outside of strings and comments. @param from where the part begins */
export function misplacedIn(part: string, from: number, tree: Tree): Misplaced[] {
  return [...part.matchAll(MISPLACED)]
    .map(({ index, 0: character }) => ({ at: from + index, character }))
    .filter(({ at }) => {
      const tags = getStyleTags(tree.resolveInner(at, 1))?.tags ?? []
      return !/string|comment/.test(codeColours.style(tags) ?? '')
    })
}

/** The text that a misplaced character stands for: a sign of code, a blank, or nothing at all. */
export function meantBy(character: string): string {
  if (new RegExp(UNSEEN, 'u').test(character))
    return /[\p{White_Space}\u2800]/u.test(character) ? ' ' : ''
  return MEANT.get(character) ?? character.normalize('NFKC')
}

/** A misplaced character and its replacement in short: `U+FF1B → ;`. */
export function shortNote(character: string): string {
  return [unicodeNumber(character), meantBy(character).trim()].filter(Boolean).join(' → ')
}

/** The differences within a line, and white space made visible. */
import type { CompareMode } from '#contract/problems/compare'
import { commonLength, foldCase, withoutBlankEnd } from './compare-outputs.ts'
import { UNSEEN, unicodeNumber } from './unseen.ts'

export interface Piece {
  text: string
  differs: boolean
}

/** A text in three pieces: an equal beginning, a different middle, an equal end. */
function middleOf(text: string, other: string, ignoresCase: boolean): Piece[] {
  const [own, others] = [[...text], [...other]]
  const isSame = (left = '', right = '') =>
    left === right || (ignoresCase && foldCase(left) === foldCase(right))
  const shorter = Math.min(own.length, others.length)
  const before = commonLength(shorter, (index) => isSame(own[index], others[index]))
  const after = commonLength(shorter - before, (index) =>
    isSame(own.at(-1 - index), others.at(-1 - index)),
  )
  return [
    { text: own.slice(0, before).join(''), differs: false },
    { text: own.slice(before, own.length - after).join(''), differs: true },
    { text: own.slice(own.length - after).join(''), differs: false },
  ]
}

/** Removes empty pieces, and joins neighbours of the same kind. */
function joined(pieces: Piece[]): Piece[] {
  const result: Piece[] = []
  for (const piece of pieces) {
    const last = result.at(-1)
    if (last?.differs === piece.differs) last.text += piece.text
    else if (piece.text !== '') result.push({ ...piece })
  }
  return result
}

/**
 * The pieces of a differing line, word by word if both lines have the same number of words. White space that does not
 * count is no difference.
 */
export function piecesOf(
  text: string,
  other: string | null,
  mode: CompareMode['mode'],
  ignoresCase = false,
): Piece[] {
  if (other === null) return [{ text, differs: true }]
  const counted = (line: string) => (mode === 'exact' ? line : withoutBlankEnd(line))
  const body = counted(text)
  const [words, others] = [body, counted(other)].map((line) => line.split(/([ \t\v\f\r]+)/)) as [
    string[],
    string[],
  ]
  const isSpace = (index: number) => index % 2 === 1
  const pieces =
    words.length === others.length
      ? words.flatMap((word, index) =>
          mode === 'tokens' && isSpace(index)
            ? [{ text: word, differs: false }]
            : middleOf(word, others[index] ?? '', ignoresCase),
        )
      : middleOf(body, counted(other), ignoresCase)
  return joined([...pieces, { text: text.slice(body.length), differs: false }])
}

/** Control characters except tabs as their pictures (U+2400 ff.): a browser shows nothing for NUL. */
export function visibleControls(line: string): string {
  // oxlint-disable-next-line no-control-regex -- control characters are what this is about
  return line.replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f]/g, (character) =>
    character === '\u007f' ? '␡' : String.fromCharCode(0x2400 + character.charCodeAt(0)),
  )
}

/** White space made visible: a dot per space, an arrow per tab, control characters as their pictures. */
export function visibleSpace(line: string): string {
  return visibleControls(line.replaceAll(' ', '·').replaceAll('\t', '→\t'))
}

/** Makes the white space of a differing piece visible, and its other invisible characters, e.g. as `<U+00A0>`. */
export function visibleDifference(piece: string): string {
  return visibleSpace(piece).replaceAll(UNSEEN, (character) => `<${unicodeNumber(character)}>`)
}

/** Helpers that the app's own constructs for micromark share. */
import type { Code, Construct, Effects, State } from 'micromark-util-types'

/** micromark's codes: line endings are below −2, a tab is −2, its further columns −1. */
export function isLineEnding(code: Code): boolean {
  return code !== null && code < -2
}

/** A space or a column of a tab. */
export function isBlank(code: Code): boolean {
  return code === 32 || code === -1 || code === -2
}

/** The character of a code: always exactly one, except '' for null. */
export function toCharacter(code: Code): string {
  if (code === null) return ''
  return code < 0 ? ' ' : String.fromCharCode(code)
}

/**
 * Looks ahead at the rest of the line before the line is read.
 * @param ends a character at which the look ahead ends early
 * @param then takes the text and returns the state that reads it, from where the look ahead began
 */
export function lookAhead(
  effects: Effects,
  ends: RegExp | null,
  then: (text: string) => State,
): State {
  let text = ''
  const look: Construct = {
    partial: true,
    tokenize: (looking, ok) => (first) => {
      looking.enter('data')
      function more(code: Code): State | undefined {
        const character = toCharacter(code)
        if (code === null || isLineEnding(code) || ends?.test(character)) {
          looking.exit('data')
          return ok(code)
        }
        text += character
        looking.consume(code)
        return more
      }
      return more(first)
    },
  }
  const begin: State = (code) => then(text)(code)
  return effects.check(look, begin, begin)
}

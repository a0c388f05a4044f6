/** The nesting depth of a JSON text, checked before parsing: deeply nested brackets take longest to parse. */

const QUOTE = 0x22
const BACKSLASH = 0x5c
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d]

/**
 * Whether a text has at most `most` opening brackets, those in strings included, and so cannot nest deeper. The engine's own search
 * is faster than a walk byte by byte, and most long bodies are long strings.
 */
function hasFewBrackets(most: number, text: Uint8Array): boolean {
  let count = 0
  for (const bracket of [OPEN_LIST, OPEN_OBJECT])
    for (let at = text.indexOf(bracket); at >= 0; at = text.indexOf(bracket, at + 1)) {
      count += 1
      if (count > most) return false
    }
  return true
}

/** Where the string ends that begins at `begin`. */
function endOfString(text: Uint8Array, begin: number): number {
  let at = begin
  while (at < text.length && text[at] !== QUOTE) at += text[at] === BACKSLASH ? 2 : 1
  return at
}

/**
 * Whether lists and objects are nested deeper than `most`. For a text that is not JSON the answer means
 * nothing.
 * @param text in UTF-8, in which no part of another character looks like a bracket or a quote
 */
export function isDeeperThan(most: number, text: Uint8Array): boolean {
  if (hasFewBrackets(most, text)) return false
  let depth = 0
  for (let at = 0; at < text.length; at += 1) {
    const byte = text[at]
    if (byte === QUOTE) at = endOfString(text, at + 1)
    else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
      depth += 1
      if (depth > most) return true
    } else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) depth -= 1
  }
  return false
}

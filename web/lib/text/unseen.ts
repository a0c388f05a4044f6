/** Characters that look like blanks or like nothing, and their names. */

/** Blanks and characters without width that the judge takes for letters. */
export const UNSEEN = /(?![ \t\v\f\r\n])[\p{White_Space}\p{Default_Ignorable_Code_Point}\u2800]/gu

/** A character by its number in Unicode: `U+00A0`. */
export function unicodeNumber(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
}

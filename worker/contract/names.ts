/** Names that people choose: the characters that they may hold, and when two of them are the same. */

/** Control characters, marks that turn the direction of text, and other invisible characters; U+2800 is the blank of Braille. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/u

/** Scripts in which a joiner between two characters changes how a word is spelled. */
const JOINING = `Arabic Syriac Nko Devanagari Bengali Gurmukhi Gujarati Oriya
  Tamil Telugu Kannada Malayalam Sinhala Myanmar Khmer`
  .split(/\s+/)
  .map((script) => String.raw`\p{Script=${script}}`)
  .join('')

/** Invisible characters that are part of visible ones: joiners within words, and the parts of an emoji. */
const PARTS = new RegExp(
  [
    String.raw`(?<=[${JOINING}]\p{M}*)[\u200c\u200d](?=[${JOINING}])`,
    String.raw`(?<=\p{Extended_Pictographic}[\ufe0f\p{Emoji_Modifier}]*)\u200d(?=\p{Extended_Pictographic})`,
    String.raw`(?<=\p{Extended_Pictographic}\p{Emoji_Modifier}?)[\ufe0e\ufe0f]`,
    String.raw`(?<=[\d#*])\ufe0f(?=\u20e3)`,
  ].join('|'),
  'gu',
)

/** The first invisible character of a name that is not part of a visible one; undefined when there is none. */
export function hiddenCharacter(name: string): string | undefined {
  return HIDDEN.exec(name.replace(PARTS, ''))?.[0]
}

/** A character for a message; an invisible one is named by its code. */
export function shownCharacter(character: string): string {
  const code = character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')
  return HIDDEN.test(character) || /[\p{Z}\p{C}\p{M}]/u.test(character) ? `U+${code}` : character
}

/** The form in which names are compared: compatible forms (NFKC) and case make no difference. */
export function nameKey(name: string): string {
  // Only upper case makes `ß` equal to `ss`, and both small sigmas equal; lower case alone does not.
  const folded = name.normalize('NFKC').toLowerCase().toUpperCase().toLowerCase()
  return folded.normalize('NFKC')
}

const L_OR_I =
  'li1\u0131\u0142\u01c0\u0269\u026a\u029f\u03b9\u0456\u04cf\u05d5\u05df\u0627\u0661\u06f1\u07ca\u13a5\u13de\u14aa\u16c1\u2c93\u2d4f\ua4e1\ua4f2'
/** Matches `public` and names that look like it by letters of other scripts (Unicode's list of confusables), without their marks. */
const LIKE_PUBLIC = new RegExp(
  [
    '^[p\u01bf\u03c1\u0440\u048f\u13e2\u146d\u1d18\u2ca3\ua4d1]',
    '[u\u028b\u03c5\u057d\u1200\u144c\u1d1c\ua4f4\ua79f\uab4e\uab52]',
    '[b\u0180\u0185\u0253\u0299\u03b2\u0432\u044c\u13f4\u1472\u15af\u2c83\ua4d0]',
    `[${L_OR_I}][${L_OR_I}]`,
    '[c\u0188\u023c\u0297\u03f2\u0441\u04ab\u13df\u1455\u1d04\u2ca5\ua4da]$',
  ].join(''),
  'iu',
)

/** The form in which course names are compared. A name that looks like `Public` counts as `Public`. */
export function courseNameKey(name: string): string {
  const bare = name.normalize('NFKD').replace(/\p{M}/gu, '')
  return LIKE_PUBLIC.test(bare) ? 'public' : nameKey(name)
}

/** Cuts text that a program may have written. */

/**
 * The first `length` UTF-16 units of a text. A character cut in half becomes a replacement character, because no call takes half a
 * character.
 */
export function cutText(text: string, length: number): string {
  return text.slice(0, length).toWellFormed()
}

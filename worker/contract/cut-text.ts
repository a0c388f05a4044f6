/** Cuts text that a program may have written. */

/** The first `length` UTF-16 units of a text. Half a character, which no call would take, becomes a replacement character. */
export function cutText(text: string, length: number): string {
  return text.slice(0, length).toWellFormed()
}

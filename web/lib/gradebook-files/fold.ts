/** A text that is the same for names and titles that differ only in case, blanks or composed letters. */
export function fold(text: string): string {
  return text.normalize('NFC').trim().replaceAll(/\s+/g, ' ').toLowerCase()
}

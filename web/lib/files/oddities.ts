/** Invisible parts that Windows programs add to texts, and that other programs read as content. */
import { findUtf16 } from './file-text.ts'

/** `utf16`: in UTF-16; `mark`: begins with a byte order mark; `windowsEnds`: lines end in CR LF. */
export const ODDITIES = ['utf16', 'mark', 'windowsEnds'] as const
export type Oddity = (typeof ODDITIES)[number]

/** What is odd about a text in UTF-8. */
export function odditiesOfText(text: string): Oddity[] {
  const found: Oddity[] = []
  if (text.startsWith('\u{feff}')) found.push('mark')
  if (text.includes('\r\n')) found.push('windowsEnds')
  return found
}

/** What is odd about a file, by its first bytes. */
export function odditiesOf(head: Uint8Array): Oddity[] {
  const decode = (encoding: string) =>
    // The first bytes may end within a character.
    new TextDecoder(encoding, { ignoreBOM: true }).decode(head, { stream: true })
  const encoding = findUtf16(head)
  if (encoding === null) return odditiesOfText(decode('utf-8'))
  const text = decode(encoding)
  // Binary data have zeros, too, so they may look like UTF-16.
  if (/[\0\u{fffd}]/u.test(text)) return []
  return ['utf16', ...odditiesOfText(text).filter((oddity) => oddity !== 'mark')]
}

/** A text without its byte order mark and with plain line ends. */
export function plainText(text: string): string {
  return text.replace(/^\u{feff}/u, '').replaceAll('\r\n', '\n')
}

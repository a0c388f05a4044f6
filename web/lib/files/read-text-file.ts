/** Reads a file of source code as text, whatever encoding it is in. Loaded with the first file. */
import { decodeText, ENCODING_LABELS, findEncoding } from './file-text.ts'
import { noTextOf, type NoText } from './no-text.ts'

/** A text, and how it was read. `encoding`: the name of the file's encoding; null for UTF-8. */
export interface TextRead {
  text: string
  encoding: string | null
  /** Whether Windows line ends were replaced by plain ones. */
  hadWindowsEnds: boolean
}

/** Why a file was not read. */
export type NotRead = NoText | { kind: 'tooLarge'; limitBytes: number }

/**
 * The text of a file, with line ends as judge hosts have them.
 * @param limitBytes the limit of the text in UTF-8
 */
export async function readTextFile(file: File, limitBytes: number): Promise<TextRead | NotRead> {
  // The file may be larger than its text: UTF-16 takes up to twice as much, and Windows line ends one byte more each.
  const most = 3 * limitBytes
  const bytes = new Uint8Array(await file.slice(0, most + 1).arrayBuffer())
  const noText = noTextOf(bytes)
  if (noText !== null) return noText
  if (bytes.length > most) return { kind: 'tooLarge', limitBytes }
  const encoding = findEncoding(bytes)
  const decoded = decodeText(bytes, encoding)
  const isBroken = encoding.startsWith('utf-16') && decoded.includes('\u{fffd}')
  if (isBroken || decoded.includes('\0')) return { kind: 'bytes', format: '' }
  const text = decoded.replaceAll('\r\n', '\n')
  if (new TextEncoder().encode(text).length > limitBytes) return { kind: 'tooLarge', limitBytes }
  return {
    text,
    encoding: encoding === 'utf-8' ? null : ENCODING_LABELS[encoding],
    hadWindowsEnds: text !== decoded,
  }
}

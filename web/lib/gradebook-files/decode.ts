/** The bytes of a gradebook's file as text, and back. What is not surely read is refused, because a wrong guess would damage the file. */
import { beginsWith } from '#contract/problems/problem-files'
import { noTextOf } from '../files/no-text.ts'

/** The largest file that is read. Gradebooks of thousands of people have a few MB. */
export const GRADEBOOK_FILE_BYTES = 20 * 1024 ** 2

const MARK = '\u{feff}'

export type GradebookEncoding = 'utf-8' | 'utf-16le' | 'utf-16be'

/** Why a file is no gradebook: what it is, or what its text lacks. */
export type DecodeRefusal =
  'empty' | 'tooLarge' | 'workbook' | 'zip' | 'pdf' | 'html' | 'notText' | 'encoding'

/** The text, with its byte order mark if it has one. */
export interface DecodedFile {
  text: string
  encoding: GradebookEncoding
}

function encodingOf([first, second]: Uint8Array): GradebookEncoding {
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  return first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8'
}

/** Whether a zip holds a workbook of Excel or LibreOffice: the names of its files stand in it as they are. */
function isWorkbook(bytes: Uint8Array): boolean {
  const start = new TextDecoder('latin1').decode(bytes.subarray(0, 8_192))
  const end = new TextDecoder('latin1').decode(bytes.subarray(-8_192))
  return /xl\/|opendocument\.spreadsheet/.test(start + end)
}

function refusalOf(bytes: Uint8Array): DecodeRefusal | null {
  if (bytes.length === 0) return 'empty'
  if (bytes.length > GRADEBOOK_FILE_BYTES) return 'tooLarge'
  const found = noTextOf(bytes)
  if (found?.format === 'zip') return isWorkbook(bytes) ? 'workbook' : 'zip'
  if (found?.format === 'Office') return 'workbook'
  if (found?.format === 'PDF') return 'pdf'
  if (found !== null || beginsWith(bytes, 'PK\x05\x06')) return 'notText'
  return null
}

/** Reads a file as UTF-8, or as UTF-16 with a byte order mark. */
export function decodeGradebook(bytes: Uint8Array): DecodedFile | DecodeRefusal {
  const refusal = refusalOf(bytes)
  if (refusal !== null) return refusal
  const encoding = encodingOf(bytes)
  let text
  try {
    text = new TextDecoder(encoding, { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return 'encoding'
  }
  // UTF-16 without a byte order mark looks like UTF-8 with zeros.
  if (text.includes('\0')) return 'encoding'
  const body = text.replace(MARK, '').trimStart()
  if (body === '') return 'empty'
  return /^<(?:!doctype|html|table|\?xml|head|body)/i.test(body) ? 'html' : { text, encoding }
}

/** The bytes of a text; of an unchanged text those that it was read from. */
export function encodeGradebook({ text, encoding }: DecodedFile): Uint8Array<ArrayBuffer> {
  if (encoding === 'utf-8') return new TextEncoder().encode(text)
  const view = new DataView(new ArrayBuffer(text.length * 2))
  for (let at = 0; at < text.length; at += 1)
    view.setUint16(at * 2, text.charCodeAt(at), encoding === 'utf-16le')
  return new Uint8Array(view.buffer)
}

/** Recognises files that are no text by their first bytes. */
import { beginsWith, fileTypeOf, PDF } from '#contract/problems/problem-files'

/** What a file is instead of a text, and the usual name of its format; '' if unknown. */
export interface NoText {
  kind: 'program' | 'document' | 'archive' | 'image' | 'bytes'
  format: string
}

/** How each format begins, as Latin-1; `.` stands for any byte. Files of Word, Excel and LibreOffice are zips. */
const SIGNATURES: readonly [NoText['kind'], format: string, signature: string][] = [
  ['program', 'ELF', '\x7fELF'],
  ['program', 'Mach-O', '\xfe\xed\xfa\xce'],
  ['program', 'Mach-O', '\xfe\xed\xfa\xcf'],
  ['program', 'Mach-O', '\xce\xfa\xed\xfe'],
  ['program', 'Mach-O', '\xcf\xfa\xed\xfe'],
  // Mach-O files for several processors and Java classes begin with the same four bytes. In a Mach-O file the number of
  // processors follows; in a Java class its version follows, which is at least 45.
  ['program', 'Mach-O', '\xca\xfe\xba\xbe\0\0\0\x01'],
  ['program', 'Mach-O', '\xca\xfe\xba\xbe\0\0\0\x02'],
  ['program', 'Java', '\xca\xfe\xba\xbe'],
  ['program', 'WebAssembly', '\0asm'],
  ['document', 'Office', '\xd0\xcf\x11\xe0'],
  ['document', 'RTF', '{\\rtf'],
  ['archive', 'zip', 'PK\x03\x04'],
  ['archive', 'gzip', '\x1f\x8b'],
  ['archive', '7z', '7z\xbc\xaf'],
  ['archive', 'RAR', 'Rar!\x1a'],
]

/** The kind of a file whose first bytes cannot begin a text; null: the file may be a text. */
export function noTextOf(bytes: Uint8Array): NoText | null {
  const type = fileTypeOf(bytes)
  if (type === PDF) return { kind: 'document', format: 'PDF' }
  if (type !== undefined) return { kind: 'image', format: type.replace('image/', '').toUpperCase() }
  // A text may begin with these two letters, but contains no zero bytes.
  if (beginsWith(bytes, 'MZ') && bytes.subarray(0, 64).includes(0))
    return { kind: 'program', format: 'Windows' }
  const found = SIGNATURES.find(([, , signature]) => beginsWith(bytes, signature))
  return found ? { kind: found[0], format: found[1] } : null
}

/** The text of a file in the encoding that spreadsheets have written it in. */

/** Encodings to choose from, by the names of `TextDecoder`. */
export const ENCODINGS = [
  'utf-8',
  'utf-16le',
  'utf-16be',
  'big5',
  'gb18030',
  'shift_jis',
  'windows-1252',
] as const
export type Encoding = (typeof ENCODINGS)[number]

/** Bytes that are looked at for UTF-16 without a mark. */
const LOOKED_AT_BYTES = 4_096

/** Big5's frequent characters have these first bytes; umlauts and accents before a letter do not. */
const BIG5_FREQUENT = { from: 0xa1, to: 0xc6 }

/** Decodes; what is not valid becomes U+FFFD. A byte order mark is left out. */
export function decodeText(bytes: Uint8Array, encoding: Encoding): string {
  return new TextDecoder(encoding).decode(bytes)
}

function isValid(bytes: Uint8Array, encoding: Encoding): boolean {
  try {
    new TextDecoder(encoding, { fatal: true }).decode(bytes)
    return true
  } catch {
    return false
  }
}

/** The UTF-16 that has half of its first bytes zero, as Latin letters and commas have. */
function findUtf16(bytes: Uint8Array): Encoding | null {
  const start = bytes.subarray(0, LOOKED_AT_BYTES)
  let even = 0
  let odd = 0
  for (const [index, byte] of start.entries())
    if (byte === 0) {
      if (index % 2 === 0) even += 1
      else odd += 1
    }
  if (even + odd <= start.length / 8) return null
  return odd > even ? 'utf-16le' : 'utf-16be'
}

/** Whether most of the two-byte characters are frequent ones of Big5. */
function isBig5(bytes: Uint8Array): boolean {
  if (!isValid(bytes, 'big5')) return false
  let pairs = 0
  let frequent = 0
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0
    if (byte < 0x80) continue
    pairs += 1
    if (byte >= BIG5_FREQUENT.from && byte <= BIG5_FREQUENT.to) frequent += 1
    at += 1
  }
  return frequent * 2 > pairs
}

/** Whether it is a workbook of a spreadsheet (a zip, or the older format) and no text at all. */
export function isWorkbook(bytes: Uint8Array): boolean {
  return [
    [0x50, 0x4b, 0x03, 0x04],
    [0xd0, 0xcf, 0x11, 0xe0],
  ].some((start) => start.every((byte, index) => bytes[index] === byte))
}

/** The encoding by byte order mark, else by what is valid: UTF-8, then Big5, then Western. */
export function findEncoding(bytes: Uint8Array): Encoding {
  const [first, second] = bytes
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  const utf16 = findUtf16(bytes)
  if (utf16 !== null) return utf16
  if (isValid(bytes, 'utf-8')) return 'utf-8'
  return isBig5(bytes) ? 'big5' : 'windows-1252'
}

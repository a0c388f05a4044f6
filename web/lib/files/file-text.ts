/** Reads the text of a file in the encoding in which a spreadsheet or an editor has written it. */

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

/** The names of encodings as people know them. */
export const ENCODING_LABELS: Record<Encoding, string> = {
  'utf-8': 'UTF-8',
  'utf-16le': 'UTF-16 LE',
  'utf-16be': 'UTF-16 BE',
  big5: 'Big5',
  gb18030: 'GB 18030',
  shift_jis: 'Shift JIS',
  'windows-1252': 'Windows-1252',
}

/** How many bytes are searched for UTF-16 without a byte order mark. */
const LOOKED_AT_BYTES = 4_096

/** An encoding with characters of two bytes, and which of its characters are frequent in texts. */
interface PairEncoding {
  encoding: Encoding
  isLead: (byte: number) => boolean
  /** `joins`: whether the pair of bytes stands beside another pair. */
  isFrequent: (lead: number, trail: number, joins: boolean) => boolean
}

const within = (from: number, byte: number, to: number) => byte >= from && byte <= to

/** If several encodings fit equally well, the first one wins. */
const PAIR_ENCODINGS: PairEncoding[] = [
  {
    encoding: 'big5',
    isLead: (byte) => byte > 0x80,
    // The bytes of umlauts and accents before a letter are not in this range.
    isFrequent: (lead) => within(0xa1, lead, 0xc6),
  },
  {
    encoding: 'gb18030',
    isLead: (byte) => byte > 0x80,
    isFrequent: (lead, trail) =>
      trail > 0xa0 && (within(0xa1, lead, 0xa3) || within(0xb0, lead, 0xd7)),
  },
  {
    encoding: 'shift_jis',
    // The bytes between these ranges are half-width kana of one byte each, which are rare.
    isLead: (byte) => within(0x81, byte, 0x9f) || byte > 0xdf,
    // A pair without a neighbour may be a quotation mark of Windows-1252 before a letter.
    isFrequent: (lead, _, joins) => joins && (within(0x81, lead, 0x83) || within(0x88, lead, 0x98)),
  },
]

/** Decodes bytes; invalid ones become U+FFFD. A byte order mark is left out. */
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

/**
 * Recognises UTF-16 by its byte order mark, or by many zeros among the first bytes, because Latin letters and commas
 * contain zeros; null: no UTF-16.
 */
export function findUtf16(bytes: Uint8Array): Encoding | null {
  const [first, second] = bytes
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
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

/** The share of frequent characters among those beyond ASCII; 0 if the bytes are not valid in the encoding. */
function shareOfFrequent(
  bytes: Uint8Array,
  { encoding, isLead, isFrequent }: PairEncoding,
): number {
  if (!isValid(bytes, encoding)) return 0
  let characters = 0
  let frequent = 0
  let lastEnd = -1
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0
    if (byte < 0x80) continue
    characters += 1
    if (!isLead(byte)) continue
    const joins = lastEnd === at || isLead(bytes[at + 2] ?? 0)
    if (isFrequent(byte, bytes[at + 1] ?? 0, joins)) frequent += 1
    at += 1
    lastEnd = at + 1
  }
  return frequent / characters
}

/** The encoding with the highest share of frequent characters, if that is above a half. */
function findPairs(bytes: Uint8Array): Encoding | null {
  let best: { encoding: Encoding | null; share: number } = { encoding: null, share: 0.5 }
  for (const pairs of PAIR_ENCODINGS) {
    const share = shareOfFrequent(bytes, pairs)
    if (share > best.share) best = { encoding: pairs.encoding, share }
  }
  return best.encoding
}

/** The encoding of a file: UTF-16, else UTF-8 if it is valid, else a likely East Asian one, else Windows-1252. */
export function findEncoding(bytes: Uint8Array): Encoding {
  const utf16 = findUtf16(bytes)
  if (utf16 !== null) return utf16
  if (isValid(bytes, 'utf-8')) return 'utf-8'
  return findPairs(bytes) ?? 'windows-1252'
}

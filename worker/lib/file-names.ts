/** Names of files that every system can store. */

import { cutText } from '#contract/cut-text'

/** Windows takes these names for devices, with any ending. */
const DEVICE = /^(?:con|prn|aux|nul|(?:com|lpt)[\d¹²³]) *(?:\.|$)/i

/** The longest part of a name in UTF-16 code units: a path stays below the 260 of Windows, and the part below the 255 bytes of Linux. */
const MOST = 80

/**
 * A name as one part of a path: no slash, no control character, nothing that Windows refuses. Different names may become the same
 * one, so callers put something of their own before it.
 */
export function toFileName(name: string): string {
  const plain = name
    .toWellFormed()
    .normalize('NFC')
    .replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029/\\:*?"<>|]/gu, '_')
  const short = cutText(plain, MOST)
    .trim()
    .replace(/(?<![. ])[. ]+$/, '')
  return DEVICE.test(short) || short === '' ? `_${short}` : short
}

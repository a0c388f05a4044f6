/** Names of files that every system can store. */

/** Windows takes these names for devices, with any ending. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)(?=\.|$)/i

/** The longest part of a name in code points, so that a path stays below the 260 of Windows. */
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
  const short = [...plain]
    .slice(0, MOST)
    .join('')
    .trim()
    .replace(/[. ]+$/, '')
  return DEVICE.test(short) || short === '' ? `_${short}` : short
}

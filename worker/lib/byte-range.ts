/** Range headers (RFC 9110 §14). */

/** A range of bytes: offset and length. */
interface ByteRange {
  offset: number
  length: number
}

/**
 * The range that a Range header asks for.
 * @param size of the file, in bytes
 * @returns `'outside'` when the range lies beyond the file; undefined for the whole file: without a header,
 * or with one that is not a single range of bytes, which a server may ignore
 */
export function byteRange(
  header: string | undefined,
  size: number,
): ByteRange | 'outside' | undefined {
  const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? '') ?? []
  if (first === '' && last === '') return undefined
  const offset = first === '' ? Math.max(0, size - Number(last)) : Number(first)
  const end = first === '' || last === '' ? size : Math.min(size, Number(last) + 1)
  if (offset >= size) return 'outside'
  return end > offset ? { offset, length: end - offset } : undefined
}

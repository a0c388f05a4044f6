/** Which bytes of a file a Range header asks for (RFC 9110 §14). */

/** Bytes of a file: where they begin and how many. */
interface ByteRange {
  offset: number
  length: number
}

/**
 * @param header the Range header, if there is one
 * @param size of the file, in bytes
 * @returns the bytes; `'outside'` when none of the file is among them; undefined for the whole file: without a header, or
 * with one that is no single range of bytes, which a server may pass over
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

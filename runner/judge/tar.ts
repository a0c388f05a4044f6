/** Archives of texts, as tar reads them (POSIX.1-1988, ustar). */
const BLOCK_BYTES = 512

/** A number in octal digits, filled up with zeroes. */
function octal(value: number, digits: number): string {
  return `${value.toString(8).padStart(digits, '0')}\0`
}

function headerOf(name: string, sizeBytes: number): Buffer {
  const block = Buffer.alloc(BLOCK_BYTES)
  block.write(name, 0)
  block.write(octal(0o644, 7), 100)
  block.write(octal(sizeBytes, 11), 124)
  block.write(octal(0, 11), 136)
  // The checksum is made over a field of blanks.
  block.write(' '.repeat(8), 148)
  block.write('0', 156)
  block.write('ustar\x0000', 257)
  const sum = block.reduce((total, byte) => total + byte)
  block.write(octal(sum, 6), 148)
  return block
}

/** An archive of some texts. @param files with names of at most 99 bytes */
export function packTar(files: readonly { name: string; text: string }[]): Buffer {
  const packed = files.flatMap(({ name, text }) => {
    const body = Buffer.from(text)
    const rest = Buffer.alloc(-body.length & (BLOCK_BYTES - 1))
    return [headerOf(name, body.length), body, rest]
  })
  return Buffer.concat([...packed, Buffer.alloc(2 * BLOCK_BYTES)])
}

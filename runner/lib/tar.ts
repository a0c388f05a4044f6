/** A tar archive that depends on names and contents only: the same files always give the same bytes. */

export interface ArchiveFile {
  /** Path within the archive, at most 100 bytes. */
  name: string
  content: Buffer
}

const BLOCK = 512
/** The year 1980 in seconds: some tools take a time of 0 for a missing one. */
const MTIME = 315_532_800

/** POSIX.1-1988, "ustar": fixed fields, numbers in octal. */
function header({ name, content }: ArchiveFile): Buffer {
  if (Buffer.byteLength(name) > 100) throw new Error(`${name} is too long for an archive.`)
  const block = Buffer.alloc(BLOCK)
  const octal = (value: number, digits: number) => value.toString(8).padStart(digits, '0')
  block.write(name)
  block.write(octal(0o644, 7), 100)
  block.write(octal(0, 7), 108)
  block.write(octal(0, 7), 116)
  block.write(octal(content.length, 11), 124)
  block.write(octal(MTIME, 11), 136)
  block.write(' '.repeat(8), 148)
  block.write('0', 156)
  block.write('ustar\0', 257)
  block.write('00', 263)
  const sum = block.reduce((total, byte) => total + byte, 0)
  block.write(`${octal(sum, 6)}\0 `, 148)
  return block
}

/** Packs files, sorted by name; all belong to root and may be read by everyone. */
export function tar(files: readonly ArchiveFile[]): Buffer {
  const sorted = files.toSorted((a, b) => (a.name < b.name ? -1 : 1))
  const padding = (size: number) => Buffer.alloc((BLOCK - (size % BLOCK)) % BLOCK)
  return Buffer.concat([
    ...sorted.flatMap((file) => [header(file), file.content, padding(file.content.length)]),
    Buffer.alloc(2 * BLOCK),
  ])
}

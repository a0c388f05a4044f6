/** Reads a file of any size through one buffer, for the comparisons. */
const CHUNK_BYTES = 64 * 1024
export const NEWLINE = 0x0a
/** Stands for the end of a file where a byte is expected. */
export const END = -1

/** A file to compare, such as a FileHandle. Each call of `read` says at which position it begins. */
export interface ByteSource {
  read(
    buffer: Buffer,
    offset: number,
    length: number,
    position: number,
  ): Promise<{ bytesRead: number }>
}

/** By byte: 1 for space, tab, vertical tab, form feed and carriage return; 0 for all others, also newline. */
export const BLANK = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte === 0x20 || byte === 0x09 || (byte >= 0x0b && byte <= 0x0d) ? 1 : 0,
)

/** By byte: 1 for white space, including newline. */
export const SPACE = BLANK.map((blank, byte) => (byte === NEWLINE ? 1 : blank))

/** Turns the letters A to Z into a to z. */
export function foldCase(bytes: Buffer): void {
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0
    if (byte >= 0x41 && byte <= 0x5a) bytes[at] = byte | 0x20
  }
}

/** Buffers of finished comparisons, to be reused. Otherwise every case would leave two buffers to the garbage collector. */
const spare: Buffer[] = []

/** Reads a file front to back. `chunk[at]` is the next byte whenever `at < length`. */
export class ByteReader {
  readonly chunk = spare.pop() ?? Buffer.allocUnsafe(CHUNK_BYTES)
  length = 0
  at = 0
  /** Whether everything has been read. */
  ended = false
  private position = 0
  private readonly source: ByteSource
  private readonly ignoresCase: boolean

  /** @param ignoresCase whether A to Z are read as a to z */
  constructor(source: ByteSource, ignoresCase = false) {
    this.source = source
    this.ignoresCase = ignoresCase
  }

  /** Frees the buffer for the next reader. */
  done(): void {
    spare.push(this.chunk)
  }

  /** Makes the next byte available; false at the end of the file. */
  async fill(): Promise<boolean> {
    if (this.at < this.length) return true
    this.at = 0
    this.length = 0
    await this.more()
    return this.length > 0
  }

  /** Moves the unread bytes to the front of the buffer, then fills its rest by one read. */
  async more(): Promise<void> {
    this.chunk.copyWithin(0, this.at, this.length)
    this.length -= this.at
    this.at = 0
    if (this.ended || this.length === this.chunk.length) return
    const room = this.chunk.length - this.length
    const { bytesRead } = await this.source.read(this.chunk, this.length, room, this.position)
    if (this.ignoresCase) foldCase(this.chunk.subarray(this.length, this.length + bytesRead))
    this.position += bytesRead
    this.length += bytesRead
    this.ended = bytesRead === 0
  }
}

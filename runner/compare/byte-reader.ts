/** Reading an output in chunks, for the comparisons: whatever its size, it costs one buffer. */
const CHUNK_BYTES = 64 * 1024
export const NEWLINE = 0x0a
/** What stands for a byte after the last one. */
export const END = -1

/** What comparing needs of a file, such as a FileHandle. Positions are explicit: its own offset does not matter. */
export interface ByteSource {
  read(
    buffer: Buffer,
    offset: number,
    length: number,
    position: number,
  ): Promise<{ bytesRead: number }>
}

/** 1 for space, tab, vertical tab, form feed and carriage return; the newline is not among them. */
export const BLANK = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte === 0x20 || byte === 0x09 || (byte >= 0x0b && byte <= 0x0d) ? 1 : 0,
)

/** The same and the newline. */
export const SPACE = BLANK.map((blank, byte) => (byte === NEWLINE ? 1 : blank))

/** Buffers of finished comparisons: a case would else leave two for the garbage collection. */
const spare: Buffer[] = []

/** One file, read front to back. `chunk[at]` is the next byte whenever `at < length`. */
export class ByteReader {
  readonly chunk = spare.pop() ?? Buffer.allocUnsafe(CHUNK_BYTES)
  length = 0
  at = 0
  /** Whether everything has been read. */
  ended = false
  private position = 0
  private readonly source: ByteSource

  constructor(source: ByteSource) {
    this.source = source
  }

  /** Gives its buffer to the next reader. */
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

  /** Reads on behind what has not been taken yet, which moves to the front; for as much as there is room. */
  async more(): Promise<void> {
    this.chunk.copyWithin(0, this.at, this.length)
    this.length -= this.at
    this.at = 0
    if (this.ended || this.length === this.chunk.length) return
    const room = this.chunk.length - this.length
    const { bytesRead } = await this.source.read(this.chunk, this.length, room, this.position)
    this.position += bytesRead
    this.length += bytesRead
    this.ended = bytesRead === 0
  }
}

/** Files that a call sends for download. */
import { safeError } from '../db/safe-error.ts'

/** The least bytes that are sent together; each piece costs some microseconds. */
const PIECE_BYTES = 64 * 1024

/** The parameter of `Content-Disposition` with a name in any script (RFC 8187). */
export function fileNameParameter(name: string): string {
  // RFC 8187 also encodes these characters, which encodeURIComponent leaves.
  const encoded = encodeURIComponent(name).replaceAll(
    /['()*]/g,
    (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `filename*=UTF-8''${encoded}`
}

/** The next bytes, `PIECE_BYTES` at least while there are so many; undefined at the end. */
async function nextPiece(parts: AsyncGenerator<Uint8Array>): Promise<Uint8Array | undefined> {
  const piece: Uint8Array[] = []
  let bytes = 0
  while (bytes < PIECE_BYTES) {
    const { done, value } = await parts.next()
    if (done) break
    piece.push(value)
    bytes += value.length
  }
  return piece.length > 1 ? Buffer.concat(piece) : piece[0]
}

/**
 * Bytes as a body, made as fast as the client takes them. A client that goes away ends the work. A fault half way breaks the
 * connection, so that nobody takes a part for the whole file.
 */
export function streamOf(parts: AsyncGenerator<Uint8Array>): ReadableStream<Uint8Array> {
  let isGone = false
  return new ReadableStream({
    async pull(controller) {
      try {
        const piece = await nextPiece(parts)
        if (isGone) return
        if (piece === undefined) controller.close()
        else controller.enqueue(piece)
      } catch (error) {
        console.error(JSON.stringify({ download: 'cut off', error: safeError(error) }))
        controller.error(error)
      }
    },
    async cancel() {
      isGone = true
      await parts.return(undefined)
    },
  })
}

/** A file as a download, which browsers never render. */
export function downloadOf(
  parts: AsyncGenerator<Uint8Array>,
  name: string,
  type: string,
): Response {
  return new Response(streamOf(parts), {
    headers: {
      'Content-Type': type,
      'Content-Disposition': `attachment; ${fileNameParameter(name)}`,
      'Cache-Control': 'no-store',
    },
  })
}

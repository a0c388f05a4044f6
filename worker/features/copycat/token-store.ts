/**
 * Tokens of a copy search's programs in R2, one byte each: `copycat/<operation>/<first program>`. The
 * sweeper deletes what a failed or stopped search leaves behind.
 */

/** The programs that one step has read, from number `from` on. */
export interface TokenChunk {
  operationId: string
  from: number
}

function keyOf({ operationId, from }: TokenChunk): string {
  return `copycat/${operationId}/${from}`
}

/** Stores the tokens of a chunk's programs. */
export async function writeTokens(
  bucket: R2Bucket,
  chunk: TokenChunk,
  programs: Uint8Array[],
): Promise<void> {
  await bucket.put(keyOf(chunk), Buffer.concat(programs))
}

/** The tokens of a chunk's programs, which have these lengths. */
export async function readTokens(
  bucket: R2Bucket,
  chunk: TokenChunk,
  lengths: number[],
): Promise<Uint8Array[]> {
  const object = await bucket.get(keyOf(chunk))
  if (!object) throw new Error('tokens are missing')
  const bytes = await object.bytes()
  let end = 0
  return lengths.map((length) => bytes.subarray(end, (end += length)))
}

/** Deletes chunks. */
export async function deleteTokens(bucket: R2Bucket, chunks: TokenChunk[]): Promise<void> {
  if (chunks.length > 0) await bucket.delete(chunks.map(keyOf))
}

/** Zips for tests. */
import { TextReader, Uint8ArrayWriter, ZipWriter } from '@zip.js/zip.js'

/** A zip of these files. */
export async function zipOf(entries: Record<string, string>): Promise<Uint8Array<ArrayBuffer>> {
  const writer = new ZipWriter(new Uint8ArrayWriter(), { useWebWorkers: false })
  for (const [name, content] of Object.entries(entries))
    await writer.add(name, new TextReader(content))
  return new Uint8Array(await writer.close())
}

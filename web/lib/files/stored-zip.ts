/** Zips made in the browser. Loaded on demand: the library comes with it. */
import { BlobWriter, Uint8ArrayReader, ZipWriter } from '@zip.js/zip.js'

/** A zip of texts, each `[name, text]`, in their order and byte for byte. */
export async function storedZip(files: [string, string][]): Promise<Blob> {
  // Uncompressed: the files are small, and no codec is needed.
  const zip = new ZipWriter(new BlobWriter('application/zip'), { level: 0, useWebWorkers: false })
  const encoder = new TextEncoder()
  for (const [name, text] of files)
    // The texts are added one after the other, to keep their order.
    await zip.add(name, new Uint8ArrayReader(encoder.encode(text)))
  return zip.close()
}

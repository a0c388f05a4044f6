/** Parsing of handed-in source code: text, bytes, or a zip with one file. */
import { crc32, inflateRawSync } from 'node:zlib'
import { languageOf } from '#contract/languages'
import type { LanguageCode } from '#contract/languages/codes'
import { SOURCE_LIMIT_BYTES, SOURCE_ZIP_LIMIT_BYTES } from '#contract/limits'
import { AppError, fieldRefused } from '../../http/errors.ts'
import { readZipDirectory } from '../../lib/zip-directory.ts'
import { packedBytesOf, type ZipEntry } from '../../lib/zip-record.ts'

/** The first bytes of a zip, "PK\3\4"; no source begins with them. */
const ZIP_MAGIC = [0x50, 0x4b, 0x03, 0x04]

/** Refuses source that is empty or too large. White space alone is allowed. */
function checkSource(code: Uint8Array): Uint8Array {
  if (code.length === 0)
    throw new AppError('empty_code', [
      { path: ['code'], code: 'required', message: 'Please paste your source code to submit.' },
    ])
  if (code.length > SOURCE_LIMIT_BYTES)
    throw new AppError('code_too_large', { limit: SOURCE_LIMIT_BYTES })
  return code
}

/** The UTF-8 bytes of JSON `code`. A lone surrogate has none and is refused. */
export function sourceFromText(code: string): Uint8Array {
  if (!code.isWellFormed())
    throw fieldRefused(
      ['code'],
      'invalid',
      'The code holds half of a surrogate pair and cannot be stored.',
    )
  return checkSource(new TextEncoder().encode(code))
}

/** The bytes of an uploaded file, or of the one source file in a zip. */
export async function sourceFromFile(file: Blob, languageType: LanguageCode): Promise<Uint8Array> {
  if (file.size > SOURCE_ZIP_LIMIT_BYTES)
    throw new AppError('code_too_large', { limit: SOURCE_LIMIT_BYTES })
  const bytes = new Uint8Array(await file.arrayBuffer())
  const isZip = ZIP_MAGIC.every((byte, index) => bytes[index] === byte)
  return checkSource(isZip ? await sourceFromZip(bytes, languageType) : bytes)
}

/** Compression methods (APPNOTE 4.4.5). */
const STORED = 0
const DEFLATED = 8
/** The size of the buffer for inflating. The platform doubles the buffer once before it checks whether there is more output. */
const INFLATED_BYTES = SOURCE_LIMIT_BYTES + 1

/** The only entry of a zip, with its packed bytes; refuses any other zip. */
async function readOnlyEntry(bytes: Uint8Array): Promise<{ entry: ZipEntry; packed: Uint8Array }> {
  const read = (offset: number, length: number) =>
    Promise.resolve(bytes.subarray(offset, offset + length))
  const { entries, dataEnd } = await readZipDirectory(read, bytes.length)
  const [entry, ...others] = entries
  if (!entry || others.length > 0) throw new Error('not one file')
  return { entry, packed: packedBytesOf(bytes, entry, dataEnd) }
}

/**
 * Unpacks an entry in one step, up to just above the size that a source may have, so that it delays no
 * other call.
 */
function unpackEntry({ compressionMethod, sizeBytes, ...entry }: ZipEntry, packed: Uint8Array) {
  if (entry.isEncrypted || (compressionMethod !== STORED && compressionMethod !== DEFLATED))
    throw new Error('not a method we read')
  const code =
    compressionMethod === STORED
      ? packed
      : inflateRawSync(packed, { chunkSize: INFLATED_BYTES, maxOutputLength: 2 * INFLATED_BYTES })
  if (code.length !== sizeBytes || crc32(code) !== entry.crc32) throw new Error('damaged')
  return code
}

/** The bytes of the only `main.*` of a zip; never inflates more than a source may have. */
async function sourceFromZip(bytes: Uint8Array, languageType: LanguageCode): Promise<Uint8Array> {
  try {
    const { entry, packed } = await readOnlyEntry(bytes)
    if (entry.isDirectory || entry.name !== languageOf(languageType).file)
      throw new AppError('bad_source_zip')
    if (entry.sizeBytes > SOURCE_LIMIT_BYTES)
      throw new AppError('code_too_large', { limit: SOURCE_LIMIT_BYTES })
    return unpackEntry(entry, packed)
  } catch (error) {
    throw error instanceof AppError ? error : new AppError('bad_source_zip')
  }
}

/** Source code at the door: text or bytes, or a zip with one file. */
import { Uint8ArrayReader, Uint8ArrayWriter, ZipReader } from '@zip.js/zip.js'
import { languageOf, type LanguageCode } from '#contract/languages'
import { SOURCE_LIMIT_BYTES, SOURCE_ZIP_LIMIT_BYTES } from '#contract/limits'
import { AppError, fieldRefused } from '../../http/errors.ts'

/** "PK\3\4": no C, C++ or Python source begins with it. */
const ZIP_MAGIC = [0x50, 0x4b, 0x03, 0x04]

/** Refuses source that is empty or too large. White space alone is source. */
function checkSource(code: Uint8Array): Uint8Array {
  if (code.length === 0)
    throw new AppError('empty_code', [
      { path: ['code'], code: 'required', message: 'Please paste your source code to submit.' },
    ])
  if (code.length > SOURCE_LIMIT_BYTES)
    throw new AppError('code_too_large', { limit: SOURCE_LIMIT_BYTES })
  return code
}

/** The bytes of JSON `code`: its UTF-8. A lone surrogate has none. */
export function sourceFromText(code: string): Uint8Array {
  if (!code.isWellFormed())
    throw fieldRefused(
      ['code'],
      'invalid',
      'The code holds half of a surrogate pair and cannot be stored.',
    )
  return checkSource(new TextEncoder().encode(code))
}

/** The bytes of an uploaded file: the file itself, or the one source file of a zip. */
export async function sourceFromFile(file: Blob, languageType: LanguageCode): Promise<Uint8Array> {
  if (file.size > SOURCE_ZIP_LIMIT_BYTES)
    throw new AppError('code_too_large', { limit: SOURCE_LIMIT_BYTES })
  const bytes = new Uint8Array(await file.arrayBuffer())
  const isZip = ZIP_MAGIC.every((byte, index) => bytes[index] === byte)
  return checkSource(isZip ? await sourceFromZip(bytes, languageType) : bytes)
}

/** Takes the one `main.*` out of a zip, never inflating more than a source may have. */
async function sourceFromZip(bytes: Uint8Array, languageType: LanguageCode): Promise<Uint8Array> {
  const reader = new ZipReader(new Uint8ArrayReader(bytes), {
    useWebWorkers: false,
    checkCrc32: true,
  })
  try {
    const [entry, ...others] = await reader.getEntries()
    if (
      !entry ||
      entry.directory ||
      others.length > 0 ||
      entry.filename !== languageOf(languageType).file
    )
      throw new AppError('bad_source_zip')
    if (entry.uncompressedSize > SOURCE_LIMIT_BYTES)
      throw new AppError('code_too_large', { limit: SOURCE_LIMIT_BYTES })
    return await entry.getData(new Uint8ArrayWriter())
  } catch (error) {
    throw error instanceof AppError ? error : new AppError('bad_source_zip')
  }
}

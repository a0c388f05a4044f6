/** Files that people send with texts: known by their first bytes, and answered so that nothing in them runs. */
import type { Context } from 'hono'
import { cutText } from '#contract/cut-text'
import {
  fileTypeOf,
  PDF,
  SIGNATURE_BYTES,
  type ProblemFile,
  type ProblemFileType,
} from '#contract/problems/problem-files'
import { Refusal } from '../db/refusal.ts'
import type { AppEnv } from '../env.ts'
import { newHexId } from '../lib/ids.ts'
import { readFile } from './body.ts'
import { fileNameParameter } from './download.ts'
import { AppError } from './errors.ts'

/** The longest name of a file, in UTF-16 code units. */
export const NAME_LENGTH = 100

/** A name of one line that may stand in Markdown and in a header. */
function toName(name: string): string {
  const plain = name.replaceAll(/[\p{Cc}\p{Cf}[\]]/gu, ' ').trim()
  return cutText(plain, NAME_LENGTH) || 'file'
}

/**
 * The call's field `file`, with a new id.
 * @param limitOf the most bytes of a file of each type
 * @throws AppError `bad_file`, `too_large`
 */
export async function readKnownFile(
  c: Context,
  limitOf: (type: ProblemFileType) => number,
): Promise<{ sent: File; file: ProblemFile }> {
  const sent = await readFile(c, 'file')
  const type = fileTypeOf(new Uint8Array(await sent.slice(0, SIGNATURE_BYTES).arrayBuffer()))
  if (type === undefined) throw new AppError('bad_file')
  const limit = limitOf(type)
  if (sent.size > limit) throw new AppError('too_large', { limit })
  return {
    sent,
    file: { fileId: newHexId(Date.now()), name: toName(sent.name), type, size: sent.size },
  }
}

/** How a browser treats a file: images are shown, a PDF is saved. */
function dispositionOf({ name, type }: Omit<ProblemFile, 'fileId'>): string {
  const kind = type === PDF ? 'attachment' : 'inline'
  return `${kind}; ${fileNameParameter(name)}`
}

/** Answers a file. @throws AppError `object_lost` */
export async function sendFile<E extends AppEnv>(
  c: Context<E>,
  key: string,
  file: Omit<ProblemFile, 'fileId'>,
): Promise<Response> {
  const object = await c.env.BUCKET.get(key)
  if (!object) throw new AppError('object_lost')
  return new Response(object.body, {
    headers: {
      'Content-Type': file.type,
      'Content-Length': String(object.size),
      'Content-Disposition': dispositionOf(file),
      // The bytes never change, but each read needs a check: rights end, and another person may use the same browser.
      'Cache-Control': 'private, no-cache',
      ETag: object.httpEtag,
    },
  })
}

/** Stores a file's object and then its row; if the row is refused, the object goes again. */
export async function storeFile(
  bucket: R2Bucket,
  key: string,
  sent: File,
  insertRow: () => Promise<void>,
): Promise<void> {
  await bucket.put(key, sent)
  try {
    await insertRow()
  } catch (error) {
    if (error instanceof Refusal) await bucket.delete(key)
    throw error
  }
}

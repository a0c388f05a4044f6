/** Files of statements: upload, download, removal. */
import { cutText } from '#contract/cut-text'
import { hexId } from '#contract/fields'
import {
  fileTypeOf,
  limitOfType,
  PDF,
  SIGNATURE_BYTES,
  type ProblemFile,
} from '#contract/problems/problem-files'
import { Refusal } from '../../db/refusal.ts'
import { readFile } from '../../http/body.ts'
import { changeOf } from '../../http/change.ts'
import { AppError } from '../../http/errors.ts'
import { guardInPath } from '../../http/guard.ts'
import { route } from '../../http/route.ts'
import { nowSeconds } from '../../lib/clock.ts'
import { newHexId } from '../../lib/ids.ts'
import { deleteFile, fileKeyOf, findFile, insertFile } from './file-queries.ts'
import { problemInPath } from './guard.ts'

/** The longest name of a file, in UTF-16 code units. */
export const NAME_LENGTH = 100

/** A name of one line that may stand in Markdown and in a header. */
function toName(name: string): string {
  const plain = name.replaceAll(/[\p{Cc}\p{Cf}[\]]/gu, ' ').trim()
  return cutText(plain, NAME_LENGTH) || 'file'
}

/** How a browser treats a file: images are shown, a PDF is saved. */
function dispositionOf({ name, type }: ProblemFile): string {
  const kind = type === PDF ? 'attachment' : 'inline'
  // RFC 8187 also encodes these characters, which encodeURIComponent leaves.
  const encoded = encodeURIComponent(name).replaceAll(
    /['()*]/g,
    (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `${kind}; filename*=UTF-8''${encoded}`
}

/** The file of the path, for people who see a problem that has it. */
const fileInPath = guardInPath(
  'file',
  'file_not_found',
  hexId,
  (c, id) => findFile(c.var.db, c.var.user, id, nowSeconds()),
  'fileId',
)

export const problemFiles = [
  route('POST /problem/:id/file', problemInPath, async (c, { problem }) => {
    const { db } = c.var
    const sent = await readFile(c, 'file')
    const type = fileTypeOf(new Uint8Array(await sent.slice(0, SIGNATURE_BYTES).arrayBuffer()))
    if (type === undefined) throw new AppError('bad_file')
    const limit = limitOfType(type)
    if (sent.size > limit) throw new AppError('too_large', { limit })
    const file = { fileId: newHexId(Date.now()), name: toName(sent.name), type, size: sent.size }
    const key = fileKeyOf(file.fileId)
    await c.env.BUCKET.put(key, sent)
    try {
      await insertFile(db, problem.problemId, file, changeOf(c))
    } catch (error) {
      if (error instanceof Refusal) await c.env.BUCKET.delete(key)
      throw error
    }
    return file
  }),
  route('DELETE /problem/:id/file/:fileId', problemInPath, (c, { problem, params }) =>
    deleteFile(c.var.db, problem.problemId, params.fileId, changeOf(c)),
  ),
  route('GET /file/:fileId', fileInPath, async (c, { file }) => {
    const object = await c.env.BUCKET.get(fileKeyOf(file.fileId))
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
  }),
]

/** Files of statements: upload, download, removal. */
import { hexId } from '#contract/fields'
import { limitOfType } from '#contract/problems/problem-files'
import { changeOf } from '../../http/change.ts'
import { readKnownFile, sendFile, storeFile } from '../../http/files.ts'
import { guardInPath } from '../../http/guard.ts'
import { route } from '../../http/route.ts'
import { nowSeconds } from '../../lib/clock.ts'
import { deleteFile, fileKeyOf, findFile, insertFile } from './file-queries.ts'
import { problemInPath } from './guard.ts'

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
    const { sent, file } = await readKnownFile(c, limitOfType)
    await storeFile(c.env.BUCKET, fileKeyOf(file.fileId), sent, () =>
      insertFile(c.var.db, problem.problemId, file, changeOf(c)),
    )
    return file
  }),
  route('DELETE /problem/:id/file/:fileId', problemInPath, (c, { problem, params }) =>
    deleteFile(c.var.db, problem.problemId, params.fileId, changeOf(c)),
  ),
  route('GET /file/:fileId', fileInPath, (c, { file }) =>
    sendFile(c, fileKeyOf(file.fileId), file),
  ),
]

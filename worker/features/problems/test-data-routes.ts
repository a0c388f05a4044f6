/** Uploads (in parts or in one form) and downloads of a problem's test data. */
import type { Context } from 'hono'
import type { TestDataAccepted } from '#contract/problems'
import { can } from '#contract/roles'
import type { Db } from '../../db/client.ts'
import { readFile } from '../../http/body.ts'
import { changeOf } from '../../http/change.ts'
import { editedVersion } from '../../http/edit-tag.ts'
import { AppError } from '../../http/errors.ts'
import { route } from '../../http/route.ts'
import type { UserEnv } from '../../http/session.ts'
import { problemInPath } from './guard.ts'
import { selectSubtasks, toSubtask } from './queries.ts'
import { getCurrentTestData } from './test-data-queries.ts'
import {
  abortUpload,
  completeUpload,
  hashNextTestData,
  startUpload,
  storePart,
  storeZip,
} from './test-data.ts'
import { requireObject, zipResponse } from './test-data-download.ts'

/** A problem with the subtasks its zip must fit. */
async function withSubtasks(db: Db, id: number) {
  return { id, subtasks: (await selectSubtasks(db, id)).map(toSubtask) }
}

/** Takes the zip in the field `case` of the form. */
export async function takeZipInForm(
  c: Context<UserEnv>,
  problemId: number,
): Promise<TestDataAccepted> {
  const { db } = c.var
  const zip = await readFile(c, 'case')
  const problem = await withSubtasks(db, problemId)
  const accepted = await storeZip(c.env, db, problem, zip, editedVersion(c), changeOf(c))
  c.executionCtx.waitUntil(hashNextTestData(c.env, db))
  return accepted
}

export const testData = [
  route('POST /problem/:id/initiate-test-case-upload', problemInPath, (c, { problem, body }) =>
    startUpload(c.env, c.var.db, problem.problemId, body, changeOf(c)),
  ),
  route(
    'PUT /problem/:id/test-case-upload/:uploadId/:part',
    problemInPath,
    async (c, { problem, params: { uploadId, part } }) => {
      const body = { stream: c.req.raw.body, length: c.req.header('Content-Length') }
      const stored = await storePart(c.env, c.var.db, problem.problemId, uploadId, part, body)
      c.header('ETag', stored.ETag)
      return stored
    },
  ),
  route(
    'POST /problem/:id/complete-test-case-upload',
    problemInPath,
    async (c, { problem, body }) => {
      const { db } = c.var
      const fitted = await withSubtasks(db, problem.problemId)
      const accepted = await completeUpload(c.env, db, fitted, body, changeOf(c))
      c.executionCtx.waitUntil(hashNextTestData(c.env, db))
      return accepted
    },
  ),
  route('DELETE /problem/:id/test-case-upload/:uploadId', problemInPath, (c, { problem, params }) =>
    abortUpload(c.env, c.var.db, problem.problemId, params.uploadId),
  ),
  route('GET /problem/:id/testcase', problemInPath, async (c, { problem }) => {
    // Students are told that there are no test data.
    const current = can(problem.standing, 'problem.write')
      ? await getCurrentTestData(c.var.db, problem.problemId)
      : undefined
    if (!current) throw new AppError('test_data_not_found')
    const object = await requireObject(c.env, current.objectKey)
    return zipResponse(object, `problem-${problem.problemId}-test-data.zip`)
  }),
]

/** Uploads (in parts or in one form) and downloads of a problem's test data. */
import { Hono } from 'hono'
import { createMiddleware } from 'hono/factory'
import * as z from 'zod'
import { uploadCompletion, uploadStart, type TestDataAccepted } from '#contract/problems'
import { can } from '#contract/roles'
import { readFile } from '../../http/body.ts'
import { changeOf } from '../../http/change.ts'
import { editedVersion } from '../../http/edit-tag.ts'
import { AppError } from '../../http/errors.ts'
import { ok } from '../../http/respond.ts'
import { requireUser } from '../../http/session.ts'
import { jsonBody, params } from '../../http/validate.ts'
import { onProblem, type ProblemEnv } from './guard.ts'
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

const partPath = z.object({
  id: z.string(),
  uploadId: z.string().max(64),
  part: z.coerce.number<string>().pipe(z.int().min(1).max(10_000)),
})

/** The problem of the path with the subtasks its zip must fit. */
async function problemWithSubtasks(c: {
  env: ProblemEnv['Bindings']
  var: ProblemEnv['Variables']
}) {
  const id = c.var.access.problemId
  const rows = await selectSubtasks(c.var.db, id)
  return { id, subtasks: rows.map(toSubtask) }
}

/** PUT /problem/manage/{id} with multipart form data: the zip in the field `case`. JSON goes on to the next handler. */
export const zipInForm = createMiddleware<ProblemEnv>(async (c, next) => {
  if (!c.req.header('Content-Type')?.toLowerCase().startsWith('multipart/form-data')) return next()
  const zip = await readFile(c, 'case')
  const accepted = await storeZip(
    c.env,
    c.var.db,
    await problemWithSubtasks(c),
    zip,
    editedVersion(c),
    changeOf(c),
  )
  c.executionCtx.waitUntil(hashNextTestData(c.env, c.var.db))
  return ok(c, accepted satisfies TestDataAccepted)
})

export const testData = new Hono<ProblemEnv>()
  .post(
    '/problem/:id/initiate-test-case-upload',
    requireUser,
    onProblem('problem.write'),
    jsonBody(uploadStart),
    async (c) => {
      const { problemId } = c.var.access
      return ok(c, await startUpload(c.env, c.var.db, problemId, c.req.valid('json'), changeOf(c)))
    },
  )
  .put(
    '/problem/:id/test-case-upload/:uploadId/:part',
    requireUser,
    onProblem('problem.write'),
    params(partPath),
    async (c) => {
      const { uploadId, part } = c.req.valid('param')
      const body = { stream: c.req.raw.body, length: c.req.header('Content-Length') }
      const stored = await storePart(c.env, c.var.db, c.var.access.problemId, uploadId, part, body)
      c.header('ETag', stored.ETag)
      return ok(c, stored)
    },
  )
  .post(
    '/problem/:id/complete-test-case-upload',
    requireUser,
    onProblem('problem.write'),
    jsonBody(uploadCompletion),
    async (c) => {
      const problem = await problemWithSubtasks(c)
      const { db } = c.var
      const accepted = await completeUpload(c.env, db, problem, c.req.valid('json'), changeOf(c))
      c.executionCtx.waitUntil(hashNextTestData(c.env, db))
      return ok(c, accepted, 'OK', 201)
    },
  )
  .delete(
    '/problem/:id/test-case-upload/:uploadId',
    requireUser,
    onProblem('problem.write'),
    async (c) => {
      await abortUpload(c.env, c.var.db, c.var.access.problemId, c.req.param('uploadId'))
      return ok(c, null)
    },
  )
  .get('/problem/:id/testcase', requireUser, onProblem('course.read'), async (c) => {
    const { problemId, standing } = c.var.access
    // To students there never are test data.
    const current = can(standing, 'problem.write')
      ? await getCurrentTestData(c.var.db, problemId)
      : undefined
    if (!current) throw new AppError('test_data_not_found')
    const object = await requireObject(c.env, current.objectKey)
    return zipResponse(object, `problem-${problemId}-test-data.zip`)
  })

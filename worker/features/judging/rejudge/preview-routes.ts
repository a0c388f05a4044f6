/** /problem/{id}/rejudge/preview: what judging a problem's submissions again would change. */
import { Hono } from 'hono'
import { createMiddleware } from 'hono/factory'
import * as z from 'zod'
import { hexId } from '#contract/fields'
import { COUNT_LIMITS } from '#contract/limits'
import { previewedChangesParams, type PreviewedChange } from '#contract/judging/rejudge-previews'
import { verdict } from '#contract/verdicts'
import { changeOf } from '../../../http/change.ts'
import { AppError } from '../../../http/errors.ts'
import { fromCursor, toPage } from '../../../http/paging.ts'
import { ok } from '../../../http/respond.ts'
import { requireUser, type UserEnv } from '../../../http/session.ts'
import { query } from '../../../http/legacy.ts'
import type { ProblemAccess } from '../../problems/access-queries.ts'
import { listChanges } from './preview-queries.ts'
import { dropPreview, readPreview, startApplying, startPreview } from './preview.ts'
import { demandRejudgeable } from './problem-guard.ts'

type ChangeRow = Awaited<ReturnType<typeof listChanges>>[number]

/** Row → contract. */
function toPreviewedChange(row: ChangeRow): PreviewedChange {
  return {
    submissionId: row.submissionId,
    user: row.user,
    from: { status: verdict.parse(row.fromStatus), score: row.fromScore },
    to: { status: verdict.parse(row.toStatus), score: row.toScore },
  }
}

const position = z.tuple([z.int(), hexId])

interface PreviewEnv extends UserEnv {
  Variables: UserEnv['Variables'] & { access: ProblemAccess }
}

/** Lets staff of the problem's course through. */
const onProblem = createMiddleware<PreviewEnv>(async (c, next) => {
  c.set('access', await demandRejudgeable(c))
  await next()
})

export const previews = new Hono<PreviewEnv>()
  .get('/problem/:id/rejudge/preview', requireUser, onProblem, async (c) =>
    ok(c, await readPreview(c.var.db, c.var.access.problemId)),
  )
  .get(
    '/problem/:id/rejudge/preview/changes',
    requireUser,
    onProblem,
    query(previewedChangesParams),
    async (c) => {
      const { cursor, limit = COUNT_LIMITS.listItemsDefault } = c.req.valid('query')
      const after = fromCursor(cursor, position) ?? [0, '']
      const rows = await listChanges(c.var.db, c.var.access.problemId, { after, limit })
      const page = toPage(rows, limit, (row) => [row.finishedAt, row.judgementId])
      return ok(c, { items: page.rows.map(toPreviewedChange), next: page.next })
    },
  )
  .post('/problem/:id/rejudge/preview', requireUser, onProblem, async (c) => {
    const { problemId, hasTestData } = c.var.access
    if (!hasTestData) throw new AppError('no_test_data')
    return ok(c, await startPreview(c.env, c.var.db, problemId, changeOf(c)), 'OK', 202)
  })
  .post('/problem/:id/rejudge/preview/apply', requireUser, onProblem, async (c) =>
    ok(c, await startApplying(c.env, c.var.db, c.var.access.problemId, changeOf(c)), 'OK', 202),
  )
  .delete('/problem/:id/rejudge/preview', requireUser, onProblem, async (c) => {
    await dropPreview(c.var.db, c.var.access.problemId, changeOf(c))
    return ok(c, null)
  })

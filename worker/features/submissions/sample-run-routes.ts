/** Sample runs: trying a program before handing it in. */
import { Hono } from 'hono'
import { createMiddleware } from 'hono/factory'
import { hexId, problemIdText } from '#contract/fields'
import { newSampleRun } from '#contract/judging/sample-runs'
import { inBackground } from '../../http/background.ts'
import { demandCapability } from '../../http/course-guard.ts'
import { AppError } from '../../http/errors.ts'
import { ok } from '../../http/respond.ts'
import { requireUser, type UserEnv } from '../../http/session.ts'
import { jsonBody } from '../../http/validate.ts'
import { nowSeconds } from '../../lib/clock.ts'
import { sendTickets } from '../../lib/queues.ts'
import { findRunTarget, getRun, type RunTarget } from './sample-run-queries.ts'
import { startRun, toSampleRun } from './sample-runs.ts'

interface RunEnv extends UserEnv {
  Variables: UserEnv['Variables'] & { target: RunTarget }
}

/** Lets through who may hand in programs for the problem of the path. */
const onRunTarget = createMiddleware<RunEnv>(async (c, next) => {
  const id = problemIdText.safeParse(c.req.param('id'))
  const target = id.success
    ? await findRunTarget(c.var.db, c.var.user, id.data, nowSeconds())
    : undefined
  if (!target) throw new AppError('problem_not_found')
  demandCapability(target.standing, 'submission.create')
  c.set('target', target)
  await next()
})

export const sampleRuns = new Hono<RunEnv>()
  .post(
    '/problem/:id/run',
    requireUser,
    onRunTarget,
    jsonBody(newSampleRun, (errors) =>
      errors.some(({ path }) => path[0] === 'languageType') ? 'no_language' : 'bad_body',
    ),
    async (c) => {
      const { db, user, target } = c.var
      const runId = await startRun(db, user.id, target, c.req.valid('json'))
      inBackground(c, 'run', sendTickets(c.env, [runId]))
      return ok(c, { runId })
    },
  )
  .get('/run/:id', requireUser, async (c) => {
    const id = hexId.safeParse(c.req.param('id'))
    const run = id.success ? await getRun(c.var.db, c.var.user.id, id.data) : undefined
    if (!run) throw new AppError('run_not_found')
    return ok(c, toSampleRun(run, nowSeconds()))
  })

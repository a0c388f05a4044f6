/** Sample runs: trying a program before handing it in. */
import { hexId, problemIdText } from '#contract/fields'
import { inBackground } from '../../http/background.ts'
import { guardInPath } from '../../http/guard.ts'
import { route } from '../../http/route.ts'
import { nowSeconds } from '../../lib/clock.ts'
import { sendTickets } from '../../lib/queues.ts'
import { findRunTarget, getRun } from './sample-run-queries.ts'
import { startRun, toSampleRun } from './sample-runs.ts'

/** The problem of the path, with the facts that a run needs. */
const runTarget = guardInPath('problem', 'problem_not_found', problemIdText, (c, id) =>
  findRunTarget(c.var.db, c.var.user, id, nowSeconds()),
)

/** The caller's run of the path. */
const runInPath = guardInPath('run', 'run_not_found', hexId, (c, id) =>
  getRun(c.var.db, c.var.user.id, id),
)

export const sampleRuns = [
  route('POST /problem/:id/run', runTarget, async (c, { problem, body }) => {
    const runId = await startRun(c.var.db, c.var.user.id, problem, body)
    inBackground(c, 'run', sendTickets(c.env, [runId]))
    return { runId }
  }),
  route('GET /run/:id', runInPath, (_, { run }) => toSampleRun(run, nowSeconds())),
]

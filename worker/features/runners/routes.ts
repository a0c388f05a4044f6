/** /runners: the hosts for admins, the queue for staff. */
import { Hono } from 'hono'
import { createMiddleware } from 'hono/factory'
import { hexId } from '#contract/fields'
import { newRunner, runnerEdit } from '#contract/judging/runners'
import { inBackground } from '../../http/background.ts'
import { changeOf } from '../../http/change.ts'
import { editedVersion } from '../../http/edit-tag.ts'
import { AppError } from '../../http/errors.ts'
import { inInstallation } from '../../http/installation-guard.ts'
import { ok } from '../../http/respond.ts'
import { demandFreshPassword, requireUser, type UserEnv } from '../../http/session.ts'
import { jsonBody } from '../../http/validate.ts'
import { nowSeconds } from '../../lib/clock.ts'
import { newHexId, newSecret, sha256Hex } from '../../lib/ids.ts'
import { endHostSockets } from '../../lib/live.ts'
import { publishedSums } from '../../lib/published-runner.ts'
import { sendTickets } from '../../lib/queues.ts'
import {
  deleteRunner,
  getQueueState,
  getRunner,
  insertNamedRunner,
  listRunners,
  mayReadQueue,
  updateRunner,
} from './queries.ts'

const fleet = inInstallation('fleet.manage')

/** Lets admins and the staff of any course through. */
const staffOnly = createMiddleware<UserEnv>(async (c, next) => {
  if (!(await mayReadQueue(c.var.db, c.var.user))) throw new AppError('forbidden')
  await next()
})

/** The runner id of the path. A text that cannot be an id is answered like an unknown one. */
function runnerIdOf(text: string): string {
  const id = hexId.safeParse(text)
  if (!id.success) throw new AppError('runner_not_found')
  return id.data
}

/** Environment of routes about one runner. */
interface RunnerEnv extends UserEnv {
  Variables: UserEnv['Variables'] & { found: NonNullable<Awaited<ReturnType<typeof getRunner>>> }
}

/** Puts the runner of the path at `c.var.found`. */
const existing = createMiddleware<RunnerEnv>(async (c, next) => {
  const found = await getRunner(c.var.db, runnerIdOf(c.req.param('id') ?? ''))
  if (!found) throw new AppError('runner_not_found')
  c.set('found', found)
  await next()
})

export const runners = new Hono<RunnerEnv>()
  .get('/runners', requireUser, fleet, async (c) =>
    ok(c, await listRunners(c.var.db, nowSeconds())),
  )
  .post('/runners', requireUser, fleet, jsonBody(newRunner), async (c) => {
    demandFreshPassword(c)
    const id = newHexId(Date.now())
    const token = newSecret()
    const row = { id, name: c.req.valid('json').name, tokenHash: await sha256Hex(token) }
    await insertNamedRunner(c.var.db, row, changeOf(c))
    const { install: installSha256 = null } = await publishedSums(c.env)
    return ok(c, { runnerId: id, token, installSha256 })
  })
  .get('/runners/queue', requireUser, staffOnly, async (c) =>
    ok(c, await getQueueState(c.var.db, nowSeconds())),
  )
  .patch('/runners/:id', requireUser, fleet, existing, jsonBody(runnerEdit), async (c) => {
    const edit = c.req.valid('json')
    await updateRunner(c.var.db, c.var.found, edit, editedVersion(c), changeOf(c))
    if (edit.state === 'draining')
      inBackground(c, 'end of sockets', endHostSockets(c.env, runnerIdOf(c.req.param('id'))))
    return ok(c, null)
  })
  .delete('/runners/:id', requireUser, fleet, async (c) => {
    const id = runnerIdOf(c.req.param('id'))
    const freed = await deleteRunner(c.var.db, id, changeOf(c))
    inBackground(c, 'end of sockets', endHostSockets(c.env, id))
    c.executionCtx.waitUntil(sendTickets(c.env, freed))
    return ok(c, null)
  })

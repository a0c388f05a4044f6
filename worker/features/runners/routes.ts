/** /runners: the hosts for admins, the queue for staff. */
import { hexId } from '#contract/fields'
import { inBackground } from '../../http/background.ts'
import { changeOf } from '../../http/change.ts'
import { editedVersion } from '../../http/edit-tag.ts'
import { AppError } from '../../http/errors.ts'
import { guard, guardInPath } from '../../http/guard.ts'
import { route } from '../../http/route.ts'
import { demandFreshPassword } from '../../http/session.ts'
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

/** Lets admins and the staff of any course through. */
const staffOfAny = guard('courses', async (c) => {
  if (!(await mayReadQueue(c.var.db, c.var.user))) throw new AppError('forbidden')
})

/** The judge host of the path. */
const hostInPath = guardInPath('host', 'runner_not_found', hexId, (c, id) =>
  getRunner(c.var.db, id),
)

/** The id of the judge host of the path, for the statement that removes it. */
const hostIdInPath = guardInPath('host', 'runner_not_found', hexId, async (_, id) => id)

export const runners = [
  route('GET /runners', (c) => listRunners(c.var.db, nowSeconds())),
  route('POST /runners', async (c, { body }) => {
    demandFreshPassword(c)
    const id = newHexId(Date.now())
    const token = newSecret()
    const row = { id, name: body.name, tokenHash: await sha256Hex(token) }
    await insertNamedRunner(c.var.db, row, changeOf(c))
    const { install: installSha256 = null } = await publishedSums(c.env)
    return { runnerId: id, token, installSha256 }
  }),
  route('GET /runners/queue', staffOfAny, (c) => getQueueState(c.var.db, nowSeconds())),
  route('PATCH /runners/:id', hostInPath, async (c, { host, body, params }) => {
    await updateRunner(c.var.db, host, body, editedVersion(c), changeOf(c))
    if (body.state === 'draining')
      inBackground(c, 'end of sockets', endHostSockets(c.env, params.id))
  }),
  route('DELETE /runners/:id', hostIdInPath, async (c, { host: id }) => {
    const freed = await deleteRunner(c.var.db, id, changeOf(c))
    inBackground(c, 'end of sockets', endHostSockets(c.env, id))
    c.executionCtx.waitUntil(sendTickets(c.env, freed))
  }),
]

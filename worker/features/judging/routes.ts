/** /runner: the protocol between the Worker and its judge hosts. */
import { Hono } from 'hono'
import * as z from 'zod'
import { hexId } from '#contract/fields'
import {
  claimRequest,
  heartbeat,
  jobRelease,
  progressReport,
  resultReport,
  runnerRegistration,
  ticketRequest,
  type HeartbeatAnswer,
  type RunnerRegistered,
} from '#contract/judging'
import { JUDGING } from '#contract/limits'
import type { AppEnv, Env } from '../../env.ts'
import { inBackground } from '../../http/background.ts'
import { AppError } from '../../http/errors.ts'
import { openSocket, tellPages, tellProgress } from '../../http/live.ts'
import { demandTokens } from '../../http/rate-limit.ts'
import { ok } from '../../http/respond.ts'
import { jsonBody, params, requireUpgrade } from '../../http/legacy.ts'
import { nowSeconds } from '../../lib/clock.ts'
import { byteRange } from '../../lib/byte-range.ts'
import { newHexId, newSecret, sha256Hex } from '../../lib/ids.ts'
import { slotsOf } from './claim/claim-queries.ts'
import { claimJob, waitForJob } from './claim/claim.ts'
import { releaseJudgement } from './lease/hand-back-queries.ts'
import { getLeasedTestData } from './lease/lease-queries.ts'
import { acceptResult } from './result/result.ts'
import { endExhausted } from './lease/lost-jobs.ts'
import { updateProgress } from './result/result-queries.ts'
import {
  requireLastRunner,
  requireRegistrationToken,
  requireRunner,
  requireRunnerWithLease,
  type LeaseEnv,
  type RunnerEnv,
} from './hosts/runner-guard.ts'
import { hasRunLease, releaseRun } from './result/run-result-queries.ts'
import { insertRunner, recordHeartbeat } from './hosts/runner-queries.ts'
import { claimWaitMs } from './claim/empty-claims.ts'
import { endHostSockets, hostChannel, liveChannels, wakeAnotherHost } from '../../lib/live.ts'
import { publishedSums } from '../../lib/published-runner.ts'
import { sendTickets } from '../../lib/queues.ts'

const jobPath = params(z.object({ id: hexId }))

const registration = new Hono<AppEnv>().post(
  '/runner/register',
  requireRegistrationToken,
  jsonBody(runnerRegistration),
  async (c) => {
    const runnerId = newHexId(Date.now())
    const token = newSecret()
    await insertRunner(
      c.var.db,
      runnerId,
      await sha256Hex(token),
      c.req.valid('json'),
      nowSeconds(),
    )
    const { leaseSeconds, heartbeatSeconds, idleClaimSeconds, progressIntervalMs } = JUDGING
    const config = { leaseSeconds, heartbeatSeconds, idleClaimSeconds, progressIntervalMs }
    return ok(c, { runnerId, token, config } satisfies RunnerRegistered)
  },
)

/** @throws AppError `too_many_requests` while a host has made too many empty claims */
function demandClaims(emptyClaimsUntilMs: number | null): void {
  const waitMs = claimWaitMs(emptyClaimsUntilMs)
  demandTokens([[{ allowed: waitMs > 0 ? 0 : 1, waitMs }]])
}

const jobs = new Hono<RunnerEnv>()
  .post('/runner/heartbeat', requireRunner, jsonBody(heartbeat), async (c) => {
    const { db } = c.var
    const freed = await recordHeartbeat(db, c.var.runner, c.req.valid('json'), nowSeconds())
    if (freed.length > 0)
      inBackground(
        c,
        'freed leases',
        Promise.all([endExhausted(c.env, db, nowSeconds(), freed), sendTickets(c.env, freed)]),
      )
    const { pack } = await publishedSums(c.env)
    return ok(c, {
      state: c.var.runner.state,
      ...(pack !== undefined && { pack }),
    } satisfies HeartbeatAnswer)
  })
  .post('/runner/tickets', requireRunner, jsonBody(ticketRequest), async (c) => {
    const { id, state, emptyClaimsUntilMs, ...slots } = c.var.runner
    demandClaims(emptyClaimsUntilMs)
    if (state === 'draining') return ok(c, { hasJob: false })
    const { waitSeconds, takesRuns } = c.req.valid('json')
    const claimant = { id, slots: slotsOf(slots), takesRuns }
    return ok(c, { hasJob: await waitForJob(c.var.db, claimant, waitSeconds) })
  })
  .get('/runner/live', requireRunner, requireUpgrade, (c) => {
    const { id, state } = c.var.runner
    return openSocket(c, state === 'draining' ? undefined : hostChannel(c.env), id)
  })
  .post('/runner/jobs/claim', requireRunner, jsonBody(claimRequest), async (c) => {
    const { id, state, emptyClaimsUntilMs, ...slots } = c.var.runner
    const refuse = () => {
      inBackground(c, 'wake passed on', wakeAnotherHost(c.env, id))
      return c.body(null, 204)
    }
    if (state === 'draining') return refuse()
    demandClaims(emptyClaimsUntilMs)
    const claimant = { id, slots: slotsOf(slots), ...c.req.valid('json') }
    const { job, isLeft } = await claimJob(c.var.db, claimant, (userId, hint) =>
      tellPages(c, userId, hint),
    )
    if (job) return ok(c, job)
    return isLeft ? refuse() : c.body(null, 204)
  })
  .post('/runner/jobs/:id/release', requireRunner, jobPath, jsonBody(jobRelease), async (c) => {
    const { db } = c.var
    const { id } = c.req.valid('param')
    const release = c.req.valid('json')
    const isBack =
      (await releaseJudgement(db, id, release, nowSeconds())) ||
      (await releaseRun(db, id, release, nowSeconds()))
    if (!isBack) throw new AppError('stale_lease')
    inBackground(
      c,
      'released job',
      Promise.all([
        endExhausted(c.env, db, nowSeconds(), [id]),
        sendTickets(c.env, [id], c.var.runner.id),
      ]),
    )
    return ok(c, null)
  })
  .get('/runner/test-data/:version', requireRunner, async (c) => {
    const { version: name } = c.req.param()
    const version = await getLeasedTestData(c.var.db, c.var.runner.id, name, nowSeconds())
    if (!version) throw new AppError('test_data_not_found')
    return sendTestData(c.env, version, c.req.header('Range'))
  })

const leased = new Hono<LeaseEnv>()
leased.post(
  '/runner/jobs/:id/progress',
  requireRunnerWithLease,
  jobPath,
  jsonBody(progressReport),
  async (c) => {
    const { id } = c.req.valid('param')
    const report = c.req.valid('json')
    const { db, leaseRow: job } = c.var
    const isLeased = job?.lease === report.lease && job.state === 'leased'
    if (isLeased && liveChannels(c.env)) {
      const { submissionId, listenerId, casesTotal: total } = job
      const progress = { phase: report.phase, done: Math.min(report.done, total), total }
      if (listenerId !== null)
        await tellProgress(c, listenerId, report.lease, { submissionId, progress })
    } else if (
      !(isLeased ? await updateProgress(db, id, report) : await hasRunLease(db, id, report.lease))
    ) {
      throw new AppError('stale_lease')
    }
    return ok(c, null)
  },
)
leased.put(
  '/runner/jobs/:id/result',
  requireLastRunner,
  jobPath,
  jsonBody(resultReport),
  async (c) => {
    const { id } = c.req.valid('param')
    const { db, leaseRow } = c.var
    try {
      const job = { id, leaseRow }
      const changed = await acceptResult(c.env, db, job, c.req.valid('json'), nowSeconds())
      if (changed) tellPages(c, changed.userId, changed.hint)
    } catch (error) {
      if (error instanceof AppError && error.code === 'bad_result') {
        const runnerId = c.var.runner.id
        const others = sendTickets(c.env, [id], runnerId)
        // It may have been set to drain for it. Then it opens no other one.
        inBackground(c, 'refused result', Promise.all([others, endHostSockets(c.env, runnerId)]))
      }
      throw error
    }
    return ok(c, null)
  },
)

/** Sends the zip, or the requested range of it. */
async function sendTestData(
  env: Env,
  { objectKey, sizeBytes }: { objectKey: string; sizeBytes: number },
  header: string | undefined,
): Promise<Response> {
  const range = byteRange(header, sizeBytes)
  if (range === 'outside')
    throw new AppError('bad_range', null, { 'Content-Range': `bytes */${sizeBytes}` })
  const object = await env.BUCKET.get(objectKey, { range })
  if (!object) throw new AppError('object_lost')
  const headers = new Headers({
    'Content-Type': 'application/zip',
    'Accept-Ranges': 'bytes',
    ETag: object.httpEtag,
  })
  if (!range) return new Response(object.body, { headers })
  const { offset, length } = range
  headers.set('Content-Range', `bytes ${offset}-${offset + length - 1}/${sizeBytes}`)
  return new Response(object.body, { headers, status: 206 })
}

export const judging = new Hono<AppEnv>()
  .route('/', registration)
  .route('/', jobs)
  .route('/', leased)

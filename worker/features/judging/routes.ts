/** /runner: the protocol between the Worker and its judge hosts. */
import type { Context } from 'hono'
import type { ClaimRequest } from '#contract/judging'
import { JUDGING } from '#contract/limits'
import type { AppEnv, Env } from '../../env.ts'
import { inBackground } from '../../http/background.ts'
import { AppError } from '../../http/errors.ts'
import { demandUpgrade, openSocket, tellPages, tellProgress } from '../../http/live.ts'
import { route } from '../../http/route.ts'
import { byteRange } from '../../lib/byte-range.ts'
import { nowSeconds } from '../../lib/clock.ts'
import { newHexId, newSecret, sha256Hex } from '../../lib/ids.ts'
import { endHostSockets, hostChannel, liveChannels, wakeAnotherHost } from '../../lib/live.ts'
import { publishedSums } from '../../lib/published-runner.ts'
import { sendTickets } from '../../lib/queues.ts'
import { slotsOf } from './claim/best-job.ts'
import { claimJob, leaseAfter } from './claim/claim.ts'
import {
  lastRunner,
  registrationToken,
  runnerOfToken,
  runnerWithLease,
} from './hosts/runner-guard.ts'
import { insertRunner, recordHeartbeat, type RunnerRow } from './hosts/runner-queries.ts'
import { releaseJudgement } from './lease/hand-back-queries.ts'
import { getLeasedTestData } from './lease/lease-queries.ts'
import { endExhausted } from './lease/lost-jobs.ts'
import { refreshJudged } from '../gradebook/judged-queries.ts'
import { acceptResult } from './result/result.ts'
import { updateProgress } from './result/result-queries.ts'

/** Claims a job for the host that calls. */
function claimFor(c: Context<AppEnv>, runner: RunnerRow, request: ClaimRequest, lease: string) {
  const claimant = { id: runner.id, slots: slotsOf(runner), ...request }
  return claimJob(c.var.db, claimant, lease, (userId, hint) => tellPages(c, userId, hint))
}

/** Tells another host of a free job that this host does not get. */
function passWakeOn(c: Context<AppEnv>, { id }: RunnerRow): void {
  inBackground(c, 'wake passed on', wakeAnotherHost(c.env, id))
}

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

export const judging = [
  route('POST /runner/register', registrationToken, async (c, { body }) => {
    const runnerId = newHexId(Date.now())
    const token = newSecret()
    await insertRunner(c.var.db, runnerId, await sha256Hex(token), body, nowSeconds())
    const { leaseSeconds, heartbeatSeconds, idleClaimSeconds, progressIntervalMs } = JUDGING
    const config = { leaseSeconds, heartbeatSeconds, idleClaimSeconds, progressIntervalMs }
    return { runnerId, token, config }
  }),
  route('POST /runner/heartbeat', runnerOfToken, async (c, { runner, body }) => {
    const { db } = c.var
    const freed = await recordHeartbeat(db, runner, body, nowSeconds())
    if (freed.length > 0)
      inBackground(
        c,
        'freed leases',
        Promise.all([endExhausted(c.env, db, nowSeconds(), freed), sendTickets(c.env, freed)]),
      )
    const { pack } = await publishedSums(c.env)
    return { state: runner.state, ...(pack !== undefined && { pack }) }
  }),
  route('GET /runner/live', runnerOfToken, (c, { runner: { id, state } }) => {
    demandUpgrade(c)
    return openSocket(c, state === 'draining' ? undefined : hostChannel(c.env), id)
  }),
  route('POST /runner/jobs/claim', runnerOfToken, async (c, { runner, body }) => {
    const refuse = () => {
      passWakeOn(c, runner)
      return c.body(null, 204)
    }
    if (runner.state === 'draining') return refuse()
    const { job, isLeft } = await claimFor(c, runner, body, newSecret())
    if (job) return job
    return isLeft ? refuse() : c.body(null, 204)
  }),
  route('POST /runner/jobs/:id/release', runnerOfToken, async (c, { runner, params, body }) => {
    const { db } = c.var
    const { id } = params
    if (!(await releaseJudgement(db, id, body, nowSeconds()))) throw new AppError('stale_lease')
    inBackground(
      c,
      'released job',
      Promise.all([
        endExhausted(c.env, db, nowSeconds(), [id]),
        sendTickets(c.env, [id], runner.id),
      ]),
    )
  }),
  route('GET /runner/test-data/:version', runnerOfToken, async (c, { runner, params }) => {
    const version = await getLeasedTestData(c.var.db, runner.id, params.version, nowSeconds())
    if (!version) throw new AppError('test_data_not_found')
    return sendTestData(c.env, version, c.req.header('Range'))
  }),
  route('POST /runner/jobs/:id/progress', runnerWithLease, async (c, { runner, params, body }) => {
    const { db } = c.var
    const { leaseRow: job } = runner
    if (job?.lease !== body.lease || job.state !== 'leased') throw new AppError('stale_lease')
    const { submissionId, listenerId, casesTotal: total } = job
    if (liveChannels(c.env)) {
      const progress = { phase: body.phase, done: Math.min(body.done, total), total }
      // A sample run tells nothing before its end.
      if (listenerId !== null && submissionId !== null)
        await tellProgress(c, listenerId, body.lease, { submissionId, progress })
    } else if (!(await updateProgress(db, params.id, body))) {
      throw new AppError('stale_lease')
    }
  }),
  route('PUT /runner/jobs/:id/result', lastRunner, async (c, { runner, params, body }) => {
    const { next, ...report } = body
    const { db } = c.var
    let submissionId: string | null = null
    try {
      const job = { id: params.id, leaseRow: runner.leaseRow }
      const changed = await acceptResult(c.env, db, job, report, nowSeconds())
      if (changed) tellPages(c, changed.userId, changed.hint)
      submissionId = changed?.submissionId ?? null
    } catch (error) {
      if (error instanceof AppError && error.code === 'bad_result') {
        const others = sendTickets(c.env, [params.id], runner.id)
        // The refusal may have set the host to draining; a draining host gets no new socket.
        inBackground(c, 'refused result', Promise.all([others, endHostSockets(c.env, runner.id)]))
      }
      throw error
    }
    const claimed =
      next && runner.state !== 'draining'
        ? await claimFor(c, runner, next, await leaseAfter(report.lease))
        : null
    if (claimed && !claimed.job && claimed.isLeft) passWakeOn(c, runner)
    // Marks come after the claim, which must not wait for them.
    if (submissionId !== null)
      inBackground(c, 'marks', refreshJudged(db, submissionId, nowSeconds()))
    return claimed?.job ?? null
  }),
]

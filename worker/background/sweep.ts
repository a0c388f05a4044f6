/** The sweeper: every minute it repairs what lost messages and dead hosts left behind, and deletes what is over. */
import { openDb, type Db } from '../db/client.ts'
import { safeError } from '../db/safe-error.ts'
import { deleteExpiredAccess } from '../db/sessions.ts'
import type { Env } from '../env.ts'
import { countError, noteTime } from '../db/vitals.ts'
import { deleteFullBuckets } from '../db/rate-limits.ts'
import { PRIVACY, SWEEP } from '../db/retention.ts'
import { lookForAlarms } from '../features/alarms/tell.ts'
import { forgetAddresses } from '../features/audit/queries.ts'
import { mailDueLinks } from '../features/auth/sign-up/due-links.ts'
import { refreshLeft } from '../features/gradebook/refresh-step.ts'
import { mailNotices } from '../features/notices/mails.ts'
import { deleteOldNotices } from '../features/notices/timed-queries.ts'
import { makeTimedNotices } from '../features/notices/timed.ts'
import { purgeCourses } from '../features/courses/purge-queries.ts'
import { deleteOldOperations, takeStalledOperations } from '../features/operations/queries.ts'
import { deleteOldRequests } from '../features/questions/request-queries.ts'
import { deleteStaleClaims } from '../features/submissions/create-queries.ts'
import { CLAIMED_SUBMISSION_SECONDS } from '../features/submissions/target-queries.ts'
import { deleteOldRuns } from '../features/submissions/sample-run-queries.ts'
import { endUpload, hashNextTestData } from '../features/problems/test-data.ts'
import { listOldUploads } from '../features/problems/test-data-queries.ts'
import { reportUnhealthy } from '../features/judging/lease/hand-back-queries.ts'
import { takeStaleTickets } from '../features/judging/lease/lost-job-queries.ts'
import { endExhausted } from '../features/judging/lease/lost-jobs.ts'
import { deleteLeft } from '../features/judging/rejudge/outcome-queries.ts'
import { deleteSilentRunners } from '../features/judging/hosts/runner-queries.ts'
import { noteDatabaseSize } from '../features/storage/database-size.ts'
import { isBucketOurs } from '../features/storage/installation.ts'
import { packOldSubmissions } from '../features/storage/pack-old.ts'
import { packOutputs } from '../features/storage/pack-outputs.ts'
import { deliverWebhooks } from '../features/webhooks/deliver.ts'
import { sendSteps, sendTickets } from '../lib/queues.ts'
import { deleteOrphans } from './stored-objects.ts'

/** Unfinished uploads are deleted after a day. Seconds. */
const UPLOAD_SECONDS = 86_400

/**
 * Deletes orphans and purges courses, unless an admin has to confirm something first, and packs old submissions and outputs. All
 * this happens only where the bucket belongs to this database.
 */
async function sweepStorage(env: Env, db: Db, now: number): Promise<void> {
  if (!(await isBucketOurs(env, db))) return
  if (await deleteOrphans(env, db, now)) await purgeCourses(db, now)
  await packOldSubmissions(env, db, now)
  await packOutputs(env, db, now)
}

/** One sweep. A part that fails does not stop the others. */
export async function sweep(env: Env, now: number): Promise<void> {
  const db = openDb(env.DB)
  /** Calls of other services are slow, so the other parts run meanwhile. */
  const calling: Promise<void>[] = []
  const attempt = (name: string, run: () => Promise<void>) =>
    run().catch(async (error: unknown) => {
      console.error(JSON.stringify({ sweep: name, error: safeError(error) }))
      await countError(db, 'sweep_errors').catch(() => {})
    })
  const parts: [string, () => Promise<void>][] = [
    ['exhausted', () => endExhausted(env, db, now)],
    ['unhealthy', () => reportUnhealthy(db, now)],
    ['silent hosts', () => deleteSilentRunners(db, now)],
    ['tickets', async () => sendTickets(env, await takeStaleTickets(db, now))],
    ['operations', async () => sendSteps(env, await takeStalledOperations(db, now))],
    ['marks', () => refreshLeft(env, db, now)],
    ['addresses', () => forgetAddresses(db, now - PRIVACY.addressDays * 86_400)],
    ['rates', () => deleteFullBuckets(db, now * 1000)],
    ['access', () => deleteExpiredAccess(db, now)],
    ['claims', () => deleteStaleClaims(db, now - CLAIMED_SUBMISSION_SECONDS)],
    ['runs', () => deleteOldRuns(db, now)],
    ['requests', () => deleteOldRequests(db, now)],
    ['hashes', () => hashNextTestData(env, db)],
    ['rejudges', async () => void (await deleteLeft(db))],
    ['old operations', () => deleteOldOperations(db, now - SWEEP.operationDays * 86_400)],
    ['database size', () => noteDatabaseSize(db, now)],
    ['vitals', () => noteTime(db, 'swept_at', now)],
    ['alarms', async () => void calling.push((await lookForAlarms(env, db, now)).telling)],
    [
      'uploads',
      async () => {
        for (const row of await listOldUploads(db, now - UPLOAD_SECONDS))
          await endUpload(env, db, row)
      },
    ],
    ['notices', () => makeTimedNotices(env, db, now)],
    [
      'webhooks',
      async () => void calling.push(attempt('webhooks', () => deliverWebhooks(env, db, now))),
    ],
    ['old notices', () => deleteOldNotices(db, now)],
    ['links', async () => void (await mailDueLinks(env, db, now))],
    ['notice mails', () => mailNotices(env, db, now)],
    // The storage comes last, because it reads most: when the platform ends a part, no later part runs.
    ['storage', () => sweepStorage(env, db, now)],
  ]
  for (const [name, run] of parts) await attempt(name, run)
  await Promise.all(calling)
}

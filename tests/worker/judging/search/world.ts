/** The first state of the search of the judging protocol, and calls that change nothing. */
import { env } from 'cloudflare:workers'
import { STATUS, type Verdict } from '#contract/verdicts'
import { openDb } from '../../../../worker/db/client.ts'
import { claimBest } from '../../../../worker/features/judging/claim/claim-queries.ts'
import { releaseJudgement } from '../../../../worker/features/judging/lease/hand-back-queries.ts'
import { rejudge } from '../../../../worker/features/judging/rejudge/rejudge-queries.ts'
import {
  storeResult,
  updateProgress,
} from '../../../../worker/features/judging/result/result-queries.ts'
import { takeResult } from '../../support/take-result.ts'
import type { Change } from '../../../../worker/http/change.ts'
import { nowSeconds } from '../../../../worker/lib/clock.ts'
import { reportOf } from '../../support/judge.ts'
import { readRows, type Job, type World } from './rows.ts'
import { isAccepted, SLOTS } from './steps.ts'
import { workerEnv } from '../../support/step-queue.ts'
import { allRows } from '../../support/sql.ts'
import { createProblem, registerRunner, submit } from '../../support/world.ts'

export type SearchWorld = World & { change: Change }

/**
 * Two runners and two submissions; the first counts for the quota. Both were rejudged: an accepted result of the first
 * and an unfinished judgement of the second are superseded, but their hosts still remember them.
 */
export async function newWorld(): Promise<SearchWorld> {
  const { problemId, student, ta } = await createProblem()
  for (let count = 0; count < 2; count += 1) await registerRunner(SLOTS)
  const [left = '', right = ''] = (
    await allRows<{ id: string }>`select id from runners order by id`
  ).map(({ id }) => id)
  const db = openDb(env.DB)
  const now = nowSeconds()
  const { id, username } = ta
  const actor = {
    id,
    username,
    displayedName: '',
    role: 2,
    email: '',
    emailConfirmedAt: null,
    confirmDueAt: null,
    bio: '',
  } as const
  const change: Change = { actor, ip: '', now }
  const submissionIds = [await submit(student, problemId), await submit(ta, problemId)] as const
  const claimOne = async (runnerId: string, lease: string) =>
    (await claimBest(db, { id: runnerId, slots: SLOTS }, lease, now)).claimed?.id ?? ''
  const first = await claimOne(left, 'the old lease, 1')
  await takeResult(workerEnv, db, first, { ...reportOf('the old lease, 1'), outputs: [] }, now)
  const second = await claimOne(left, 'the old lease, 2')
  for (const submissionId of submissionIds) await rejudge(db, { submissionId }, change)
  const base = await readRows()
  return { now, base, submissionIds, oldIds: [first, second], runnerIds: [left, right], change }
}

/** Calls about a judgement that must change nothing: with a lost lease, or after the end. */
export async function callWithoutLease({ now }: World, { row }: Job): Promise<string[]> {
  const db = openDb(env.DB)
  const { id, lease, state, status } = row
  const told = (by: string, verdict: Verdict) => ({ ...reportOf(by, verdict), outputs: [] })
  const broken: string[] = []
  const see = (rule: string, holds: boolean) => holds || broken.push(rule)
  const leases = ['a lease that was lost', ...(lease !== null && state !== 'leased' ? [lease] : [])]
  for (const by of leases) {
    // The stored result is accepted again, because its answer may have been lost. A different result is ignored.
    const isStored = state === 'done' && by === lease
    for (const verdict of isStored && status >= 0 ? [status as Verdict, STATUS.WA] : [STATUS.AC]) {
      const taken = await isAccepted(takeResult(workerEnv, db, id, told(by, verdict), now))
      see('a result is taken with the present lease, or again', taken === isStored)
    }
    // Between the check of the lease and this statement anything may happen.
    see(
      'a result is stored with the present lease',
      !(await storeResult(db, id, told(by, STATUS.WA), {}, now)),
    )
    const release = { lease: by, drained: false, reason: null }
    see(
      'a job is given back with the present lease',
      !(await releaseJudgement(db, id, release, now)),
    )
    const progress = { lease: by, phase: 'running', done: 1, total: 3 } as const
    see('progress is told with the present lease', !(await updateProgress(db, id, progress)))
  }
  return broken
}

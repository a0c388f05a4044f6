/** Accepts a result as its route does, without HTTP: finds the lease, then stores the result. */
import type { ResultReport } from '#contract/judging'
import type { Db } from '../../../worker/db/client.ts'
import type { Env } from '../../../worker/env.ts'
import { selectLease } from '../../../worker/features/judging/lease/lease-queries.ts'
import { acceptResult } from '../../../worker/features/judging/result/result.ts'

/** @param now epoch seconds */
export async function takeResult(
  env: Env,
  db: Db,
  id: string,
  report: ResultReport,
  now: number,
): ReturnType<typeof acceptResult> {
  const leaseRow = await selectLease(db, id).get()
  return acceptResult(env, db, { id, leaseRow }, report, now)
}

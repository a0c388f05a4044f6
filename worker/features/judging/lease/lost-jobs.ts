/** Ends jobs that no host finishes, and tells the pages that wait for them. */
import type { Db } from '../../../db/client.ts'
import type { Env } from '../../../env.ts'
import { sendEnds } from '../../../lib/live.ts'
import { failExhausted } from './lost-job-queries.ts'

/** Calls `failExhausted` and tells the authors' pages. */
export async function endExhausted(env: Env, db: Db, now: number, ids?: string[]): Promise<void> {
  await sendEnds(env, await failExhausted(db, now, ids))
}

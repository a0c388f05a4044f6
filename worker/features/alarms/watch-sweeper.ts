/** Calls check that the sweeper runs, because a stopped sweeper cannot report itself. */
import { eq } from 'drizzle-orm'
import { openDb } from '../../db/client.ts'
import { safeError } from '../../db/safe-error.ts'
import { vitals } from '../../db/schema.ts'
import { isSweepLate } from '../../db/vitals.ts'
import type { Env } from '../../env.ts'
import { raiseAlarm } from './tell.ts'

/** How often the calls of one isolate check the sweeper; a check reads one row. */
export const LOOK_EVERY_MS = 300_000

let lookedAtMs = -Infinity

/** Raises an alarm if the sweeper is late; checks at most every `LOOK_EVERY_MS`. @param nowMs epoch milliseconds */
export async function watchSweeper(env: Env, nowMs: number): Promise<void> {
  if (nowMs - lookedAtMs < LOOK_EVERY_MS) return
  lookedAtMs = nowMs
  const now = Math.floor(nowMs / 1000)
  try {
    const db = openDb(env.DB)
    const swept = await db
      .select({ at: vitals.value })
      .from(vitals)
      .where(eq(vitals.name, 'swept_at'))
      .get()
    if (swept && isSweepLate(swept.at, now)) await raiseAlarm(env, db, 'sweep_late', swept.at, now)
  } catch (error) {
    console.error(JSON.stringify({ alarm: 'sweep_late', error: safeError(error) }))
  }
}

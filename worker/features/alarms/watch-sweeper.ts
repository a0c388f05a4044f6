/** The sweeper cannot say that it does not run, so calls look at it. */
import { eq } from 'drizzle-orm'
import { openDb } from '../../db/client.ts'
import { safeError } from '../../db/safe-error.ts'
import { vitals } from '../../db/schema.ts'
import { isSweepLate } from '../../db/vitals.ts'
import type { Env } from '../../env.ts'
import { raiseAlarm } from './tell.ts'

/** How often one isolate looks, by its calls: a row read each time. */
export const LOOK_EVERY_MS = 300_000

let lookedAtMs = -Infinity

/** Raises an alarm if the sweeper is late; looks now and then. @param nowMs epoch milliseconds */
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

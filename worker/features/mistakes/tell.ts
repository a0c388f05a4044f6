/** Live hints for the open pages of people whose hints have changed. */
import { sql, type SQL } from 'drizzle-orm'
import type { Context } from 'hono'
import { listListeners } from '../../db/listeners.ts'
import { inBackground } from '../../http/background.ts'
import type { UserEnv } from '../../http/session.ts'
import { nowSeconds } from '../../lib/clock.ts'
import { liveChannels, sendEnds } from '../../lib/live.ts'
import type { ProblemAccess } from '../problems/access-queries.ts'
import { listTriesOf, selectTries, selectTriesWith, type About } from './hint-queries.ts'

async function sendTries<E extends UserEnv>(
  c: Context<E>,
  { courseId }: ProblemAccess,
  tries: SQL,
): Promise<void> {
  if (liveChannels(c.env) === undefined) return
  const { db } = c.var
  const among = sql`select user_id from (${tries})`
  const whom = { capability: 'course.read', but: null, among } as const
  const ids = await listListeners(db, courseId, whom, nowSeconds())
  await sendEnds(c.env, await listTriesOf(db, tries, ids))
}

/** Tells the open pages of everybody whose last failing try a hint about this concerns to read it again; after the answer. */
export function tellTries<E extends UserEnv>(
  c: Context<E>,
  problem: ProblemAccess,
  about: About,
): void {
  inBackground(c, 'hints', sendTries(c, problem, selectTries(problem.problemId, about)))
}

/** Tells the open pages of everybody whose last failing try has one of these mistakes to read it again; after the answer. */
export function tellMistakes<E extends UserEnv>(
  c: Context<E>,
  problem: ProblemAccess,
  mistakes: readonly string[],
): void {
  const list = sql`select value from json_each(${JSON.stringify(mistakes)})`
  inBackground(c, 'hints', sendTries(c, problem, selectTriesWith(problem.problemId, list)))
}

/** Makes the notices that no call makes: a homework opens or is due within a day, a Judge Error, nobody judges. */
import { NOTICE_KINDS } from '#contract/notices'
import type { Db } from '../../db/client.ts'
import { listListeners } from '../../db/listeners.ts'
import { insertNotice } from '../../db/notices.ts'
import type { Env } from '../../env.ts'
import { CHANNELS } from '../../lib/channel-limits.ts'
import { inTime } from '../../lib/clock.ts'
import { liveChannels, sendHint } from '../../lib/live.ts'
import { concerned, listTimed, type TimedNotice } from './timed-queries.ts'

/** The most people whose open pages one sweep tells, because all parts of a sweep share the calls that it may make. */
const MOST_TOLD = 300

/** Tells the open pages of those whom notices concern. */
async function tell(env: Env, db: Db, made: readonly TimedNotice[], now: number): Promise<void> {
  if (liveChannels(env) === undefined) return
  const people = new Set<number>()
  for (const notice of made) {
    const capability = NOTICE_KINDS[notice.kind].right
    const whom = { capability, but: null, among: concerned(notice) }
    for (const id of await listListeners(db, notice.courseId, whom, now)) people.add(id)
    if (people.size >= MOST_TOLD) break
  }
  const told = [...people].slice(0, MOST_TOLD)
  const sent = Promise.allSettled(told.map((id) => sendHint(env, id, { kind: 'notice' })))
  await inTime(sent, CHANNELS.answerMs)
}

/** Makes the notices whose time has come, each once, whatever other sweeps do. @param now epoch seconds */
export async function makeTimedNotices(env: Env, db: Db, now: number): Promise<void> {
  const due = await listTimed(db, now)
  for (const notice of due)
    await db.batch(insertNotice(db, { ...notice, actorId: null, mailed: concerned(notice), now }))
  if (due.length > 0) await tell(env, db, due, now)
}

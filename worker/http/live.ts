/** Opens the sockets of pages and judge hosts, and tells open pages after a call what has changed or that their session is over. */
import type { SQL } from 'drizzle-orm'
import type { Context } from 'hono'
import { LIVE } from '#contract/limits'
import type { LiveHint } from '#contract/live'
import type { Capability } from '#contract/roles'
import type { JudgingProgress } from '#contract/submissions'
import type { AppEnv, Env } from '../env.ts'
import type { Db } from '../db/client.ts'
import { listListeners, type Listeners } from '../db/listeners.ts'
import { CHANNELS } from '../lib/channel-limits.ts'
import { inTime, nowSeconds } from '../lib/clock.ts'
import { endSockets, liveChannels, sendHint, sendProgress } from '../lib/live.ts'
import { inBackground } from './background.ts'
import { AppError } from './errors.ts'
import { demandTokens } from './rate-limit.ts'
import type { UserEnv } from './session.ts'

/** The header that tells a channel who owns the socket: the hash of the session that the Worker has looked up, or the judge host. */
export const SOCKET_OWNER_HEADER = 'X-Owner'

/** Refuses calls that do not ask for a WebSocket (RFC 6455, section 4.1). */
export function demandUpgrade(c: Context): void {
  if (c.req.header('Upgrade')?.toLowerCase() !== 'websocket')
    throw new AppError('upgrade_required', null, { Upgrade: 'websocket' })
}

/** The answer of a channel that already holds as many sockets as it may. */
export const tooManySockets = () => new Response(null, { status: 429 })

/** Opens a socket at a channel. @throws AppError `live_off`, `too_many_sockets` */
export async function openSocket<E extends AppEnv>(
  c: Context<E>,
  channel: Pick<Fetcher, 'fetch'> | undefined,
  owner: string,
): Promise<Response> {
  if (!channel) throw new AppError('live_off')
  const answer = await channel.fetch(c.req.url, {
    headers: { Upgrade: 'websocket', [SOCKET_OWNER_HEADER]: owner },
  })
  if (!answer.webSocket)
    demandTokens([[{ allowed: 0, waitMs: LIVE.reconnectMs.longest }]], 'too_many_sockets')
  // A new response, because nobody can set the headers of a fetched one.
  return new Response(null, { status: 101, webSocket: answer.webSocket })
}

/** Tells the open pages of a person what has changed. */
export function tellPages<E extends AppEnv>(c: Context<E>, userId: number, hint: LiveHint): void {
  inBackground(c, 'live hint', sendHint(c.env, userId, hint))
}

/** Tells a person's pages how far judging has come, and waits until the channel remembers it, unless the channel fails or hangs. */
export async function tellProgress<E extends AppEnv>(
  c: Context<E>,
  userId: number,
  lease: string,
  update: { submissionId: string; progress: JudgingProgress },
): Promise<void> {
  const sent = sendProgress(c.env, userId, lease, update)
  inBackground(c, 'progress', sent)
  await inTime(
    sent.catch(() => null),
    CHANNELS.answerMs,
  )
}

/** A hint for many people: the same for all, or made for a person by their id. */
type HintFor = LiveHint | ((userId: number) => LiveHint)

/**
 * Tells the people of a course who have a capability there, except the caller.
 * @param among selects the ids of those who may be told; undefined: all
 */
export function tellCourse<E extends UserEnv>(
  c: Context<E>,
  courseId: number,
  hint: HintFor,
  capability: Capability,
  among?: SQL,
): void {
  const { db, user } = c.var
  inBackground(
    c,
    'live hints',
    hintCourse(c.env, db, courseId, hint, { capability, but: user.id, among }),
  )
}

/** The same, for what the sweeper or a guest does. @returns once all are told */
export async function hintCourse(
  env: Env,
  db: Db,
  courseId: number,
  hint: HintFor,
  whom: Listeners,
): Promise<void> {
  if (liveChannels(env) === undefined) return
  const ids = await listListeners(db, courseId, whom, nowSeconds())
  // A hint that fails must not end the loop before the other hints are sent.
  const hintFor = typeof hint === 'function' ? hint : () => hint
  await Promise.allSettled(ids.map(async (id) => sendHint(env, id, hintFor(id))))
}

/** Ends the sockets of a person whose sessions have ended. @param sessionHash ends only the sockets of this session */
export function endPages<E extends AppEnv>(
  c: Context<E>,
  userId: number,
  sessionHash?: string,
): void {
  inBackground(c, 'end of sockets', endSockets(c.env, userId, sessionHash))
}

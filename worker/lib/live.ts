/**
 * Sends hints to open pages, through the channel of each person, and to judge hosts, through one channel for all hosts. A lost hint
 * costs some seconds, never a verdict.
 */
import { submissionHint, type LiveHint } from '#contract/live'
import type { JudgingProgress } from '#contract/submissions'
import type { Env } from '../env.ts'
import { CHANNELS } from './channel-limits.ts'
import { inTime } from './clock.ts'

/** A namespace whose objects lie in the installation's jurisdiction; undefined where hints are switched off. */
function openNamespace<Channel extends Rpc.DurableObjectBranded>(
  env: Env,
  namespace: DurableObjectNamespace<Channel> | undefined,
) {
  if (env.LIVE_UPDATES === 'off') return undefined
  // workerd has no jurisdictions, so a local stack sets none.
  return env.JURISDICTION === 'eu' ? namespace?.jurisdiction('eu') : namespace
}

/** The namespace of channels; undefined where hints are switched off. */
export const liveChannels = (env: Env): Env['LIVE'] => openNamespace(env, env.LIVE)

const channelOf = (env: Env, userId: number) => liveChannels(env)?.getByName(String(userId))

/** Pushes a hint to all open pages of a person. */
export async function sendHint(env: Env, userId: number, hint: LiveHint): Promise<void> {
  await channelOf(env, userId)?.push(hint)
}

/** Tells people to read their submissions again: the judging is over, or staff changed a hint. Does not throw, and waits for no channel that hangs. */
export async function sendEnds(
  env: Env,
  ended: readonly { id: string; userId: number }[],
): Promise<void> {
  const reached = ended.slice(0, CHANNELS.recipients)
  await inTime(
    Promise.allSettled(
      reached.map(({ id, userId }) => sendHint(env, userId, submissionHint(id, null))),
    ),
    CHANNELS.answerMs,
  )
}

/** Remembers how far the judging of a person's submission is, and tells their open pages. */
export async function sendProgress(
  env: Env,
  userId: number,
  lease: string,
  { submissionId, progress }: { submissionId: string; progress: JudgingProgress },
): Promise<void> {
  await channelOf(env, userId)?.pushProgress(lease, submissionId, progress)
}

/** How far the judging under a lease is, by the last report; null if it is forgotten. Does not throw. */
export async function progressOf(
  env: Env,
  userId: number,
  lease: string,
): Promise<JudgingProgress | null> {
  const ask = async () => (await channelOf(env, userId)?.progressOf(lease)) ?? null
  try {
    return await inTime(ask(), CHANNELS.answerMs)
  } catch (error) {
    console.error(JSON.stringify({ live: String(error) }))
    return null
  }
}

/** Ends the sockets of a person. @param sessionHash ends only the sockets of this session */
export async function endSockets(env: Env, userId: number, sessionHash?: string): Promise<void> {
  await channelOf(env, userId)?.end(sessionHash)
}

/** Ends the sockets of people, at most `CHANNELS.recipients` of them. Does not throw. */
export async function endSocketsOf(env: Env, userIds: readonly number[]): Promise<void> {
  const reached = userIds.slice(0, CHANNELS.recipients)
  await Promise.allSettled(reached.map((id) => endSockets(env, id)))
}

/** The channel of the judge hosts; undefined where hints are switched off. */
export function hostChannel(env: Env) {
  return openNamespace(env, env.HOSTS)?.getByName('hosts')
}

/**
 * Tells as many waiting hosts as there are jobs. Does not throw, and waits for no channel that hangs, because hosts also look for
 * jobs themselves.
 * @param but the id of a host that is not told
 */
export async function wakeHosts(env: Env, jobs: number, but?: string): Promise<void> {
  try {
    await inTime(Promise.resolve(hostChannel(env)?.wake(jobs, but)), CHANNELS.answerMs)
  } catch (error) {
    console.error(JSON.stringify({ wake: jobs, error: String(error) }))
  }
}

/** Makes the channel tell another host in place of one whose claim was refused. Does not throw. */
export async function wakeAnotherHost(env: Env, runnerId: string): Promise<void> {
  try {
    await inTime(Promise.resolve(hostChannel(env)?.passOn(runnerId)), CHANNELS.answerMs)
  } catch (error) {
    console.error(JSON.stringify({ wake: `not ${runnerId}`, error: String(error) }))
  }
}

/** Ends the sockets of a judge host. */
export async function endHostSockets(env: Env, runnerId: string): Promise<void> {
  await hostChannel(env)?.end(runnerId)
}

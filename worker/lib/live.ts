/** Hints to open pages, through the channel of each person. A lost hint costs a page some seconds, never a verdict. */
import type { LiveHint } from '#contract/live'
import type { Env } from '../env.ts'

/** The namespace of channels; undefined where hints are switched off. */
export function liveChannels(env: Env): Env['LIVE'] {
  return env.LIVE_UPDATES === 'off' ? undefined : env.LIVE
}

const channelOf = (env: Env, userId: number) => liveChannels(env)?.getByName(String(userId))

/** Pushes a hint to all open pages of a person. */
export async function sendHint(env: Env, userId: number, hint: LiveHint): Promise<void> {
  await channelOf(env, userId)?.push(hint)
}

/** Ends the sockets of a person. @param sessionHash those of one session only */
export async function endSockets(env: Env, userId: number, sessionHash?: string): Promise<void> {
  await channelOf(env, userId)?.end(sessionHash)
}

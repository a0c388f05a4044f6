/** What calls tell open pages, after their answer: hints, and that a session is over. */
import type { Context } from 'hono'
import type { LiveHint } from '#contract/live'
import type { AppEnv } from '../env.ts'
import { endSockets, sendHint } from '../lib/live.ts'
import { inBackground } from './background.ts'

/** Tells the open pages of a person what has changed. */
export function tellPages<E extends AppEnv>(c: Context<E>, userId: number, hint: LiveHint): void {
  inBackground(c, 'live hint', sendHint(c.env, userId, hint))
}

/** Ends the sockets of a person whose sessions have ended. @param sessionHash one of them only */
export function endPages<E extends AppEnv>(
  c: Context<E>,
  userId: number,
  sessionHash?: string,
): void {
  inBackground(c, 'end of sockets', endSockets(c.env, userId, sessionHash))
}

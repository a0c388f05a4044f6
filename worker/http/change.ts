/** Who makes a change, from where and when. Every writing query needs this for its rows and its audit entry. */
import type { Context } from 'hono'
import type { SessionUser } from '../db/sessions.ts'
import { nowSeconds } from '../lib/clock.ts'
import { clientIp } from './client.ts'
import type { UserEnv } from './session.ts'

/** A change made by a signed-in call. `now` in epoch seconds. */
export interface Change {
  actor: SessionUser
  ip: string
  now: number
}

/** The change this call is about to make. */
export function changeOf<E extends UserEnv>(c: Context<E>): Change {
  return { actor: c.get('user'), ip: clientIp(c), now: nowSeconds() }
}

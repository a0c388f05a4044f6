/** GET /live: opens the socket over which hints come. */
import { Hono } from 'hono'
import { AppError } from '../../http/errors.ts'
import { requireUser, type UserEnv } from '../../http/session.ts'
import { liveChannels } from '../../lib/live.ts'
import { SESSION_HEADER } from './channel.ts'

/** Whether an upgrade comes from a page of the judge: any page may ask for one, and browsers send the cookie along. */
function isOwnPage(url: string, origin: string | undefined, webOrigin: string | undefined) {
  return origin !== undefined && (origin === webOrigin || origin === new URL(url).origin)
}

export const live = new Hono<UserEnv>().get('/live', requireUser, async (c) => {
  const { sessionHash, user } = c.var
  if (sessionHash === null) throw new AppError('token_scope', { scope: null })
  if (c.req.header('Upgrade')?.toLowerCase() !== 'websocket')
    throw new AppError('upgrade_required', null, { Upgrade: 'websocket' })
  if (!isOwnPage(c.req.url, c.req.header('Origin'), c.env.WEB_ORIGIN))
    throw new AppError('cross_site')
  const channels = liveChannels(c.env)
  if (!channels) throw new AppError('live_off')
  const answer = await channels.getByName(String(user.id)).fetch(c.req.url, {
    headers: { Upgrade: 'websocket', [SESSION_HEADER]: sessionHash },
  })
  // A new one: the headers of an answer from elsewhere cannot be set.
  return new Response(null, { status: 101, webSocket: answer.webSocket })
})

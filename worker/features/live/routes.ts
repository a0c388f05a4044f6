/** GET /live: opens the socket over which a page gets hints. */
import { findSessionUser } from '../../db/sessions.ts'
import { AppError } from '../../http/errors.ts'
import { demandUpgrade, endPages, openSocket } from '../../http/live.ts'
import { route } from '../../http/route.ts'
import { nowSeconds } from '../../lib/clock.ts'
import { liveChannels } from '../../lib/live.ts'

/** Whether an upgrade comes from a page of the judge: any site's page may ask for one, and browsers send the cookie with it. */
function isOwnPage(url: string, origin: string | undefined, webOrigin: string | undefined) {
  return origin !== undefined && (origin === webOrigin || origin === new URL(url).origin)
}

export const live = [
  route('GET /live', async (c) => {
    demandUpgrade(c)
    const { sessionHash, user } = c.var
    if (sessionHash === null) throw new AppError('token_scope', { scope: null })
    if (!isOwnPage(c.req.url, c.req.header('Origin'), c.env.WEB_ORIGIN))
      throw new AppError('cross_site')
    const channel = liveChannels(c.env)?.getByName(String(user.id))
    const answer = await openSocket(c, channel, sessionHash)
    // If the session has ended since its look-up, nothing has closed the new socket yet.
    if (!(await findSessionUser(c.var.db, sessionHash, nowSeconds()))) {
      endPages(c, user.id, sessionHash)
      throw new AppError('not_signed_in')
    }
    return answer
  }),
]

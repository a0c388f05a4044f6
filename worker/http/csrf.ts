/**
 * Refuses state changes that another site's page, or a text on this site, could have caused. Browsers send `Sec-Fetch-Site`,
 * `-Dest` and `-Mode` (Fetch Metadata, W3C) with every request and no page can forge them; no foreign page has a bearer token.
 */
import type { Context } from 'hono'
import type { AppEnv } from '../env.ts'
import { bearerToken } from './client.ts'
import { AppError } from './errors.ts'

/**
 * For calls that change something.
 * @throws AppError `cross_site` or `unsafe_get`
 */
export function demandOwnSite<E extends AppEnv>(c: Context<E>): void {
  if (bearerToken(c) !== null) return
  const site = c.req.header('Sec-Fetch-Site')
  const isConfigured = c.env.WEB_ORIGIN !== undefined && c.req.header('Origin') === c.env.WEB_ORIGIN
  const isGet = c.req.method === 'GET' || c.req.method === 'HEAD'
  if (isGet && site === undefined) throw new AppError('unsafe_get')
  if (site !== 'same-origin' && !(site === 'same-site' && isConfigured))
    throw new AppError('cross_site')
  // An image or a link in somebody's text makes the app's own pages send a GET. Downloads and prefetches have the
  // `Sec-Fetch-Dest` of a script's call, but not its `Sec-Fetch-Mode`.
  const isOfScript =
    c.req.header('Sec-Fetch-Dest') === 'empty' &&
    (c.req.header('Sec-Fetch-Mode') ?? 'cors') === 'cors'
  if (isGet && !isOfScript) throw new AppError('unsafe_get')
}

/**
 * Refuses state changes that another site's page could have caused. Browsers send
 * `Sec-Fetch-Site` (Fetch Metadata, W3C) with every request and no page can forge it; a bearer token
 * is something no foreign page has.
 */
import { createMiddleware } from 'hono/factory'
import { isWrite } from '#contract/calls'
import type { AppEnv } from '../env.ts'
import { bearerToken, pathOf } from './client.ts'
import { AppError } from './errors.ts'

/** Middleware for the whole API. */
export const csrf = createMiddleware<AppEnv>(async (c, next) => {
  if (!isWrite(c.req.method, pathOf(c)) || bearerToken(c) !== null) return next()
  const site = c.req.header('Sec-Fetch-Site')
  const isConfigured = c.env.WEB_ORIGIN !== undefined && c.req.header('Origin') === c.env.WEB_ORIGIN
  if (site === 'same-origin' || (site === 'same-site' && isConfigured)) return next()
  throw new AppError('cross_site')
})

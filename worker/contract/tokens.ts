/** Personal API tokens and their scopes. */
import * as z from 'zod'
import { epochSeconds, hexId, intBetween, listOf, requiredText } from '#contract/fields'
import { API_TOKENS } from '#contract/limits'

/**
 * What a token may do, always within its owner's rights.
 * - `read`: GETs
 * - `submit`: hand in code
 * - `manage`: every other change
 * - `admin`: the admin's calls and batch sign-up
 */
export const TOKEN_SCOPES = ['read', 'submit', 'manage', 'admin'] as const
const tokenScope = z.enum(TOKEN_SCOPES)
export type TokenScope = z.infer<typeof tokenScope>

/** POST /auth/tokens. `days`: its lifetime. */
export const newToken = z.object({
  name: requiredText(API_TOKENS.name),
  scopes: listOf(tokenScope, TOKEN_SCOPES.length, 1),
  days: intBetween(1, API_TOKENS.daysMax).default(API_TOKENS.daysDefault),
})
export type NewToken = z.infer<typeof newToken>

/** A token in GET /auth/tokens, without its secret. Times in epoch seconds. */
export const tokenItem = z.object({
  id: hexId,
  name: z.string(),
  scopes: z.array(tokenScope),
  createTime: epochSeconds,
  expireTime: epochSeconds,
  lastUsed: epochSeconds.nullable(),
})
export type TokenItem = z.infer<typeof tokenItem>

/** Answer of POST /auth/tokens. The token itself is shown only here. */
export const createdToken = tokenItem.extend({ token: z.string() })
export type CreatedToken = z.infer<typeof createdToken>

const SAFE_METHODS = new Set(['GET', 'HEAD'])
const ADMIN_PATHS = /^\/(user|audit|runners|storage|course\/summary)(\/|$)/

/** GETs of the spec that change something. */
const UNSAFE_GET = /^\/submission\/[^/]+\/rejudge$/

/** Whether a call changes something. @param path below the API's base */
export function isWrite(method: string, path: string): boolean {
  return !SAFE_METHODS.has(method) || UNSAFE_GET.test(path)
}

/**
 * The scope that a call by token needs; null when no token may make it: what concerns the account itself
 * (password, sessions, tokens, export) is for its owner at a browser. So is giving anybody a role, which the body tells.
 * @param path below the API's base, e.g. `/submission`
 */
export function scopeOf(method: string, path: string): TokenScope | null {
  const isRead = !isWrite(method, path)
  if (path === '/auth/me' && isRead) return 'read'
  if (path.startsWith('/auth/batch-signup')) return isRead ? 'read' : 'admin'
  if (path.startsWith('/auth/')) return null
  if (ADMIN_PATHS.test(path)) return 'admin'
  if (isRead) return 'read'
  const isSubmit = method === 'POST' ? path === '/submission' : /^\/submission\/[^/]+$/.test(path)
  return isSubmit && method !== 'DELETE' ? 'submit' : 'manage'
}

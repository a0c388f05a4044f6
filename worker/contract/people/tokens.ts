/** Personal API tokens and their scopes. */
import * as z from 'zod'
import { epochSeconds, hexId, intBetween, listOf, visibleName } from '#contract/fields'
import { API_TOKENS } from '#contract/limits'

/**
 * What a token may do, always within its owner's rights.
 * - `read`: GETs
 * - `submit`: hand in code
 * - `manage`: every other change
 * - `admin`: batch sign-up, POST /runners/requeue and the admin's calls
 * - `queue`: GET /runners/queue, for a program that rents judge hosts
 */
export const TOKEN_SCOPES = ['read', 'submit', 'manage', 'admin', 'queue'] as const
const tokenScope = z.enum(TOKEN_SCOPES)
export type TokenScope = z.infer<typeof tokenScope>

/** POST /auth/tokens. `days`: the token's lifetime. */
export const newToken = z.object({
  name: visibleName(API_TOKENS.name),
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

/** Personal API tokens. */
import { and, desc, eq, gt, lte, sql } from 'drizzle-orm'
import { API_TOKENS } from '#contract/limits'
import type { CreatedToken, NewToken, TokenItem } from '#contract/people/tokens'
import { insertAudit } from '../../db/audit.ts'
import type { Db } from '../../db/client.ts'
import { demand } from '../../db/demand.ts'
import { apiTokens } from '../../db/schema.ts'
import type { Change } from '../../http/change.ts'
import { newHexId, newSecret, sha256Hex } from '../../lib/ids.ts'

/** Row → contract. */
function toTokenItem(row: typeof apiTokens.$inferSelect): TokenItem {
  const { id, name, scopes, createdAt, expiresAt, lastUsedAt } = row
  return { id, name, scopes, createTime: createdAt, expireTime: expiresAt, lastUsed: lastUsedAt }
}

/** A person's live tokens, newest first. */
export async function listTokens(db: Db, userId: number, now: number): Promise<TokenItem[]> {
  const rows = await db
    .select()
    .from(apiTokens)
    .where(and(eq(apiTokens.userId, userId), gt(apiTokens.expiresAt, now)))
    .orderBy(desc(apiTokens.id))
  return rows.map(toTokenItem)
}

/** Makes a token. Only this answer shows the token. */
export async function insertToken(db: Db, form: NewToken, change: Change): Promise<CreatedToken> {
  const { actor, now } = change
  const token = newSecret()
  const row = {
    id: newHexId(Date.now()),
    userId: actor.id,
    name: form.name,
    scopes: [...new Set(form.scopes)],
    tokenHash: await sha256Hex(token),
    createdAt: now,
    expiresAt: now + form.days * 86_400,
    lastUsedAt: null,
  }
  const own = sql`select count(*) from ${apiTokens} where ${apiTokens.userId} = ${actor.id}`
  await db.batch([
    // Expired tokens make room.
    db.delete(apiTokens).where(and(eq(apiTokens.userId, actor.id), lte(apiTokens.expiresAt, now))),
    demand(db, 'too_many_tokens', sql`(${own}) < ${API_TOKENS.perUser}`, {
      limit: API_TOKENS.perUser,
    }),
    db.insert(apiTokens).values(row),
    insertAudit(db, change, {
      action: 'token.create',
      subject: row.id,
      detail: { scopes: row.scopes },
    }),
  ])
  return { ...toTokenItem(row), token }
}

/** Revokes one of a person's own tokens. */
export async function deleteToken(db: Db, id: string, change: Change): Promise<void> {
  const isOwn = and(eq(apiTokens.id, id), eq(apiTokens.userId, change.actor.id))
  await db.batch([
    demand(db, 'token_not_found', sql`exists (select 1 from ${apiTokens} where ${isOwn})`),
    db.delete(apiTokens).where(isOwn),
    insertAudit(db, change, { action: 'token.delete', subject: id }),
  ])
}

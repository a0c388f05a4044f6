/** Personal API tokens. */
import { and, desc, eq, gt, lte, sql } from 'drizzle-orm'
import { API_TOKENS } from '#contract/limits'
import type { CreatedToken, NewToken, TokenItem } from '#contract/people/tokens'
import { insertAudit } from '../../db/audit.ts'
import type { Db } from '../../db/client.ts'
import { apiTokens } from '../../db/schema.ts'
import { insertSelect } from '../../db/statements.ts'
import type { Change } from '../../http/change.ts'
import { AppError } from '../../http/errors.ts'
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

/** Makes a token. Only this answer shows it. */
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
  const made = sql`exists (select 1 from ${apiTokens} where ${apiTokens.id} = ${row.id})`
  const [, inserted] = await db.batch([
    // Expired ones make room.
    db.delete(apiTokens).where(and(eq(apiTokens.userId, actor.id), lte(apiTokens.expiresAt, now))),
    insertSelect<typeof apiTokens, { id: string }>(
      db,
      apiTokens,
      row,
      sql`where (select count(*) from ${apiTokens} where ${apiTokens.userId} = ${actor.id}) < ${API_TOKENS.perUser}
        returning ${apiTokens.id}`,
    ),
    insertAudit(db, change, {
      action: 'token.create',
      subject: row.id,
      detail: { scopes: row.scopes },
      when: made,
    }),
  ])
  if (inserted.length === 0) throw new AppError('too_many_tokens', { limit: API_TOKENS.perUser })
  return { ...toTokenItem(row), token }
}

/** Revokes one of a person's own tokens; false when there is none of that id. */
export async function deleteToken(db: Db, id: string, change: Change): Promise<boolean> {
  const { actor } = change
  const [, gone] = await db.batch([
    insertAudit(db, change, {
      action: 'token.delete',
      subject: id,
      when: sql`exists (select 1 from ${apiTokens} where ${apiTokens.id} = ${id} and ${apiTokens.userId} = ${actor.id})`,
    }),
    db
      .delete(apiTokens)
      .where(and(eq(apiTokens.id, id), eq(apiTokens.userId, actor.id)))
      .returning({ id: apiTokens.id }),
  ])
  return gone.length > 0
}

/** A person's own texts for answers: one row, edited as a whole. */
import { eq, sql } from 'drizzle-orm'
import type { Db } from '../../db/client.ts'
import { isVersion } from '../../db/edits.ts'
import { savedReplies } from '../../db/schema.ts'
import { AppError } from '../../http/errors.ts'

/** The texts and their version, which is 0 before the first edit. */
export async function getSavedReplies(db: Db, userId: number) {
  const row = await db
    .select({ replies: savedReplies.replies, version: savedReplies.version })
    .from(savedReplies)
    .where(eq(savedReplies.userId, userId))
    .get()
  return row ?? { replies: [], version: 0 }
}

/** Replaces the texts. @param basedOn version the edit was made on; null overwrites any version */
export async function replaceSavedReplies(
  db: Db,
  userId: number,
  replies: string[],
  basedOn: number | null,
): Promise<void> {
  const saved = await db
    .insert(savedReplies)
    .values({ userId, replies })
    .onConflictDoUpdate({
      target: savedReplies.userId,
      set: { replies, version: sql`${savedReplies.version} + 1` },
      setWhere: isVersion(savedReplies.version, basedOn),
    })
    .returning({ userId: savedReplies.userId })
  if (saved.length === 0) throw new AppError('stale_edit')
}

/** SQL of the hashes that a batch sign-up puts aside, step by step, until all are stored at once. */
import { and, asc, eq, sql, type SQL } from 'drizzle-orm'
import { rawQuery, type Db } from '../../../db/client.ts'
import { operations, signupHashes } from '../../../db/schema.ts'
import { excluded, insertSelect, onConflictUpdate } from '../../../db/statements.ts'

/** The statement that stores the hashes of a step. The same step again replaces them. */
export function insertHashes(
  db: Db,
  operationId: string,
  hashes: { position: number; passwordHash: string }[],
) {
  return insertSelect(
    db,
    signupHashes,
    {
      operationId,
      position: sql`value ->> 'position'`,
      passwordHash: sql`value ->> 'passwordHash'`,
    },
    sql`from json_each(${JSON.stringify(hashes)}) where true
    ${onConflictUpdate(signupHashes, [signupHashes.operationId, signupHashes.position], { passwordHash: excluded(signupHashes.passwordHash) })}`,
  )
}

/** The hashes of an operation in the order of its writes. */
export async function listHashes(db: Db, operationId: string) {
  return db
    .select({ position: signupHashes.position, passwordHash: signupHashes.passwordHash })
    .from(signupHashes)
    .where(eq(signupHashes.operationId, operationId))
    .orderBy(asc(signupHashes.position))
}

/** Those of the keys of stored plans whose operation is open: `signups/<operation>`. */
export async function listOpenSignups(db: Db, keys: string[]): Promise<string[]> {
  const rows = await rawQuery<{ key: string }>(
    db,
    sql`select k.value as key from json_each(${JSON.stringify(keys)}) k
      cross join ${operations} on ${operations.id} = substr(k.value, 9) and ${operations.finishedAt} is null`,
  )
  return rows.map((row) => row.key)
}

/** Deletes hashes of operations that ended without storing them. */
export async function deleteLeftHashes(db: Db): Promise<void> {
  await db.delete(signupHashes).where(
    sql`not exists (select 1 from ${operations}
      where ${operations.id} = ${signupHashes.operationId} and ${operations.finishedAt} is null)`,
  )
}

/** The statement that forgets them. @param when a condition */
export function deleteHashes(db: Db, operationId: string, when?: SQL) {
  return db.delete(signupHashes).where(and(eq(signupHashes.operationId, operationId), when))
}

/**
 * Binds bucket and database: both hold the installation's id. The sweeper deletes only if the two ids are equal: a wrong database
 * id, a second installation on the bucket or a lost database must not empty it.
 */
import { eq, sql } from 'drizzle-orm'
import type { BatchItem } from 'drizzle-orm/batch'
import type { Db } from '../../db/client.ts'
import { SWEEP } from '../../db/retention.ts'
import { installation, testDataVersions } from '../../db/schema.ts'
import { excluded } from '../../db/statements.ts'
import type { Env } from '../../env.ts'
import { listNamedTestData } from '../problems/test-data-queries.ts'
import { newSecret } from '../../lib/ids.ts'

/** The key of the object with the id. It has none of the prefixes under which the sweeper looks for orphans. */
const ID_KEY = 'installation-id'

/** The installation's row; undefined before the first sweep. */
export async function getInstallation(db: Db) {
  return db.select().from(installation).where(eq(installation.id, 1)).get()
}

/**
 * Whether database and bucket belong together and may get one id. They do if the database names nearly all test data of the
 * bucket, or if both are empty.
 */
async function belongTogether(env: Env, db: Db): Promise<boolean> {
  const [{ objects: any }, { objects }] = await Promise.all([
    env.BUCKET.list({ limit: 1 }),
    env.BUCKET.list({ prefix: 'test-data/', limit: SWEEP.objects }),
  ])
  if (objects.length === 0) {
    const version = await db
      .select({ id: testDataVersions.id })
      .from(testDataVersions)
      .limit(1)
      .get()
    return any.length === 0 && version === undefined
  }
  const named = await listNamedTestData(
    db,
    objects.map(({ key }) => key),
  )
  return named.length >= objects.length * (1 - SWEEP.orphanShare)
}

/**
 * Writes the database's id into the bucket; the database gets one first if it has none.
 * @param alongside further statements of the same transaction
 */
export async function adoptBucket(
  env: Env,
  db: Db,
  alongside: BatchItem<'sqlite'>[] = [],
): Promise<void> {
  const [rows] = await db.batch([
    db
      .insert(installation)
      .values({ id: 1, token: newSecret(), state: 'ok' })
      .onConflictDoUpdate({
        target: installation.id,
        set: {
          token: sql`coalesce(${installation.token}, ${excluded(installation.token)})`,
          state: 'ok',
        },
      })
      .returning({ token: installation.token }),
    ...alongside,
  ])
  if (rows[0]) await env.BUCKET.put(ID_KEY, rows[0].token)
}

/**
 * Checks whether the bucket belongs to this database, and stores the answer. If neither has an id but both plainly belong
 * together (`belongTogether`), both get the same new id.
 */
export async function isBucketOurs(env: Env, db: Db): Promise<boolean> {
  const [known, object] = await Promise.all([getInstallation(db), env.BUCKET.get(ID_KEY)])
  const [own, there] = [known?.token ?? null, (await object?.text()) ?? null]
  if (own === null && there === null && (await belongTogether(env, db))) {
    await adoptBucket(env, db)
    return true
  }
  const isOurs = own !== null && own === there
  const state = isOurs ? (known?.state === 'held' ? 'held' : 'ok') : 'mismatch'
  if (state !== known?.state)
    await db
      .insert(installation)
      .values({ id: 1, state })
      .onConflictDoUpdate({ target: installation.id, set: { state } })
  return isOurs
}

/** A page of the bucket's list that has more orphans than may be deleted without confirmation. */
interface HeldPage {
  prefix: string
  orphans: number
  objects: number
}

/** Stops deleting until an admin confirms it. */
export async function holdDeletions(db: Db, held: HeldPage): Promise<void> {
  await db.update(installation).set({ state: 'held', held }).where(eq(installation.id, 1))
}

/** Allows deleting pages with many orphans for a day. @param alongside further statements of the same transaction */
export async function confirmDeletions(
  db: Db,
  now: number,
  alongside: BatchItem<'sqlite'>[] = [],
): Promise<void> {
  await db.batch([
    db
      .update(installation)
      .set({ state: 'ok', held: null, confirmedAt: now })
      .where(eq(installation.id, 1)),
    ...alongside,
  ])
}

/**
 * Whether pages with many orphans may be deleted.
 * @param now epoch seconds
 */
export function mayDeleteMany({ confirmedAt }: { confirmedAt: number | null }, now: number) {
  return confirmedAt !== null && confirmedAt <= now && now < confirmedAt + SWEEP.confirmedSeconds
}

/**
 * Objects in R2 that nothing names any more: outputs of judgements that were superseded, test data of what was
 * purged, plans of sign-ups and tokens of copy searches that failed, and what a call left behind that died half way.
 * Each run of the sweeper looks at one page per kind and goes on where the last one ended, so that its cost does not
 * grow with the bucket.
 */
import { eq } from 'drizzle-orm'
import { SWEEP } from '#contract/limits'
import type { Db } from '../db/client.ts'
import { safeError } from '../db/safe-error.ts'
import { sweepPositions } from '../db/schema.ts'
import type { Env } from '../env.ts'
import { listOpenSignups } from '../features/auth/batch-signup-queries.ts'
import { listOpenTokens } from '../features/copycat/queries.ts'
import { listNamedOutputs } from '../features/judging/result-queries.ts'
import { listNamedTestData } from '../features/problems/test-data-queries.ts'

/** Of these keys, those that something names. */
type ListNamed = (db: Db, keys: string[]) => Promise<string[]>

/** Every kind of object there is, by the beginning of its key. */
const KINDS: Readonly<Record<string, ListNamed>> = {
  'copycat/': listOpenTokens,
  'outputs/': listNamedOutputs,
  'signups/': listOpenSignups,
  'test-data/': listNamedTestData,
}

/**
 * The next page of every kind. Each stands alone: one that fails does not keep the others from being looked at.
 * @param now epoch seconds
 * @param pageSize objects of each kind that are looked at
 */
export async function deleteOrphans(
  env: Env,
  db: Db,
  now: number,
  pageSize: number = SWEEP.objects,
): Promise<void> {
  for (const [prefix, listNamed] of Object.entries(KINDS))
    await deleteOrphansOf(env, db, { prefix, listNamed, now, pageSize }).catch((error: unknown) =>
      console.error(JSON.stringify({ orphans: prefix, error: safeError(error) })),
    )
}

/** A page of one kind. */
interface Page {
  prefix: string
  listNamed: ListNamed
  now: number
  pageSize: number
}

async function deleteOrphansOf(
  env: Env,
  db: Db,
  { prefix, listNamed, now, pageSize }: Page,
): Promise<void> {
  const is = eq(sweepPositions.prefix, prefix)
  const position = (await db.select().from(sweepPositions).where(is).get())?.after ?? ''
  const page = await env.BUCKET.list({
    prefix,
    limit: pageSize,
    ...(position !== '' && { startAfter: position }),
  })
  const settled = (now - SWEEP.orphanSeconds) * 1000
  const keys = page.objects.filter((object) => object.uploaded.getTime() < settled)
  const named = new Set(
    keys.length > 0
      ? await listNamed(
          db,
          keys.map(({ key }) => key),
        )
      : [],
  )
  const orphans = keys.map(({ key }) => key).filter((key) => !named.has(key))
  if (orphans.length > 0) await env.BUCKET.delete(orphans)
  const after = page.truncated ? (page.objects.at(-1)?.key ?? '') : ''
  if (after === position) return
  await db
    .insert(sweepPositions)
    .values({ prefix, after })
    .onConflictDoUpdate({ target: sweepPositions.prefix, set: { after } })
}

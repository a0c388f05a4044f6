/**
 * Objects in R2 that nothing names any more: outputs of judgements that were superseded, test data of what was
 * purged, plans of sign-ups and tokens of copy searches that failed, and what a call left behind that died half way.
 * Each run of the sweeper looks at one page per kind and goes on where the last one ended, so that its cost does not
 * grow with the bucket. What nothing names is marked, and goes if that is still so a week later: a database that was
 * put back by mistake can be exchanged for the right one until then.
 */
import { and, eq, lte, sql, type SQL } from 'drizzle-orm'
import { SWEEP } from '#contract/limits'
import { execute, type Db } from '../db/client.ts'
import { safeError } from '../db/safe-error.ts'
import { orphans, sweepPositions } from '../db/schema.ts'
import type { Env } from '../env.ts'
import { listOpenSignups } from '../features/auth/batch-signup-queries.ts'
import { listOpenTokens } from '../features/copycat/queries.ts'
import { listNamedOutputs } from '../features/judging/result-queries.ts'
import { listNamedTestData } from '../features/problems/test-data-queries.ts'
import { getInstallation, holdDeletions, mayDeleteMany } from '../features/storage/installation.ts'

/** Of these keys, those that something names. */
type ListNamed = (db: Db, keys: string[]) => Promise<string[]>

/** Every kind of object there is, by the beginning of its key. */
const KINDS: Readonly<Record<string, ListNamed>> = {
  'copycat/': listOpenTokens,
  'outputs/': listNamedOutputs,
  'signups/': listOpenSignups,
  'test-data/': listNamedTestData,
}

/** A page of one kind. */
interface Page {
  prefix: string
  listNamed: ListNamed
  now: number
  pageSize: number
  /** Whether many of them may go. */
  isConfirmed: boolean
}

/**
 * The next page of every kind; each stands alone: one that fails does not keep the others from being looked at. After
 * a page of which too many would go nothing more is deleted until an admin confirms it.
 * @param now epoch seconds
 * @param pageSize objects of each kind that are looked at
 * @returns false while that is waited for
 */
export async function deleteOrphans(
  env: Env,
  db: Db,
  now: number,
  pageSize: number = SWEEP.objects,
): Promise<boolean> {
  const known = await getInstallation(db)
  if (known?.state !== 'ok') return false
  const isConfirmed = mayDeleteMany(known, now)
  for (const [prefix, listNamed] of Object.entries(KINDS))
    try {
      const page = { prefix, listNamed, now, pageSize, isConfirmed }
      if (!(await deleteOrphansOf(env, db, page))) return false
    } catch (error) {
      console.error(JSON.stringify({ orphans: prefix, error: safeError(error) }))
    }
  return true
}

/** Looks at a page and goes on to the next; false when too many objects of it would go. */
async function deleteOrphansOf(
  env: Env,
  db: Db,
  { prefix, listNamed, now, pageSize, isConfirmed }: Page,
): Promise<boolean> {
  const is = eq(sweepPositions.prefix, prefix)
  const position = (await db.select().from(sweepPositions).where(is).get())?.after ?? ''
  const page = await env.BUCKET.list({
    prefix,
    limit: pageSize,
    ...(position !== '' && { startAfter: position }),
  })
  const settled = (now - SWEEP.orphanSeconds) * 1000
  const keys = page.objects
    .filter((object) => object.uploaded.getTime() < settled)
    .map(({ key }) => key)
  const due = keys.length > 0 ? await markOrphans(db, keys, await listNamed(db, keys), now) : []
  const objects = page.objects.length
  if (due.length > Math.max(1, objects * SWEEP.orphanShare) && !isConfirmed) {
    await holdDeletions(db, { prefix, orphans: due.length, objects })
    return false
  }
  if (due.length > 0) {
    await env.BUCKET.delete(due)
    await db.delete(orphans).where(isOneOf(due))
  }
  const after = page.truncated ? (page.objects.at(-1)?.key ?? '') : ''
  if (after !== position)
    await db
      .insert(sweepPositions)
      .values({ prefix, after })
      .onConflictDoUpdate({ target: sweepPositions.prefix, set: { after } })
  return true
}

/** The condition that an orphan is one of these. */
function isOneOf(keys: string[]): SQL {
  return sql`${orphans.key} in (select value from json_each(${JSON.stringify(keys)}))`
}

/** Marks what nothing names, takes the marks off what is named; gives those that have been marked for long enough. */
async function markOrphans(
  db: Db,
  keys: string[],
  named: string[],
  now: number,
): Promise<string[]> {
  const isNamed = new Set(named)
  const unnamed = keys.filter((key) => !isNamed.has(key))
  const [, , due] = await db.batch([
    db.delete(orphans).where(isOneOf(named)),
    execute(
      db,
      sql`insert into ${orphans} (key, since) select value, ${now} from json_each(${JSON.stringify(unnamed)}) where true
        on conflict do nothing`,
    ),
    db
      .select({ key: orphans.key })
      .from(orphans)
      .where(and(isOneOf(unnamed), lte(orphans.since, now - SWEEP.markedSeconds))),
  ])
  return due.map(({ key }) => key)
}

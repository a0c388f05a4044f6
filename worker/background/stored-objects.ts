/**
 * Deletes orphans: objects in R2 that no row names. Orphans come from superseded judgements, purged problems, failed copy searches,
 * packed submissions and outputs, requests that are over, and calls that died half way. Each sweep looks at one page per kind and continues where the last
 * sweep ended, so its cost does not grow with the bucket. At the end of a kind the sweep waits an hour, because R2 bills listings
 * most. An orphan is marked first and deleted a week later if it is still one: until then a wrongly restored database can be
 * exchanged for the right one.
 */
import { and, lte, sql, type SQL } from 'drizzle-orm'
import type { Db } from '../db/client.ts'
import { SWEEP } from '../db/retention.ts'
import { safeError } from '../db/safe-error.ts'
import { orphans, packs } from '../db/schema.ts'
import { insertSelect } from '../db/statements.ts'
import { moveCursor, readCursors, type Cursor } from '../db/sweep-cursors.ts'
import type { Env } from '../env.ts'
import { listOpenTokens } from '../features/copycat/queries.ts'
import { listNamedOutputs } from '../features/judging/result/result-queries.ts'
import { listNamedFiles } from '../features/problems/file-queries.ts'
import { listNamedTestData } from '../features/problems/test-data-queries.ts'
import { listNamedRequestFiles } from '../features/questions/request-queries.ts'
import { listNamedOutputPacks, listNamedPacks } from '../features/storage/pack-queries.ts'
import { getInstallation, holdDeletions, mayDeleteMany } from '../features/storage/installation.ts'

/** Returns those of the keys that a database row still refers to. */
type ListNamed = (db: Db, keys: string[]) => Promise<string[]>

/** Every kind of object, by the prefix of its key. */
const KINDS: Readonly<Record<string, ListNamed>> = {
  'copycat/': listOpenTokens,
  'files/': listNamedFiles,
  'output-packs/': listNamedOutputPacks,
  'outputs/': listNamedOutputs,
  'packs/': listNamedPacks,
  'requests/': listNamedRequestFiles,
  'test-data/': listNamedTestData,
}

/** A page of one kind. */
interface Page {
  prefix: string
  listNamed: ListNamed
  cursor: Cursor
  now: number
  pageSize: number
  /** An admin has confirmed that many orphans may be deleted. */
  isConfirmed: boolean
}

/**
 * Looks at the next page of every kind. A kind that fails does not stop the other kinds. When too many objects of a page are
 * orphans, nothing more is deleted until an admin confirms it.
 * @param now epoch seconds
 * @param pageSize objects looked at, per kind
 * @returns false while an admin has to confirm
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
  const cursors = await readCursors(db)
  for (const [prefix, listNamed] of Object.entries(KINDS))
    try {
      const cursor = cursors.get(prefix) ?? { after: '', restUntil: 0 }
      if (isResting(cursor, now)) continue
      const page = { prefix, listNamed, cursor, now, pageSize, isConfirmed }
      if (!(await deleteOrphansOf(env, db, page))) return false
    } catch (error) {
      console.error(JSON.stringify({ orphans: prefix, error: safeError(error) }))
    }
  return true
}

/** Whether a kind rests after its last page. An end more than a whole rest away came from a clock that ran ahead and does not count. */
function isResting({ restUntil }: Cursor, now: number): boolean {
  return now < restUntil && restUntil - now <= SWEEP.restSeconds
}

/** Looks at one page and moves on. False when too many objects of the page are orphans. */
async function deleteOrphansOf(
  env: Env,
  db: Db,
  { prefix, listNamed, cursor, now, pageSize, isConfirmed }: Page,
): Promise<boolean> {
  const page = await env.BUCKET.list({
    prefix,
    limit: pageSize,
    ...(cursor.after !== '' && { startAfter: cursor.after }),
  })
  const settled = (now - SWEEP.orphanSeconds) * 1000
  const keys = page.objects
    .filter((object) => object.uploaded.getTime() < settled)
    .map(({ key }) => key)
  const marked = keys.length > 0 ? await markOrphans(db, keys, await listNamed(db, keys), now) : []
  const due = marked.map(({ key }) => key)
  const unexpected = marked.filter(({ isExpected }) => !isExpected).length
  const objects = page.objects.length
  if (unexpected > Math.max(1, objects * SWEEP.orphanShare) && !isConfirmed) {
    await holdDeletions(db, { prefix, orphans: unexpected, objects })
    return false
  }
  if (due.length > 0) {
    // The rows are deleted first, because nothing would ever find a row whose object is gone.
    await db.delete(packs).where(sql`${packs.objectKey} in (${keysOf(due)})`)
    await env.BUCKET.delete(due)
    await db.delete(orphans).where(isOneOf(due))
  }
  const after = page.truncated ? (page.objects.at(-1)?.key ?? '') : ''
  await moveCursor(db, prefix, after, after === '' ? now + SWEEP.restSeconds : 0)
  return true
}

/** A subquery with the keys as rows. */
const keysOf = (keys: string[]) => sql`select value from json_each(${JSON.stringify(keys)})`

/** The condition that an orphan has one of these keys. */
function isOneOf(keys: string[]): SQL {
  return sql`${orphans.key} in (${keysOf(keys)})`
}

/** Marks new orphans, and unmarks objects that are named again. Returns the orphans that have been marked for long enough. */
async function markOrphans(
  db: Db,
  keys: string[],
  named: string[],
  now: number,
): Promise<{ key: string; isExpected: boolean }[]> {
  const isNamed = new Set(named)
  const unnamed = keys.filter((key) => !isNamed.has(key))
  const [, , due] = await db.batch([
    db.delete(orphans).where(isOneOf(named)),
    insertSelect(
      db,
      orphans,
      // A pack that still has a row was given up on purpose.
      {
        key: sql`value`,
        since: now,
        isExpected: sql`exists (select 1 from ${packs} where ${packs.objectKey} = value)`,
      },
      sql`from json_each(${JSON.stringify(unnamed)}) where true on conflict do nothing`,
    ),
    db
      .select({ key: orphans.key, isExpected: orphans.isExpected })
      .from(orphans)
      .where(and(isOneOf(unnamed), lte(orphans.since, now - SWEEP.markedSeconds))),
  ])
  return due
}

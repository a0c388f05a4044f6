/** Takes old submissions out of their packs, back into the database, before they are judged again. */
import { Buffer } from 'node:buffer'
import { getTableColumns, sql, type SQL } from 'drizzle-orm'
import type { Db } from '../../db/client.ts'
import {
  judgements,
  runners,
  submissions,
  submissionSources,
  testDataVersions,
} from '../../db/schema.ts'
import { insertSelect } from '../../db/statements.ts'
import { readPacked, type PackedSubmission } from './pack-queries.ts'

/** Bytes of one parameter of a statement; D1 takes two million. */
const PARAMETER_BYTES = 1_000_000

/** Submissions that are read at once. */
const READ = 10

/**
 * The row of a judgement from `j.value`. A host or version that no longer exists is left out; columns newer than the pack get
 * defaults.
 */
function rowValues() {
  const valueOf = (key: string) => sql`j.value ->> ${key}`
  const isThere = (table: typeof runners | typeof testDataVersions, key: string) =>
    sql`(select ${table.id} from ${table} where ${table.id} = ${valueOf(key)})`
  const values = Object.entries(getTableColumns(judgements)).map(([key, column]): [string, SQL] => [
    key,
    column.hasDefault ? sql`coalesce(${valueOf(key)}, ${column.default})` : valueOf(key),
  ])
  return {
    ...(Object.fromEntries(values) as Record<keyof typeof judgements.$inferInsert, SQL>),
    runnerId: isThere(runners, 'runnerId'),
    testDataVersion: isThere(testDataVersions, 'testDataVersion'),
    // Its outputs were deleted when it was packed.
    outputsKey: sql`null`,
    outputsPackId: sql`null`,
    outputsOffset: sql`null`,
    outputsBytes: sql`null`,
  }
}

/** The condition that a submission is still in a pack. */
const isPacked = (id: SQL) =>
  sql`exists (select 1 from ${submissions} where ${submissions.id} = ${id} and ${submissions.packId} is not null)`

/** The statements that bring back parts of submissions, which are one JSON text. */
function statementsOf(db: Db, json: string) {
  const isNext = isPacked(sql`p.value ->> 'id'`)
  return [
    insertSelect(
      db,
      submissionSources,
      { submissionId: sql`p.value ->> 'id'`, code: sql`unhex(p.value ->> 'code')` },
      sql`from json_each(${json}) p where p.value ->> 'code' is not null and ${isNext}`,
    ),
    insertSelect(
      db,
      judgements,
      rowValues(),
      sql`from json_each(${json}) p, json_each(p.value, '$.judgements') j where ${isNext}`,
    ),
  ]
}

/** A submission as JSON texts: its code, and each judgement. */
function partsOf(id: string, { code, judgements: rows }: PackedSubmission): string[] {
  return [
    JSON.stringify({ id, code: code.toString('hex') }),
    ...rows.map((row) => JSON.stringify({ id, judgements: [row] })),
  ]
}

/** Joins texts to JSON lists, each of at most `PARAMETER_BYTES`. */
function toLists(parts: readonly string[]): string[] {
  const lists: string[][] = []
  let bytes = PARAMETER_BYTES
  for (const part of parts) {
    const own = Buffer.byteLength(part)
    if (bytes + own > PARAMETER_BYTES) {
      lists.push([])
      bytes = 0
    }
    lists.at(-1)?.push(part)
    bytes += own
  }
  return lists.map((list) => `[${list.join()}]`)
}

/**
 * Brings the packed submissions among these back into the database, a few in one transaction. Repeating it changes nothing.
 * @returns the submissions whose pack is lost; they stay as they are
 */
export async function unpack(bucket: R2Bucket, db: Db, ids: readonly string[]): Promise<string[]> {
  const lost: string[] = []
  for (let from = 0; from < ids.length; from += READ) {
    const found = [...(await readPacked(bucket, db, ids.slice(from, from + READ)))]
    const parts = found.flatMap(([id, packed]) => (packed ? partsOf(id, packed) : []))
    const there = found.flatMap(([id, packed]) => (packed ? [id] : []))
    lost.push(...found.flatMap(([id, packed]) => (packed ? [] : [id])))
    const [first, ...others] = toLists(parts).flatMap((list) => statementsOf(db, list))
    if (!first) continue
    const leave = db
      .update(submissions)
      .set({ packId: null, packOffset: null, packBytes: null, sourceBytes: null })
      .where(sql`${submissions.id} in (select value from json_each(${JSON.stringify(there)}))`)
    await db.batch([first, ...others, leave])
  }
  return lost
}

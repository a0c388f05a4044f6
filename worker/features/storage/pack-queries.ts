/** Reads old submissions from their packs. */
import { sql } from 'drizzle-orm'
import { rawQuery, type Db } from '../../db/client.ts'
import { packs, submissions, submissionSources } from '../../db/schema.ts'
import { readRecord, type PackedSubmission } from './pack-records.ts'

export type { JudgementRow, PackedSubmission } from './pack-records.ts'

interface Place {
  id: string
  /** Null: its pack is not known any more. */
  key: string | null
  offset: number
  length: number
}

/** R2's refusal of a range that begins behind the end of the object (developers.cloudflare.com/r2/api/error-codes). */
const isBehindEnd = (error: unknown): boolean => /\b10039\b/.test(String(error))

async function readPlace(
  bucket: R2Bucket,
  { id, key, offset, length }: Place,
): Promise<[string, PackedSubmission | null]> {
  const object =
    key === null
      ? null
      : await bucket.get(key, { range: { offset, length } }).catch((error: unknown) => {
          if (isBehindEnd(error)) return null
          throw error
        })
  const bytes = object && new Uint8Array(await object.arrayBuffer())
  try {
    if (bytes) return [id, readRecord(bytes)]
  } catch (error) {
    console.error(JSON.stringify({ pack: key, offset, error: String(error) }))
  }
  console.error(JSON.stringify({ alarm: 'pack lost', key }))
  return [id, null]
}

/**
 * What the packs hold of these submissions, by their id; null where the bucket has lost the pack or it is damaged. Those that are in the
 * database are not among them.
 */
export async function readPacked(
  bucket: R2Bucket,
  db: Db,
  ids: readonly string[],
): Promise<Map<string, PackedSubmission | null>> {
  if (ids.length === 0) return new Map()
  const places = await rawQuery<Place>(
    db,
    sql`select ${submissions.id} as id, ${packs.objectKey} as key,
        ${submissions.packOffset} as offset, ${submissions.packBytes} as length
      from json_each(${JSON.stringify(ids)}) i
      cross join ${submissions} on ${submissions.id} = i.value and ${submissions.packId} is not null
      left join ${packs} on ${packs.id} = ${submissions.packId}`,
  )
  return new Map(await Promise.all(places.map((place) => readPlace(bucket, place))))
}

/** The code of submissions that the database has, by their id. */
async function readSources(db: Db, ids: readonly string[]): Promise<Map<string, Buffer>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .select()
    .from(submissionSources)
    .where(
      sql`${submissionSources.submissionId} in (select value from json_each(${JSON.stringify(ids)}))`,
    )
  return new Map(rows.map(({ submissionId, code }) => [submissionId, code]))
}

/** Rows with their code, wherever it is; null where it is lost or has never come. */
export async function withCode<Row extends { code: Buffer | null }>(
  bucket: R2Bucket,
  db: Db,
  rows: readonly Row[],
  idOf: (row: Row) => string,
): Promise<Row[]> {
  const without = rows.filter(({ code }) => code === null).map((row) => idOf(row))
  const packed = await readPacked(bucket, db, without)
  // They may have been taken out of their pack in this moment.
  const taken = await readSources(
    db,
    without.filter((id) => !packed.has(id)),
  )
  const codeOf = (id: string) => packed.get(id)?.code ?? taken.get(id) ?? null
  return rows.map((row) => ({ ...row, code: row.code ?? codeOf(idOf(row)) }))
}

/** Those of the keys of packs that some row names. */
export async function listNamedPacks(db: Db, keys: string[]): Promise<string[]> {
  const rows = await rawQuery<{ key: string }>(
    db,
    sql`select ${packs.objectKey} as key from json_each(${JSON.stringify(keys)}) k
      cross join ${packs} on ${packs.objectKey} = k.value`,
  )
  return rows.map(({ key }) => key)
}

/** Reads what is in packs: old submissions and small outputs. */
import { sql } from 'drizzle-orm'
import { rawQuery, type Db } from '../../db/client.ts'
import { judgements, packs, problems, submissions, submissionSources } from '../../db/schema.ts'
import { readRecord, toSubmission, type PackedSubmission } from './pack-records.ts'

export type { JudgementRow, PackedSubmission } from './pack-records.ts'

/** The position of a record. */
export interface Place {
  /** Null: the row of the record's pack no longer exists. */
  key: string | null
  offset: number
  length: number
}

/** R2's refusal of a range that begins behind the end of the object (developers.cloudflare.com/r2/api/error-codes). */
const isBehindEnd = (error: unknown): boolean => /\b10039\b/.test(String(error))

/** The value of a record; null if the bucket has lost its pack or the pack is damaged. */
export async function readPlace<Value>(
  bucket: R2Bucket,
  { key, offset, length }: Place,
  toValue: (record: Buffer) => Value,
): Promise<Value | null> {
  const object =
    key === null
      ? null
      : await bucket.get(key, { range: { offset, length } }).catch((error: unknown) => {
          if (isBehindEnd(error)) return null
          throw error
        })
  const bytes = object && new Uint8Array(await object.arrayBuffer())
  try {
    if (bytes) return toValue(readRecord(bytes))
  } catch (error) {
    console.error(JSON.stringify({ pack: key, offset, error: String(error) }))
  }
  console.error(JSON.stringify({ alarm: 'pack lost', key }))
  return null
}

/**
 * The packed submissions among these, by their id; null if the bucket has lost the pack or the pack is damaged. Submissions that
 * are in the database are left out.
 */
export async function readPacked(
  bucket: R2Bucket,
  db: Db,
  ids: readonly string[],
): Promise<Map<string, PackedSubmission | null>> {
  if (ids.length === 0) return new Map()
  const places = await rawQuery<Place & { id: string }>(
    db,
    sql`select ${submissions.id} as id, ${packs.objectKey} as key,
        ${submissions.packOffset} as offset, ${submissions.packBytes} as length
      from json_each(${JSON.stringify(ids)}) i
      cross join ${submissions} on ${submissions.id} = i.value and ${submissions.packId} is not null
      left join ${packs} on ${packs.id} = ${submissions.packId}`,
  )
  const read = places.map(
    async (place) => [place.id, await readPlace(bucket, place, toSubmission)] as const,
  )
  return new Map(await Promise.all(read))
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

/** Rows with their code, from the database or a pack; null if the code is lost or was never sent. */
export async function withCode<Row extends { code: Buffer | null }>(
  bucket: R2Bucket,
  db: Db,
  rows: readonly Row[],
  idOf: (row: Row) => string,
): Promise<Row[]> {
  const without = rows.filter(({ code }) => code === null).map((row) => idOf(row))
  const packed = await readPacked(bucket, db, without)
  // Submissions that are not found may have been taken out of their pack just now.
  const taken = await readSources(
    db,
    without.filter((id) => !packed.has(id)),
  )
  const codeOf = (id: string) => packed.get(id)?.code ?? taken.get(id) ?? null
  return rows.map((row) => ({ ...row, code: row.code ?? codeOf(idOf(row)) }))
}

/** Of these keys of packs of submissions, the keys that some row names. */
export async function listNamedPacks(db: Db, keys: string[]): Promise<string[]> {
  const rows = await rawQuery<{ key: string }>(
    db,
    sql`select ${packs.objectKey} as key from json_each(${JSON.stringify(keys)}) k
      cross join ${packs} on ${packs.objectKey} = k.value`,
  )
  return rows.map(({ key }) => key)
}

/** Of these keys of output packs, the keys of packs in which some output can still be read, as in `listNamedOutputs`. */
export async function listNamedOutputPacks(db: Db, keys: string[]): Promise<string[]> {
  const rows = await rawQuery<{ key: string }>(
    db,
    sql`select ${packs.objectKey} as key from json_each(${JSON.stringify(keys)}) k
      cross join ${packs} on ${packs.objectKey} = k.value
      where exists (select 1 from ${judgements}
        cross join ${submissions} on ${submissions.id} = ${judgements.submissionId}
          and ${submissions.judgementId} = ${judgements.id}
        cross join ${problems} on ${problems.id} = ${submissions.problemId} and ${problems.deletedAt} is null
        where ${judgements.outputsPackId} = ${packs.id})`,
  )
  return rows.map(({ key }) => key)
}

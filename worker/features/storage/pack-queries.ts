/** Reads what is in packs: old submissions and small outputs. */
import { sql } from 'drizzle-orm'
import { rawQuery, type Db } from '../../db/client.ts'
import { judgements, packs, problems, submissions, submissionSources } from '../../db/schema.ts'
import { readRecord, toCode, toSubmission, type PackedSubmission } from './pack-records.ts'

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

/** The bytes at a place of a pack; null if the bucket has lost it. */
async function readBytes(
  bucket: R2Bucket,
  { key, offset, length }: Place,
): Promise<Uint8Array | null> {
  const object =
    key === null
      ? null
      : await bucket.get(key, { range: { offset, length } }).catch((error: unknown) => {
          if (isBehindEnd(error)) return null
          throw error
        })
  return object && new Uint8Array(await object.arrayBuffer())
}

/** The value of a record's bytes; null if the pack is lost or damaged. */
function valueOf<Value>(
  bytes: Uint8Array | null,
  { key, offset }: Place,
  toValue: (record: Buffer) => Value,
): Value | null {
  try {
    if (bytes) return toValue(readRecord(bytes))
  } catch (error) {
    console.error(JSON.stringify({ pack: key, offset, error: String(error) }))
  }
  console.error(JSON.stringify({ alarm: 'pack lost', key }))
  return null
}

/** The value of a record; null if the bucket has lost its pack or the pack is damaged. */
export async function readPlace<Value>(
  bucket: R2Bucket,
  place: Place,
  toValue: (record: Buffer) => Value,
): Promise<Value | null> {
  return valueOf(await readBytes(bucket, place), place, toValue)
}

/**
 * The code of packed submissions, by their id; null where it is lost. Each pack is read once, from the first of these places to the
 * last, so the places should be near each other.
 */
export async function readPackedCodes(
  bucket: R2Bucket,
  places: readonly (Place & { id: string })[],
): Promise<Map<string, Buffer | null>> {
  const codes = new Map<string, Buffer | null>()
  for (const [key, own] of Map.groupBy(places, (place) => place.key)) {
    const offset = Math.min(...own.map((place) => place.offset))
    const length = Math.max(...own.map((place) => place.offset + place.length)) - offset
    const bytes = await readBytes(bucket, { key, offset, length })
    for (const place of own) {
      const from = place.offset - offset
      const record = bytes && bytes.subarray(from, from + place.length)
      codes.set(place.id, valueOf(record, place, toCode))
    }
  }
  return codes
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

/**
 * Moves small outputs into packs: a term would leave an object of a few hundred bytes for each submission. The old objects stay
 * for a week, for readers at this moment and for an older database. A pack is deleted when no current judgement has an output in
 * it (`listNamedOutputPacks`).
 */
import { sql } from 'drizzle-orm'
import { rawQuery, type Db } from '../../db/client.ts'
import { judgements, orphans, submissions } from '../../db/schema.ts'
import { insertSelect } from '../../db/statements.ts'
import type { Env } from '../../env.ts'
import { packNext, PACKING, type Member, type Placed } from './pack.ts'
import { toRecord } from './pack-records.ts'

/** The cursor in the judgements. It waits at the age limit for packing and never begins anew, because a rejudge adds a later judgement. */
const CURSOR = 'packed outputs'

interface Row {
  id: string
  courseId: number
  /** Null: no output was kept, the outputs are packed already, or another judgement is current. */
  key: string | null
}

/** The next judgements. */
function nextJudgements(db: Db, after: string, below: string): Promise<Row[]> {
  return rawQuery<Row>(
    db,
    sql`select ${judgements.id} as id, ${submissions.courseId} as courseId,
        iif(${submissions.judgementId} = ${judgements.id}, ${judgements.outputsKey}, null) as key
      from ${judgements} cross join ${submissions} on ${submissions.id} = ${judgements.submissionId}
      where ${judgements.id} > ${after} and ${judgements.id} < ${below}
      order by ${judgements.id} limit ${PACKING.outputs}`,
  )
}

/** The outputs of a judgement; undefined for large ones, and for those that the bucket has lost. */
async function readSmall({ BUCKET }: Env, { id, courseId, key }: Row): Promise<Member | undefined> {
  const object = key === null ? null : await BUCKET.get(key)
  if (key === null || !object) return undefined
  if (object.size > PACKING.mostOutputBytes) {
    await object.body.cancel()
    return undefined
  }
  const record = toRecord(Buffer.from(await object.arrayBuffer()))
  return { id, courseId, record, details: { key } }
}

async function readNext(env: Env, db: Db, after: string, below: string) {
  const rows = await nextJudgements(db, after, below)
  const found = await Promise.all(rows.map((row) => readSmall(env, row)))
  return { last: rows.at(-1)?.id, members: found.filter((one) => one !== undefined) }
}

/** The condition that a judgement has the outputs that were read, and is still current. */
const isUnchanged = sql`${judgements.id} = p.value ->> 'id' and ${judgements.outputsKey} = p.value ->> 'key'
  and exists (select 1 from ${submissions} where ${submissions.id} = ${judgements.submissionId}
    and ${submissions.judgementId} = ${judgements.id})`

const unchanged = (json: string) =>
  sql`from json_each(${json}) p cross join ${judgements} on ${isUnchanged}`

function toStatements(db: Db, { packId, json, now }: Placed) {
  return [
    insertSelect(
      db,
      orphans,
      { key: judgements.outputsKey, since: now, isExpected: true },
      sql`${unchanged(json)} where true on conflict do nothing`,
    ),
    db
      .update(judgements)
      .set({
        outputsKey: null,
        outputsPackId: packId,
        outputsOffset: sql`p.value ->> 'offset'`,
        outputsBytes: sql`p.value ->> 'length'`,
      })
      .from(sql`json_each(${json}) p`)
      .where(isUnchanged),
  ]
}

/**
 * Packs the small outputs of the next judgements that are older than `PACKING.outputsAfterDays`.
 * @param now epoch seconds
 */
export async function packOutputs(env: Env, db: Db, now: number): Promise<void> {
  const afterDays = PACKING.outputsAfterDays
  const walk = { cursor: CURSOR, afterDays, readNext }
  await packNext(env, db, { prefix: 'output-packs/', ...walk, unchanged, toStatements }, now)
}

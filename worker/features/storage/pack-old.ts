/**
 * Moves old submissions out of the database: their code and their judgements into packs in the bucket, one for
 * each course of a page. Whoever reads them does not notice (`pack-queries.ts`), who judges them again takes them out
 * first (`unpack-queries.ts`). The object comes first and the rows follow, a few in one transaction, so that nothing is
 * lost wherever it breaks off and no page waits long.
 */
import { createHash } from 'node:crypto'
import { sql, type SQL } from 'drizzle-orm'
import { STATUS } from '#contract/verdicts'
import { rawQuery, type Db } from '../../db/client.ts'
import { judgements, orphans, packs, submissions, submissionSources } from '../../db/schema.ts'
import { columnName, insertSelect } from '../../db/statements.ts'
import { moveCursor, readCursor } from '../../db/sweep-cursors.ts'
import type { Env } from '../../env.ts'
import { hexIdAt } from '../../lib/ids.ts'
import { toRecord } from './pack-records.ts'

/**
 * Old submissions: their code and the details of their judgements move from the database into packs in the bucket, and the kept
 * outputs go.
 */
export const PACKING = {
  /** Two terms of half a year do not meet: pages of the running term read the database alone. Days. */
  afterDays: 180,
  /** The age at which they are packed goes in such steps, so that a pack holds a week of a course. */
  everySeconds: 7 * 86_400,
  /** Submissions that one run of the sweeper looks at. */
  rows: 500,
  /** Submissions whose rows change in one transaction: others wait for it. */
  slice: 25,
  /** Code and judgements that it packs at once, but for one submission. Bytes. */
  bytes: 4 * 1024 ** 2,
  /** A submission with more stays in the database: after very many judgements it would not fit into the Worker's memory. Bytes. */
  mostBytes: 16 * 1024 ** 2,
} as const

/** The walk through submissions with code in the database; it waits at the age from which they are old, and begins anew each week. */
const CURSOR = 'packs'
/** Under this name the end of the walk that was last walked to. */
const END_CURSOR = 'packs-walked'

/** A submission to pack. */
interface Old {
  id: string
  courseId: number
  bytes: number
}

/** The next submissions at the cursor: the last id looked at, and those that may be packed. */
async function nextOld(db: Db, after: string, below: string) {
  const { submissionId: id, code } = submissionSources
  const rows = await rawQuery<Old & { isJudged: 0 | 1 }>(
    db,
    sql`select ${id} as id, ${submissions.courseId} as courseId, ${submissions.status} >= 0 as isJudged, length(${code})
        + (select coalesce(sum(coalesce(length(${judgements.subtasks}), 0) + coalesce(length(${judgements.compileMessage}), 0)), 0)
          from ${judgements} where ${judgements.submissionId} = ${id}) as bytes
      from ${submissionSources} cross join ${submissions} on ${submissions.id} = ${id}
      where ${id} > ${after} and ${id} < ${below} order by ${id} limit ${PACKING.rows}`,
  )
  let bytes = 0
  const end = rows.findIndex((row, index) => (bytes += row.bytes) > PACKING.bytes && index > 0)
  const page = end < 0 ? rows : rows.slice(0, end)
  const isPackable = (row: (typeof rows)[number]) =>
    row.isJudged === 1 && row.bytes <= PACKING.mostBytes
  return { last: page.at(-1)?.id, old: page.filter(isPackable) }
}

/** The condition that a judgement is under way, or waits for its preview to be applied. */
const isInUse = sql`(${judgements.finishedAt} is null or ${judgements.previewId} is not null)`

/** Code and judgements of submissions, but for those with a judgement in use (`isInUse`). */
async function readRows(db: Db, ids: string[]) {
  const json = JSON.stringify(ids)
  const [sources, found] = await db.batch([
    db
      .select()
      .from(submissionSources)
      .where(sql`${submissionSources.submissionId} in (select value from json_each(${json}))`),
    db
      .select()
      .from(judgements)
      .where(sql`${judgements.submissionId} in (select value from json_each(${json}))`),
  ])
  const own = Map.groupBy(found, ({ submissionId }) => submissionId)
  return sources
    .map(({ submissionId: id, code }) => ({ id, code, judgements: own.get(id) ?? [] }))
    .filter(
      (row) =>
        // A restore brings the judgements after the code.
        row.judgements.length > 0 &&
        row.judgements.every((one) => one.finishedAt !== null && one.previewId === null),
    )
}

type Row = Awaited<ReturnType<typeof readRows>>[number]

/** Where a submission lies in its pack. `judgements`: as many as were packed. */
interface Placed {
  id: string
  offset: number
  length: number
  sourceBytes: number
  judgements: number
}

/** The pack of some submissions, and where each lies. */
function toPack(rows: readonly Row[]): { pack: Buffer; placed: Placed[] } {
  const records: Buffer[] = []
  const placed: Placed[] = []
  let offset = 0
  for (const { id, code, judgements: own } of rows) {
    const record = toRecord({ code, judgements: own })
    const { length } = record
    records.push(record)
    placed.push({ id, offset, length, sourceBytes: code.length, judgements: own.length })
    offset += length
  }
  return { pack: Buffer.concat(records), placed }
}

/**
 * The statements that let rows name a pack in place of what it holds. Submissions that were judged again meanwhile stay as
 * they are, and so do outputs of earlier judgements: nothing names those anyway.
 */
function statementsOf(
  db: Db,
  { objectKey, courseId }: { objectKey: string; courseId: number },
  placed: readonly Placed[],
  now: number,
) {
  const json = JSON.stringify(placed)
  const packId = sql`(select ${columnName(packs.id)} from ${packs} where ${columnName(packs.objectKey)} = ${objectKey})`
  const isUnchanged = sql`${submissions.status} >= ${STATUS.AC} and ${submissions.packId} is null
    and (select count(*) from ${judgements} where ${judgements.submissionId} = ${submissions.id}) = p.value ->> 'judgements'
    and not exists (select 1 from ${judgements} where ${judgements.submissionId} = ${submissions.id} and ${isInUse})`
  const isPacked = (
    column: SQL,
  ) => sql`${column} in (select ${submissions.id} from json_each(${json}) p
    cross join ${submissions} on ${submissions.id} = p.value ->> 'id' and ${submissions.packId} = ${packId})`
  return [
    insertSelect(
      db,
      packs,
      { objectKey, courseId },
      sql`where exists (select 1 from json_each(${json}) p
        cross join ${submissions} on ${submissions.id} = p.value ->> 'id' and ${isUnchanged}) on conflict do nothing`,
    ),
    db
      .update(submissions)
      .set({
        packId,
        packOffset: sql`p.value ->> 'offset'`,
        packBytes: sql`p.value ->> 'length'`,
        sourceBytes: sql`p.value ->> 'sourceBytes'`,
        idempotencyKey: null,
      })
      .from(sql`json_each(${json}) p`)
      .where(sql`${submissions.id} = p.value ->> 'id' and ${isUnchanged}`),
    db.delete(submissionSources).where(isPacked(sql`${submissionSources.submissionId}`)),
    insertSelect(
      db,
      orphans,
      { key: judgements.outputsKey, since: now, isExpected: true },
      sql`from ${judgements} where ${judgements.outputsKey} is not null
        and ${judgements.id} = (select ${submissions.judgementId} from ${submissions} where ${submissions.id} = ${judgements.submissionId})
        and ${isPacked(sql`${judgements.submissionId}`)} on conflict do nothing`,
    ),
    db.delete(judgements).where(isPacked(sql`${judgements.submissionId}`)),
  ] as const
}

/**
 * Packs the next submissions that are older than `PACKING.afterDays`.
 * @param now epoch seconds
 */
export async function packOldSubmissions(env: Env, db: Db, now: number): Promise<void> {
  const after = await readCursor(db, CURSOR)
  const end = now - (now % PACKING.everySeconds) - PACKING.afterDays * 86_400
  const below = hexIdAt(end * 1000)
  const { last, old } = await nextOld(db, after, below)
  if (last === undefined) return restart(db, below)
  const courseOf = new Map(old.map(({ id, courseId }) => [id, courseId]))
  const rows = old.length === 0 ? [] : await readRows(db, [...courseOf.keys()])
  for (const [courseId = 0, own] of Map.groupBy(rows, ({ id }) => courseOf.get(id))) {
    const { pack, placed } = toPack(own)
    // Of its content, so that a step that fails and is made again leaves one object.
    const objectKey = `packs/${courseId}/${createHash('sha256').update(pack).digest('hex')}`
    await env.BUCKET.put(objectKey, pack)
    for (let from = 0; from < placed.length; from += PACKING.slice) {
      const slice = placed.slice(from, from + PACKING.slice)
      await db.batch(statementsOf(db, { objectKey, courseId }, slice, now))
    }
  }
  await moveCursor(db, CURSOR, last)
}

/** Puts the cursor at the start again, once for each end: for what was left out or taken out of its pack. */
async function restart(db: Db, below: string): Promise<void> {
  if ((await readCursor(db, END_CURSOR)) === below) return
  await db.batch([moveCursor(db, END_CURSOR, below), moveCursor(db, CURSOR, '')])
}

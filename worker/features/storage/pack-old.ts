/**
 * Moves the code and the judgements of old submissions out of the database into packs. Readers see no difference
 * (`pack-queries.ts`). Before a submission is judged again, it is taken out of its pack (`unpack-queries.ts`).
 */
import { sql, type SQL } from 'drizzle-orm'
import { STATUS } from '#contract/verdicts'
import { rawQuery, type Db } from '../../db/client.ts'
import { judgements, orphans, submissions, submissionSources } from '../../db/schema.ts'
import { insertSelect } from '../../db/statements.ts'
import { moveCursor, readCursor } from '../../db/sweep-cursors.ts'
import type { Env } from '../../env.ts'
import { packNext, PACKING, type Member, type Placed } from './pack.ts'
import { toSubmissionRecord } from './pack-records.ts'

/** The cursor in the submissions with code in the database. It waits at the age limit for packing; each week it begins anew. */
const CURSOR = 'packs'
/** The cursor that says how far the last complete walk went. */
const END_CURSOR = 'packs-walked'

/** A submission to pack. */
interface Old {
  id: string
  courseId: number
  bytes: number
}

/** The next submissions after the cursor: the last id read, and the submissions that may be packed. */
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

/** The condition that a judgement is under way, or waits for its rejudge to be applied. */
const isInUse = sql`(${judgements.finishedAt} is null or ${judgements.rejudgeId} is not null)`

/** The code and judgements of submissions. Submissions with a judgement in use (`isInUse`) are left out. */
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
        // A restore of the database writes the judgements after the code.
        row.judgements.length > 0 &&
        row.judgements.every((one) => one.finishedAt !== null && one.rejudgeId === null),
    )
}

/** The next submissions as members of packs, each with the number of its judgements. */
async function readNext(_env: Env, db: Db, after: string, below: string) {
  const { last, old } = await nextOld(db, after, below)
  const courseOf = new Map(old.map(({ id, courseId }) => [id, courseId]))
  const rows = old.length === 0 ? [] : await readRows(db, [...courseOf.keys()])
  const members = rows.map(({ id, code, judgements: own }): Member => ({
    id,
    courseId: courseOf.get(id) ?? 0,
    record: toSubmissionRecord({ code, judgements: own }),
    details: { sourceBytes: code.length, judgements: own.length },
  }))
  return { last, members }
}

/** The condition that a submission has not been judged again since it was read. */
const isUnchanged = sql`${submissions.status} >= ${STATUS.AC} and ${submissions.packId} is null
  and (select count(*) from ${judgements} where ${judgements.submissionId} = ${submissions.id}) = p.value ->> 'judgements'
  and not exists (select 1 from ${judgements} where ${judgements.submissionId} = ${submissions.id} and ${isInUse})`

/**
 * The statements that let submissions name a pack and delete the rows that it replaces. Submissions that were judged again
 * meanwhile stay as they are. No pack takes outputs of earlier judgements either, because nothing names these outputs.
 */
function toStatements(db: Db, { packId, json, now }: Placed) {
  const isPacked = (
    column: SQL,
  ) => sql`${column} in (select ${submissions.id} from json_each(${json}) p
    cross join ${submissions} on ${submissions.id} = p.value ->> 'id' and ${submissions.packId} = ${packId})`
  return [
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
  ]
}

/** Puts the cursor back to the start, once for each age limit, for submissions that were left out or left their pack. */
async function restart(db: Db, below: string): Promise<void> {
  if ((await readCursor(db, END_CURSOR)) === below) return
  await db.batch([moveCursor(db, END_CURSOR, below), moveCursor(db, CURSOR, '')])
}

/**
 * Packs the next submissions that are older than `PACKING.afterDays`.
 * @param now epoch seconds
 */
export async function packOldSubmissions(env: Env, db: Db, now: number): Promise<void> {
  await packNext(
    env,
    db,
    {
      prefix: 'packs/',
      cursor: CURSOR,
      afterDays: PACKING.afterDays,
      readNext,
      unchanged: (json) => sql`from json_each(${json}) p
        cross join ${submissions} on ${submissions.id} = p.value ->> 'id' and ${isUnchanged}`,
      toStatements,
      atEnd: restart,
    },
    now,
  )
}

/**
 * Packing: settled data move into packs in the bucket, one pack for each course of a page. Old submissions (`pack-old.ts`) and
 * small outputs (`pack-outputs.ts`) are packed. The object is written first. The rows follow, a few in one transaction. So nothing
 * is lost if packing breaks off at any point, and no page waits long.
 */
import { createHash } from 'node:crypto'
import { sql, type SQL } from 'drizzle-orm'
import type { BatchItem } from 'drizzle-orm/batch'
import type { Db } from '../../db/client.ts'
import { packs } from '../../db/schema.ts'
import { columnName, insertSelect } from '../../db/statements.ts'
import { moveCursor, readCursor } from '../../db/sweep-cursors.ts'
import type { Env } from '../../env.ts'
import { hexIdAt } from '../../lib/ids.ts'

/**
 * The code and the judgements of old submissions move from the database into packs in the bucket, and their kept outputs are
 * deleted. Small outputs, which begin as an object each, move into packs earlier.
 */
export const PACKING = {
  /** Half a year, so that pages of the running term read only the database. Days. */
  afterDays: 180,
  /** Days after which outputs are packed: rejudges are over by then. */
  outputsAfterDays: 7,
  /** The age limit for packing moves in steps of a week, so that a pack holds a week of a course. */
  everySeconds: 7 * 86_400,
  /** Submissions that one run of the sweeper looks at. */
  rows: 500,
  /** Judgements whose outputs one run looks at; each costs a read of the bucket. */
  outputs: 250,
  /** Outputs of a judgement that have more bytes than this stay an object of their own. */
  mostOutputBytes: 16 * 1024,
  /** How many members' rows change in one transaction; other statements wait until it ends. */
  slice: 25,
  /** The most code and judgements that one run packs; a single submission may have more. Bytes. */
  bytes: 4 * 1024 ** 2,
  /** A submission with more stays in the database: after very many judgements it would not fit into the Worker's memory. Bytes. */
  mostBytes: 16 * 1024 ** 2,
} as const

/** A member of a pack: its bytes, and the values that its statements need. */
export interface Member {
  id: string
  courseId: number
  /** As `toRecord` makes it. */
  record: Buffer
  /** Further values beside `id`, `offset` and `length` in the statements' JSON. */
  details: Record<string, string | number>
}

/** A kind of pack. */
export interface Packing {
  /** The prefix of its objects' keys. */
  prefix: string
  /** The name of the cursor over the ids of its rows. */
  cursor: string
  afterDays: number
  /** The next members after an id; `last`: the last id read, undefined at the end. */
  readNext: (env: Env, db: Db, after: string, below: string) => Promise<NextMembers>
  /** SQL from `from` on that finds the members `p` of a JSON list that are still as they were read. */
  unchanged: (json: string) => SQL
  /** The statements that replace the data of the members' rows by a reference to the pack. */
  toStatements: (db: Db, placed: Placed) => BatchItem<'sqlite'>[]
  /** Called when the cursor is at the end. Without this function the cursor stays at the end. */
  atEnd?: (db: Db, below: string) => Promise<void>
}

interface NextMembers {
  last: string | undefined
  members: Member[]
}

/** Members with their places in a pack. */
export interface Placed {
  /** The pack's id, once its row exists. */
  packId: SQL
  /** A list of `id`, `offset`, `length` and the details of each. */
  json: string
  /** Epoch seconds. */
  now: number
}

/** The pack of some members, and the position of each. */
function toPack(members: readonly Member[]) {
  let offset = 0
  const places = members.map(({ id, record: { length }, details }) => {
    const place = { id, offset, length, ...details }
    offset += length
    return place
  })
  return { content: Buffer.concat(members.map(({ record }) => record)), places }
}

/** Writes the pack of members of one course, then their rows. */
async function writePack(
  env: Env,
  db: Db,
  { prefix, unchanged, toStatements }: Packing,
  courseId: number,
  members: readonly Member[],
  now: number,
): Promise<void> {
  const { content, places } = toPack(members)
  // The key depends on members and content, so that a step that fails and is repeated leaves one object.
  const hash = createHash('sha256').update(JSON.stringify(places)).update(content).digest('hex')
  const objectKey = `${prefix}${courseId}/${hash}`
  await env.BUCKET.put(objectKey, content)
  const packId = sql`(select ${columnName(packs.id)} from ${packs} where ${columnName(packs.objectKey)} = ${objectKey})`
  for (let from = 0; from < places.length; from += PACKING.slice) {
    const json = JSON.stringify(places.slice(from, from + PACKING.slice))
    await db.batch([
      insertSelect(
        db,
        packs,
        { objectKey, courseId },
        sql`where exists (select 1 ${unchanged(json)}) on conflict do nothing`,
      ),
      ...toStatements(db, { packId, json, now }),
    ])
  }
}

/** Packs the next members that are older than `afterDays`. @param now epoch seconds */
export async function packNext(env: Env, db: Db, packing: Packing, now: number): Promise<void> {
  const { cursor, afterDays } = packing
  const after = await readCursor(db, cursor)
  const end = now - (now % PACKING.everySeconds) - afterDays * 86_400
  const below = hexIdAt(end * 1000)
  const { last, members } = await packing.readNext(env, db, after, below)
  if (last === undefined) return packing.atEnd?.(db, below)
  for (const [courseId, own] of Map.groupBy(members, (member) => member.courseId))
    await writePack(env, db, packing, courseId, own, now)
  await moveCursor(db, cursor, last)
}

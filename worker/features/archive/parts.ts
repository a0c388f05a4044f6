/** The parts that downloads share: programs, tables of marks, files that are lost. */
import type { UserInfo } from '#contract/fields'
import type { SentHomework } from '#contract/homeworks'
import { languageOf } from '#contract/languages'
import { toCsv } from '#contract/csv-table'
import type { Db } from '../../db/client.ts'
import type { NewFile } from '../../lib/zip-writer.ts'
import { readPackedCodes, withCode } from '../storage/pack-queries.ts'
import { readCodes, type ArchivedRow } from './queries.ts'

/** Where the bytes come from, and the names of files whose bytes the bucket has lost. */
export interface Source {
  bucket: R2Bucket
  db: Db
  lost: string[]
}

/** The most code that is in memory at a time, unless one program has more: rows, and bytes of code. */
const SLICE = { rows: 1_000, bytes: 2 * 1024 ** 2 }

/** Rows in slices whose code fits the memory. */
function* slicesOf(rows: readonly ArchivedRow[]): Generator<ArchivedRow[]> {
  let slice: ArchivedRow[] = []
  let bytes = 0
  for (const row of rows) {
    if (slice.length === SLICE.rows || (slice.length > 0 && bytes + row.bytes > SLICE.bytes)) {
      yield slice
      slice = []
      bytes = 0
    }
    slice.push(row)
    bytes += row.bytes
  }
  if (slice.length > 0) yield slice
}

/** The code of a slice, by id: one query for all of the database, one read of the bucket for each pack. */
async function readSlice({ bucket, db }: Source, slice: ArchivedRow[]) {
  const stored = slice.filter(({ isPacked }) => isPacked === 0).map(({ id }) => id)
  const packed = slice.filter(({ isPacked }) => isPacked === 1)
  const codes = new Map<string, Buffer | null>([
    ...(await readCodes(db, stored)),
    ...(await readPackedCodes(bucket, packed)),
  ])
  // Some may have gone into a pack, or out of it, since the list was read.
  const missing = slice
    .filter(({ id }) => !codes.get(id))
    .map(({ id }): { id: string; code: Buffer | null } => ({ id, code: null }))
  for (const { id, code } of await withCode(bucket, db, missing, (row) => row.id))
    codes.set(id, code)
  return codes
}

/** The programs of submissions as files. @param nameOf without the ending of its language */
export async function* programsOf(
  source: Source,
  pages: AsyncIterable<ArchivedRow[]>,
  nameOf: (row: ArchivedRow) => string,
): AsyncGenerator<NewFile> {
  for await (const page of pages)
    for (const slice of slicesOf(page)) {
      const codes = await readSlice(source, slice)
      for (const row of slice) {
        const { file } = languageOf(row.languageType)
        const name = nameOf(row) + file.slice(file.lastIndexOf('.'))
        const content = codes.get(row.id)
        if (content) yield { name, content }
        else source.lost.push(name)
      }
    }
}

/** An object of the bucket as a file; nothing if it is lost. */
export async function* objectFile(
  { bucket, lost }: Source,
  name: string,
  key: string,
): AsyncGenerator<NewFile> {
  const object = await bucket.get(key)
  if (object) yield { name, content: object.body }
  else lost.push(name)
}

/** The list of files that are lost; nothing if none is. */
export function* lostFile({ lost }: Source): Generator<NewFile> {
  if (lost.length > 0) yield { name: 'LOST.txt', content: lost.join('\n') + '\n' }
}

/** What staff download of a homework: each student's points for each problem, for the homework as a whole, and the sum. */
export function marksFile(name: string, homework: SentHomework, students: UserInfo[]): NewFile {
  const { problems } = homework
  const status = new Map(Object.entries(homework.studentStatus))
  const marks = new Map(Object.entries(homework.marks))
  const heads = problems.map(({ problemId, problemName }) => `${problemId} ${problemName}`)
  const rows = students.map(({ username, displayedName }) => {
    const own = status.get(username) ?? {}
    const { given, sum } = marks.get(username) ?? {}
    const points = problems.map(({ problemId }) => own[problemId]?.mark ?? null)
    return [username, displayedName, ...points, given?.points ?? null, sum ?? null]
  })
  const head = ['username', 'displayed name', ...heads, 'whole homework', 'sum']
  return { name, content: toCsv([head, ...rows]) }
}

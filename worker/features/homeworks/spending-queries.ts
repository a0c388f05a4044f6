/** Reads the late days of people in homeworks that share them. */
import { sql } from 'drizzle-orm'
import type { Db } from '../../db/client.ts'
import { readPieces } from './board-queries.ts'
import { selectAsked, type AskedRow } from './late-day-queries.ts'
import { LateDaysReader } from './late-days.ts'
import { MarksReader } from './marks.ts'
import {
  selectAttempts,
  selectHomeworks,
  selectMarks,
  selectProblems,
  type Reading,
} from './reading-queries.ts'

/**
 * The selects of which late days are worked out, for a batch; everybody's attempts come later, in pieces.
 * @param since from when on attempts are read
 */
export function selectSpending(
  db: Db,
  reading: Parameters<typeof selectProblems>[1],
  since?: 'ever',
) {
  const isOfAll = reading.progress === 'all'
  return [
    selectHomeworks(db, reading),
    selectProblems(db, reading),
    selectAttempts(db, isOfAll ? { ...reading, which: sql`0` } : reading, since),
    selectAsked(db, reading.which, reading.progress),
    ...selectMarks(db, reading),
  ] as const
}

/** The rows of selects. */
export type RowsOf<Selects> = { [Index in keyof Selects]: Awaited<Selects[Index]> }

/**
 * Works out late days: one's own, or everybody's.
 * @param read the rows of `selectSpending`, whose `which` took all homeworks of each budget
 * @returns `lateDaysIf`: one's own late days if one had asked for these
 */
export async function readSpending(
  db: Db,
  reading: Reading,
  [rows, contents, attempts, asked, ...stored]: RowsOf<ReturnType<typeof selectSpending>>,
) {
  const marks = new MarksReader(...stored)
  function lateDaysIf(said: readonly AskedRow[]): LateDaysReader {
    const lateDays = new LateDaysReader(marks, rows, contents, said)
    for (const row of attempts) lateDays.take(row)
    return lateDays
  }
  const lateDays = lateDaysIf(asked)
  if (reading.progress === 'all')
    for (const { id } of rows)
      for await (const row of readPieces(db, reading, id)) lateDays.take(row)
  return { rows, asked, lateDays, lateDaysIf }
}

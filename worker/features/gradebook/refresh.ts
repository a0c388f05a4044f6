/** Brings stored marks up to date. */
import { totalOf, type TotalMark } from '#contract/gradebook-total'
import { eq } from 'drizzle-orm'
import type { Db } from '../../db/client.ts'
import { courses } from '../../db/schema.ts'
import { chunksOf } from '../../lib/chunks.ts'
import { newSecret } from '../../lib/ids.ts'
import { isTold, isTotalTold, tellOfMarks, type StoredMark } from './told.ts'
import { deriveMarks, selectDeciding } from '../homeworks/derived-mark-queries.ts'
import { selectColumns, selectGroups, toTotalRule } from './columns-queries.ts'
import { cellMark } from './derive.ts'
import {
  claimMarks,
  selectMarksOf,
  selectSettings,
  selectStalePeople,
  selectStored,
  waitForRejudge,
  writeMarks,
  type CellRow,
  type ClaimedRow,
  type ComputedCell,
  type StoredRow,
} from './refresh-queries.ts'

/** People whose marks are computed at once: each may have some hundred problems, with 2.6 KB of attempts. */
const PEOPLE_AT_ONCE = 10

const keyOf = ({ columnId, userId }: CellRow) => `${columnId} ${userId}`

/** A mark as it will be, with whether it is by a rule; see `staleMarks`. */
type ClaimedCell = ComputedCell & Pick<ClaimedRow, 'isByRule'>

/** A mark that differs from what is stored; `before` null: nothing is. */
type ChangedCell = ClaimedCell & { before: StoredMark | null }

/** Marks as they are stored, by `keyOf`. */
function byCell(stored: readonly StoredRow[]): ReadonlyMap<string, StoredRow> {
  return new Map(stored.map((row) => [keyOf(row), row]))
}

/** What a stored mark was derived from. */
const parsed = ({ derivation }: StoredRow): StoredMark['derivation'] =>
  derivation === null ? null : JSON.parse(derivation)

/** The cells whose marks differ from what is stored. */
function differing(
  cells: readonly ClaimedCell[],
  before: ReturnType<typeof byCell>,
): ChangedCell[] {
  const differs = ({ mark, ...cell }: ComputedCell) => {
    const row = before.get(keyOf(cell))
    if (mark === null || row === undefined) return mark !== null || row !== undefined
    const derivation = mark.derivation && JSON.stringify(mark.derivation)
    return (
      mark.hundredths !== row.hundredths ||
      mark.isExcused !== row.isExcused ||
      derivation !== row.derivation
    )
  }
  return cells.filter(differs).map((cell) => {
    const row = before.get(keyOf(cell))
    return { ...cell, before: row ? { ...row, derivation: parsed(row) } : null }
  })
}

/**
 * Computes claimed marks of homeworks and of columns that staff fill. A mark stays as it is while a submission that it rests on is judged again.
 * @returns those that differ from what is stored, and those that stay
 */
async function computeColumns(
  db: Db,
  claimed: readonly ClaimedRow[],
): Promise<{ changed: ChangedCell[]; waiting: CellRow[] }> {
  const userIds = [...new Set(claimed.map(({ userId }) => userId))]
  const columnIds = [...new Set(claimed.map(({ columnId }) => columnId))]
  const homeworkIds = [...new Set(claimed.flatMap(({ homeworkId }) => homeworkId ?? []))]
  const [stored, set, ...read] = await db.batch([
    selectStored(db, columnIds, userIds),
    selectSettings(db, columnIds, userIds),
    ...selectDeciding(db, homeworkIds, userIds),
  ])
  const settings = new Map(set.map((row) => [keyOf(row), row]))
  const marks = deriveMarks(read)
  const before = byCell(stored)
  const waiting: CellRow[] = []
  const cells = claimed.flatMap(({ homeworkId, ...cell }) => {
    const setting = settings.get(keyOf(cell)) ?? null
    const computed = homeworkId === null ? undefined : marks.of(homeworkId, cell.userId)
    const mark = cellMark(setting, computed)
    const row = before.get(keyOf(cell))
    const derivation = row && parsed(row)
    const isDecided = mark?.isExcused || mark?.derivation?.isSet
    if (
      homeworkId !== null &&
      derivation &&
      !isDecided &&
      marks.isJudgedAgain(homeworkId, cell.userId, derivation)
    ) {
      waiting.push(cell)
      return []
    }
    return [{ ...cell, mark }]
  })
  return { changed: differing(cells, before), waiting }
}

/** What a total has beside its points. */
const TOTAL = { isExcused: false, isSet: false, isKept: false, derivation: null }

/** Computes claimed totals. @returns those that differ from what is stored */
async function computeTotals(
  db: Db,
  courseId: number,
  claimed: readonly ClaimedRow[],
): Promise<ChangedCell[]> {
  const userIds = claimed.map(({ userId }) => userId)
  const columnIds = [...new Set(claimed.map(({ columnId }) => columnId))]
  const [stored, rows, allColumns, groups] = await db.batch([
    selectStored(db, columnIds, userIds),
    selectMarksOf(db, courseId, userIds),
    selectColumns(db, courseId),
    selectGroups(db, courseId),
  ])
  const { rule, columns } = toTotalRule(allColumns)
  const ofPeople = Map.groupBy(rows, ({ userId }) => userId)
  const cells = claimed.map(({ columnId, userId, isByRule }) => {
    const marks = new Map<number, TotalMark>(
      (ofPeople.get(userId) ?? []).map((row) => [row.columnId, row]),
    )
    const { hundredths } = totalOf(rule, groups, columns, marks)
    return { columnId, userId, isByRule, mark: { ...TOTAL, hundredths } }
  })
  return differing(cells, byCell(stored))
}

/** The statements that tell students of their changed marks. */
async function toldStatements(
  db: Db,
  courseId: number,
  told: readonly CellRow[],
  { claim, now }: { claim: string; now: number },
) {
  if (told.length === 0) return []
  const [course] = await db
    .select({ timeZone: courses.timeZone })
    .from(courses)
    .where(eq(courses.id, courseId))
  if (!course) return []
  return [...Map.groupBy(told, ({ columnId }) => columnId)].flatMap(([columnId, cells]) => {
    const userIds = cells.map(({ userId }) => userId)
    return tellOfMarks(db, { ...course, courseId, columnId, userIds, claim }, now)
  })
}

/** Computes the stale marks of a few people. */
async function refreshFew(
  db: Db,
  courseId: number,
  userIds: readonly number[],
  now: number,
): Promise<void> {
  const claim = newSecret()
  const store = async (
    claimed: readonly CellRow[],
    changed: readonly ChangedCell[],
    told: readonly CellRow[],
    waiting: readonly CellRow[] = [],
  ) => {
    const [write, ...more] = writeMarks(db, claim, claimed, changed, now)
    const tell = await toldStatements(db, courseId, told, { claim, now })
    const wait = waiting.length > 0 ? [waitForRejudge(db, claim, waiting)] : []
    // These concern claimed marks, so they come before the claims end.
    await db.batch([write, ...tell, ...wait, ...more])
  }
  const [claimed, early] = await db.batch([
    claimMarks(db, courseId, 'others', userIds, claim),
    claimMarks(db, courseId, 'total', userIds, claim),
  ])
  const { changed, waiting } =
    claimed.length > 0 ? await computeColumns(db, claimed) : { changed: [], waiting: [] }
  const told = changed.filter((cell) => isTold(cell.before, cell.mark, cell.isByRule === 1))
  if (claimed.length > 0) await store(claimed, changed, told, waiting)
  // A mark that changes makes its total stale.
  const totals =
    changed.length > 0 ? await claimMarks(db, courseId, 'total', userIds, claim) : early
  if (totals.length === 0) return
  const changedTotals = await computeTotals(db, courseId, totals)
  const explained = new Set(told.map(({ userId }) => userId))
  const toldTotals = changedTotals.filter(
    (cell) =>
      isTotalTold(cell.before, cell.mark, cell.isByRule === 1) && !explained.has(cell.userId),
  )
  await store(totals, changedTotals, toldTotals)
}

/**
 * Computes the stale marks of these people in a course, then their totals. A mark whose reasons change meanwhile stays stale: whoever made the
 * change, or the sweeper, has it computed.
 * @param now epoch seconds
 */
export async function refreshMarks(
  db: Db,
  courseId: number,
  userIds: readonly number[],
  now: number,
): Promise<void> {
  for (const few of chunksOf(userIds, PEOPLE_AT_ONCE)) await refreshFew(db, courseId, few, now)
}

/** Computes the stale marks of up to so many people of a course. @returns of how many; 0: no mark is stale */
export async function refreshStale(
  db: Db,
  courseId: number,
  limit: number,
  now: number,
): Promise<number> {
  const people = await selectStalePeople(db, courseId, limit)
  await refreshMarks(
    db,
    courseId,
    people.map(({ userId }) => userId),
    now,
  )
  return people.length
}

/** Reads the scoreboard that students see, in pieces: the attempts of a whole class would not fit the memory of a Worker. */
import { and, asc, eq, sql } from 'drizzle-orm'
import { homeworkStatusAt, isBoardOpen, type HomeworkBoard } from '#contract/homeworks'
import { can } from '#contract/roles'
import type { Db } from '../../db/client.ts'
import { homeworkProblems, homeworks, problemResults } from '../../db/schema.ts'
import type { SessionUser } from '../../db/sessions.ts'
import { AppError } from '../../http/errors.ts'
import { selectAsked } from './late-day-queries.ts'
import { LateDaysReader } from './late-days.ts'
import { BoardMarks, NO_MARKS, toBoard } from './board.ts'
import { GradebookReader, selectHomeworkSettings, selectUnshown } from './gradebook-queries.ts'
import { MarksReader } from './marks.ts'
import { withItsBudget, type HomeworkAccess } from './queries.ts'
import {
  selectAttempts,
  selectHomeworks,
  selectMarks,
  selectMembers,
  selectProblems,
  type Reading,
} from './reading-queries.ts'

/** Rows that are read at once, each for one person and problem: 2.6 MB if all have `ATTEMPTS.kept` attempts. */
export const BOARD_ROWS = 1_000

type AttemptsRow = Awaited<ReturnType<typeof selectAttempts>>[number]

/** A piece of everybody's attempts, sorted by problem and person. @param after the last row of the previous piece */
function selectPiece(db: Db, reading: Reading, after?: AttemptsRow) {
  const { problemId } = homeworkProblems
  const { userId } = problemResults
  const isBehind = after && sql`(${problemId}, ${userId}) > (${after.problemId}, ${after.userId})`
  return selectAttempts(db, { ...reading, which: and(reading.which, isBehind) ?? reading.which })
    .orderBy(asc(problemId), asc(userId))
    .limit(BOARD_ROWS)
}

/** Reads the attempts at one homework's problems piece by piece. @param first the first piece, if it has been read */
export async function* readPieces(
  db: Db,
  reading: Reading,
  homeworkId: string,
  first?: AttemptsRow[],
): AsyncGenerator<AttemptsRow> {
  const one = { ...reading, which: eq(homeworks.id, homeworkId) }
  let piece = first ?? (await selectPiece(db, one))
  yield* piece
  while (piece.length === BOARD_ROWS) {
    piece = await selectPiece(db, one, piece.at(-1))
    yield* piece
  }
}

/**
 * The scoreboard of a homework that students see. Staff see it too. It shows no points before all students see theirs, and none of a held mark.
 * @throws AppError `scoreboard_hidden` to students, if it is for staff only or not open yet
 */
export async function getBoard(
  db: Db,
  access: HomeworkAccess,
  user: SessionUser,
  now: number,
): Promise<HomeworkBoard> {
  const { homeworkId, scoreboardStatus, scoreboardNames, standing } = access
  const status = homeworkStatusAt(access, now)
  if (!isBoardOpen({ scoreboardStatus, status }) && !can(standing, 'submission.readAll'))
    throw new AppError('scoreboard_hidden')
  // Staff, too, get only the problems that students see.
  const reading: Reading = {
    standing: 'student',
    user,
    which: withItsBudget(access),
    progress: 'all',
    now,
  }
  const one = { ...reading, which: eq(homeworks.id, homeworkId) }
  const [rows, contents, members, first, asked, settings, unshown, ...stored] = await db.batch([
    selectHomeworks(db, reading),
    selectProblems(db, reading),
    selectMembers(db, reading),
    selectPiece(db, one),
    selectAsked(db, reading.which, 'all'),
    selectHomeworkSettings(db, one),
    selectUnshown(db, one),
    ...selectMarks(db, reading),
  ])
  const homework = rows.find(({ id }) => id === homeworkId)
  if (!homework) throw new AppError('homework_not_found')
  const isShown = (row: (typeof contents)[number]) => row.homeworkId === homeworkId && row.isShown
  const shown = status === 'not-started' ? [] : contents.filter(isShown)
  const inOrder = shown.toSorted((left, right) => left.position - right.position)
  const marks = new MarksReader(...stored)
  const lateDays = new LateDaysReader(marks, rows, contents, asked)
  const gradebook = new GradebookReader(settings, unshown)
  const board = new BoardMarks({ marks, lateDays, gradebook, homework }, inOrder)
  for await (const row of readPieces(db, reading, homeworkId, first)) {
    lateDays.take(row)
    board.read(row.userId, row.problemId, JSON.parse(row.attempts))
  }
  for (const { id } of rows)
    if (id !== homeworkId) for await (const row of readPieces(db, reading, id)) lateDays.take(row)
  // A longer time is private, so a column that opens at closing is shown when the last student's homework has closed.
  const isForAll = unshown.every(({ isHeld }) => isHeld)
  const problemIds = inOrder.map(({ problemId }) => problemId)
  const students = members
    .filter(({ courseRole }) => can(courseRole, 'scoreboard.appear'))
    .map((student) => ({ ...student, ...(isForAll ? board.of(student.id) : NO_MARKS) }))
  return toBoard({ problemIds, hasNames: scoreboardNames === 1 }, students, user.username)
}

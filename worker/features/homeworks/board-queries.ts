/** Reads the scoreboard that students see, in pieces: the attempts of a whole class would not fit the memory of a Worker. */
import { and, asc, eq, sql } from 'drizzle-orm'
import { homeworkStatusAt, isBoardOpen, type HomeworkBoard } from '#contract/homeworks'
import { can } from '#contract/roles'
import type { Db } from '../../db/client.ts'
import { homeworkProblems, homeworks, problemResults } from '../../db/schema.ts'
import type { SessionUser } from '../../db/sessions.ts'
import { AppError } from '../../http/errors.ts'
import { BoardMarks, toBoard } from './board.ts'
import { MarksReader } from './marks.ts'
import type { HomeworkAccess } from './queries.ts'
import {
  selectAttempts,
  selectHomeworks,
  selectMarks,
  selectMembers,
  selectProblems,
  type Reading,
} from './reading-queries.ts'

/** Rows that a scoreboard reads at once, each for one person and problem: 2.6 MB if all have `ATTEMPTS.kept` attempts. */
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

/**
 * The scoreboard of a homework that students see. Staff see it too.
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
  const which = eq(homeworks.id, homeworkId)
  const reading: Reading = { standing: 'student', user, which, progress: 'all', now }
  const [rows, contents, members, first, ...stored] = await db.batch([
    selectHomeworks(db, reading),
    selectProblems(db, reading),
    selectMembers(db, reading),
    selectPiece(db, reading),
    ...selectMarks(db, reading),
  ])
  const homework = rows[0]
  if (!homework) throw new AppError('homework_not_found')
  const shown = status === 'not-started' ? [] : contents
  const inOrder = shown.toSorted((left, right) => left.position - right.position)
  const board = new BoardMarks(new MarksReader(...stored), homework, inOrder)
  for (let piece = first; ; piece = await selectPiece(db, reading, piece.at(-1))) {
    for (const { userId, problemId, attempts } of piece)
      board.read(userId, problemId, JSON.parse(attempts))
    if (piece.length < BOARD_ROWS) break
  }
  const problemIds = inOrder.map(({ problemId }) => problemId)
  const students = members
    .filter(({ courseRole }) => can(courseRole, 'scoreboard.appear'))
    .map((student) => ({ ...student, ...board.of(student.id) }))
  return toBoard({ problemIds, hasNames: scoreboardNames === 1 }, students, user.username)
}

/** Chooses who submits which program when: some students try once, some often, some late, some not at all. */
import { languageOf } from '#contract/languages'
import { STATUS } from '#contract/verdicts'
import { seededNumbers } from '../problem.ts'
import {
  BROKEN_DAY,
  END_HOUR,
  START_HOUR,
  TERM_HOMEWORKS,
  TERM_USERNAMES,
  termProblems,
  termTimes,
  type At,
  type TermHomework,
} from './plan.ts'
import { folderOf, type Programs, type TermProgram } from './programs.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
/** Nobody works before this hour of the day. */
const WAKING_HOUR = 7

export interface TermAttempt {
  /** Position in `TERM_USERNAMES`. */
  student: number
  /** Position in `termProblems`. */
  problem: number
  program: TermProgram
  atMs: number
}

/** On this problem, one student of this many met the broken checker. */
const BROKEN = { folder: folderOf('Two squares'), everyStudent: 13 } as const

/** Visitors sign in as the first student, who has not yet done the running homework. */
const VISITOR = 0

type Numbers = ReturnType<typeof seededNumbers>

/** The programs of one student for one problem, in order; none if the student leaves the problem out. */
function programsOf(
  folder: string,
  programs: Programs,
  { username, student }: { username: string; student: number },
  number: Numbers,
): TermProgram[] {
  const all = programs.get(folder) ?? []
  const own = all.find((program) => program.username === username)
  // On the problem with copy detection everybody succeeds in the end: code that all students share does not count as copied.
  const isCopied = all.some((program) => program.username !== null)
  // From 35 to 100; the first student, whom visitors see, is above the middle.
  const skill = 35 + ((student * 29 + 40) % 66)
  if (!isCopied && number(1, 100) > 39 + skill * 0.55) return []
  const family = own ? 'c' : student % 5 < 2 ? 'py3' : 'c'
  const fitting = all.filter(
    (program) =>
      program.username === null && languageOf(program.languageType).copyFamily === family,
  )
  const failing = fitting.filter(({ status }) => status !== STATUS.AC)
  const right = own ?? fitting.find(({ status }) => status === STATUS.AC)
  const tries = failing.length === 0 ? 0 : number(0, skill > 75 ? 1 : 2)
  const chosen = Array.from({ length: tries }, () => failing[number(0, failing.length - 1)])
  if (right && (isCopied || tries === 0 || number(1, 100) <= skill + 10)) chosen.push(right)
  if (right && folder === BROKEN.folder && student % BROKEN.everyStudent === 0)
    chosen.unshift({ ...right, status: STATUS.JE })
  return chosen.filter((program) => program !== undefined)
}

/** When a student first submits for a homework: mostly near its end, sometimes after it, and never at night. */
function firstAt(
  { startDay, endDay, latePercent }: TermHomework,
  { at, nowMs }: { at: At; nowMs: number },
  number: Numbers,
): number {
  const endMs = Math.min(at(endDay, END_HOUR) * 1_000, nowMs)
  const startMs = at(startDay, START_HOUR) * 1_000
  const share = Math.max(number(200, 9_600), number(200, 9_600)) / 10_000
  const isLate = number(1, 100) <= latePercent
  const atMs = isLate
    ? endMs + number(30, 5 * 1_440) * MINUTE_MS
    : startMs + Math.floor((endMs - startMs) * share)
  return atMs % DAY_MS < WAKING_HOUR * HOUR_MS ? atMs - WAKING_HOUR * HOUR_MS : atMs
}

/** All five hundred submissions of the term, the oldest first. */
export function termAttempts(programs: Programs, nowMs: number): TermAttempt[] {
  const problems = termProblems()
  const number = seededNumbers(2_417)
  const at = termTimes(nowMs)
  const attempts: TermAttempt[] = []
  for (const homework of TERM_HOMEWORKS.filter(({ startDay }) => startDay < 0))
    for (const problem of homework.problems)
      for (const [student, username] of TERM_USERNAMES.entries()) {
        if (student === VISITOR && homework.endDay > 0) continue
        const folder = folderOf(problems[problem]?.form.problemName ?? '')
        let atMs = firstAt(homework, { at, nowMs }, number)
        for (const program of programsOf(folder, programs, { username, student }, number)) {
          const isBroken = program.status === STATUS.JE
          if (isBroken) atMs = at(BROKEN_DAY, 8) * 1_000 + number(0, 2 * HOUR_MS)
          attempts.push({ student, problem, program, atMs: Math.min(atMs, nowMs - MINUTE_MS) })
          // The announcement that the checker works again comes some hours later.
          atMs += (isBroken ? 4 * HOUR_MS : 0) + number(2, 60) * MINUTE_MS + number(0, 59_999)
        }
      }
  return attempts.toSorted((left, right) => left.atMs - right.atMs)
}

/** The term as its teacher planned it: people, problems, homeworks and announcements. Days count from today. */
import { DEMO_PEOPLE } from '../accounts.ts'
import type { LateRule } from '#contract/homework-dates'
import { divisorProblem } from '../divisors.ts'
import { draftProblem, mazeProblem } from '../graph-problems.ts'
import { guessProblem } from '../guess.ts'
import { fibonacciProblem, spreadProblem } from '../number-problems.ts'
import type { DemoCourse, DemoProblem } from '../problem.ts'
import { sumProblem } from '../sum.ts'
import { bracketsProblem, cipherProblem, wordsProblem } from '../text-problems.ts'
import { squaresProblem } from '../two-squares.ts'
import { windowProblem } from '../window-sums.ts'
import { TERM_STUDENTS } from './people.ts'

const DAY_SECONDS = 86_400

/** The day on which the course began: it is in its seventh week. */
export const FIRST_DAY = -45

/** The morning on which the checker of `Two squares` was broken. */
export const BROKEN_DAY = -16

/**
 * A time of the term, in epoch seconds.
 * @param day counted from today
 * @param hour of the day, UTC
 */
export type At = (day: number, hour: number) => number

/** The times of a term that has reached its seventh week now. */
export function termTimes(nowMs: number): At {
  const today = Math.floor(nowMs / 1_000 / DAY_SECONDS)
  return (day, hour) => (today + day) * DAY_SECONDS + hour * 3_600
}

/** Homeworks begin and end at these hours. */
export const START_HOUR = 8
export const END_HOUR = 20

/** The problems of the term. The problems of the small demo come first, so that their addresses are the same in both demos. */
export function termProblems(): DemoProblem[] {
  return [
    sumProblem(),
    divisorProblem(),
    windowProblem(),
    squaresProblem(),
    guessProblem(),
    cipherProblem(),
    bracketsProblem(),
    wordsProblem(),
    spreadProblem(),
    fibonacciProblem(),
    mazeProblem(),
    draftProblem(),
  ]
}

export interface TermHomework {
  name: string
  markdown: string
  startDay: number
  endDay: number
  /** Positions in `termProblems`. */
  problems: number[]
  /** Percentage of the students who submit after the end. */
  latePercent: number
  /** Late work counts until then. */
  closeDay?: number
  lateRule?: LateRule
  /** More time for one student. */
  extension?: { username: string; dueDay: number; reason: string }
}

export const TERM_HOMEWORKS: readonly TermHomework[] = [
  {
    name: 'First steps',
    markdown: 'Reading, computing, writing. Choose **C, C++ or Python**.',
    startDay: FIRST_DAY,
    endDay: -38,
    problems: [0, 5],
    latePercent: 0,
  },
  {
    name: 'Numbers',
    markdown: 'How large do your numbers get, and how exact are they?',
    startDay: -38,
    endDay: -31,
    problems: [1, 8],
    latePercent: 5,
  },
  {
    name: 'Text',
    markdown: 'A stack, and a table of counts.',
    startDay: -31,
    endDay: -21,
    problems: [6, 7],
    latePercent: 5,
  },
  {
    name: 'Asking and checking',
    markdown:
      'A problem with many right answers, and one that talks to your program.\n\nLate work loses 10 % a day and counts for five days.',
    startDay: -21,
    endDay: -12,
    problems: [3, 4],
    latePercent: 25,
    closeDay: -7,
    lateRule: { kind: 'units', unitMinutes: 1_440, percent: 10, how: 'multiply', floor: 0 },
    extension: { username: TERM_STUDENTS[0].username, dueDay: -9, reason: 'Ill for a week' },
  },
  {
    name: 'Faster',
    markdown: 'A first program is soon written. What does the last subtask ask of it?',
    startDay: -9,
    endDay: 5,
    problems: [2, 9],
    latePercent: 0,
  },
  {
    name: 'Graphs',
    markdown: 'A maze is a graph, too: which fields can be reached, and in how many steps?',
    startDay: 5,
    endDay: 19,
    problems: [10],
    latePercent: 0,
  },
]

/** The announcements, the oldest first, each made in a morning. */
export const TERM_ANNOUNCEMENTS = [
  {
    day: FIRST_DAY - 1,
    title: 'How this course works',
    markdown:
      'Read a problem, write a program in C, C++ or Python, hand it in.\n\nThe program reads *standard input* and writes *standard output*.',
    pinned: true,
  },
  {
    day: -30,
    title: 'Office hours move to Thursday',
    markdown: 'From this week on: **Thursdays, 14:00 to 15:30**, in the usual room.',
    pinned: false,
  },
  {
    day: BROKEN_DAY,
    title: 'Two squares: the checker was broken',
    markdown:
      'A few submissions got a *Judge Error* this morning. That was not your fault: hand them in again.',
    pinned: false,
  },
  {
    day: -2,
    title: 'Half-time',
    markdown:
      'Six weeks are behind us. The running homework ends **in a week**; the next one is about graphs: mazes first.\n\n$$\\text{seen} = \\{s\\}, \\quad \\text{next} = \\{v \\mid (u, v) \\in E,\\ u \\in \\text{seen}\\}$$',
    pinned: false,
  },
] as const

/** The teacher's hint for everybody who makes one mistake; other mistakes wait for a hint. */
export const TERM_HINT = {
  day: -2,
  problem: 'The busiest stretch',
  word: 'zero',
  markdown:
    'Your program begins with a best worth that no stretch has. What should it print if **every** section is worth less than nothing?',
} as const

/** Usernames of the people who submit. */
export const TERM_USERNAMES: readonly string[] = [...DEMO_PEOPLE, ...TERM_STUDENTS]
  .filter(({ username, role }) => role === 2 && username !== 'ta')
  .map(({ username }) => username)

/** The course of the term. */
export function termCourse(nowMs: number): DemoCourse {
  const at = termTimes(nowMs)
  return {
    people: [...DEMO_PEOPLE, ...TERM_STUDENTS],
    problems: termProblems(),
    homeworks: TERM_HOMEWORKS.map((planned) => {
      const { startDay, endDay, closeDay, extension, latePercent: _, ...homework } = planned
      // The last second before the end.
      const endOf = (day: number) => at(day, END_HOUR) - 1
      return {
        ...homework,
        start: at(startDay, START_HOUR),
        end: endOf(endDay),
        close: closeDay === undefined ? null : endOf(closeDay),
        extensions: extension
          ? [
              {
                username: extension.username,
                due: endOf(extension.dueDay),
                reason: extension.reason,
              },
            ]
          : [],
      }
    }),
    announcements: TERM_ANNOUNCEMENTS,
  }
}

import Papa from 'papaparse'
import { describe, expect, it } from 'vitest'
import type { Homework, ProblemProgress } from '#contract/homeworks'
import {
  boardOfHomework,
  boardOfWindow,
  boardTable,
  EMPTY_CELL,
  sortBoard,
  stateOf,
  turnoutOf,
} from '../../web/features/homeworks/scoreboard.ts'
import { toCsv } from '#contract/csv-table'
import { binLabel, histogram } from '../../web/lib/histogram.ts'

function student(username: string) {
  return { username, displayedName: username.toUpperCase(), role: 2 } as const
}

const ID = '0123456789abcdef01234567'
const LATE_ID = '0123456789abcdef76543210'
const lateWith = (score: number) => ({ score, submissionIds: [LATE_ID], bestId: LATE_ID })

type StudentStatus = Record<string, ProblemProgress>

/** Nothing late counts here; the first problem is worth 50 points. */
const counted = { counted: ID, kept: false, given: null }
const nothing = { counted: null, mark: null, kept: false, given: null }

const homework: Pick<Homework, 'problemIds' | 'points' | 'studentStatus' | 'marks'> = {
  problemIds: [7, 3],
  points: [50, 100],
  studentStatus: new Map(
    Object.entries<StudentStatus>({
      ann: {
        7: {
          score: 100,
          problemStatus: 0,
          submissionIds: [ID, ID],
          bestId: ID,
          late: null,
          ...counted,
          mark: 50,
        },
        3: {
          score: 0,
          problemStatus: 1,
          submissionIds: [ID],
          bestId: ID,
          late: lateWith(80),
          ...counted,
          mark: 0,
        },
      },
      bob: {
        7: {
          score: 0,
          problemStatus: null,
          submissionIds: [],
          bestId: null,
          ...nothing,
          late: lateWith(30),
        },
      },
    }),
  ),
  marks: new Map([
    ['ann', { sum: 50, excused: false, given: null, lateDays: null }],
    ['bob', { sum: 0, excused: false, given: null, lateDays: null }],
  ]),
}

const GIVEN = { points: 7.25, comment: 'Oral exam', by: 'tina', at: 1 }

const board = boardOfHomework([student('ann'), student('bob'), student('cho')], homework)

describe('the board of a homework', () => {
  it('holds the best in time with its tries, and the late best beside it', () => {
    expect(board.map(({ cells }) => cells)).toEqual([
      [
        { ...EMPTY_CELL, mark: 50, points: 50, tries: 2, by: 'inTime', countedId: ID },
        {
          ...EMPTY_CELL,
          mark: 0,
          tries: 1,
          by: 'inTime',
          countedId: ID,
          late: 80,
          lateId: LATE_ID,
        },
      ],
      [{ ...EMPTY_CELL, points: 50, late: 30, lateId: LATE_ID }, EMPTY_CELL],
      [{ ...EMPTY_CELL, points: 50 }, EMPTY_CELL],
    ])
    expect(board.map(({ sum, average }) => [sum, average])).toEqual([
      [50, 25],
      [0, 0],
      [0, 0],
    ])
  })

  it('tells full, part, nothing reached and nothing handed in apart', () => {
    const cells = [100, 99, 0.5, 0, null].map((mark) => ({ ...EMPTY_CELL, mark, tries: 1 }))
    expect(cells.map(stateOf)).toEqual(['full', 'partial', 'partial', 'zero', 'none'])
    expect(stateOf({ ...EMPTY_CELL, mark: 50, points: 50 })).toBe('full')
  })

  it('says why a mark is what it is', () => {
    const base = { score: 100, problemStatus: 0 as const, submissionIds: [ID], bestId: ID }
    const late = lateWith(90)
    const byOf = (change: Partial<ProblemProgress>) => {
      const progress = { ...base, ...nothing, late, ...change }
      const studentStatus = new Map([['ann', { 7: progress }]])
      const [row] = boardOfHomework([student('ann')], { ...homework, studentStatus })
      return row?.cells[0]
    }
    expect(byOf({ counted: LATE_ID, mark: 40.5 })).toMatchObject({ by: 'late', mark: 40.5 })
    expect(byOf({ counted: ID, mark: 50 })).toMatchObject({ by: 'inTime', countedId: ID })
    expect(byOf({ kept: true, mark: 45 })).toMatchObject({ by: 'kept', countedId: null })
    expect(byOf({ counted: ID, given: GIVEN, mark: 7.25 })).toMatchObject({ by: 'given' })
    expect(byOf({})).toMatchObject({ by: null, mark: null })
  })

  it('has no sum for who is excused, who comes last', () => {
    const marks = new Map([
      ['ann', { sum: null, excused: true, given: null, lateDays: null }],
      ['bob', { sum: 7.25, excused: false, given: GIVEN, lateDays: null }],
    ])
    const rows = boardOfHomework(['ann', 'bob', 'cho'].map(student), { ...homework, marks })
    expect(rows[0]).toMatchObject({ sum: null, average: null, isExcused: true })
    expect(rows[1]).toMatchObject({ sum: 7.25, isExcused: false, given: GIVEN })
    const names = sortBoard(rows, 'sum', true).map(({ user }) => user.username)
    expect(names).toEqual(['bob', 'cho', 'ann'])
  })

  it.each([
    ['user', false, 'ann bob cho'],
    ['user', true, 'cho bob ann'],
    ['sum', true, 'ann bob cho'],
    ['sum', false, 'bob cho ann'],
    ['average', true, 'ann bob cho'],
    ['average', false, 'bob cho ann'],
    ['1', true, 'ann bob cho'],
    ['1', false, 'bob cho ann'],
  ])('is sorted by %s, descending: %s', (by, descending, wanted) => {
    const names = sortBoard(board, by, descending).map(({ user }) => user.username)
    expect(names.join(' ')).toBe(wanted)
  })

  it('puts equals in the order of their usernames as numbers, whichever way it is sorted', () => {
    const equals = boardOfHomework(['s10', 's9', 's1'].map(student), homework)
    for (const by of ['sum', 'average', '0'])
      for (const descending of [true, false]) {
        const names = sortBoard(equals, by, descending).map(({ user }) => user.username)
        expect(names, `${by}, descending: ${descending}`).toEqual(['s1', 's9', 's10'])
      }
  })

  it('sorts by the column that is asked for, where sum and problems disagree', () => {
    const of = (username: string, ...scores: number[]) => ({
      user: student(username),
      cells: scores.map((mark) => ({ ...EMPTY_CELL, mark, tries: 1 })),
      isExcused: false,
      given: null,
      sum: scores.reduce((sum, score) => sum + score, 0),
      average: scores.reduce((sum, score) => sum + score, 0) / scores.length,
    })
    const rows = [of('ann', 10, 90), of('bob', 60, 0), of('cho', 0, 95)]
    const sorted = (by: string) => sortBoard(rows, by, true).map(({ user }) => user.username)
    expect(sorted('0')).toEqual(['bob', 'ann', 'cho'])
    expect(sorted('1')).toEqual(['cho', 'ann', 'bob'])
    expect(sorted('sum')).toEqual(['ann', 'cho', 'bob'])
  })

  it('of a homework without problems has an average of 0', () => {
    const none = { problemIds: [], points: [], studentStatus: new Map(), marks: new Map() }
    const [row] = boardOfHomework([student('ann')], none)
    expect(row).toMatchObject({ cells: [], sum: 0, average: 0 })
  })

  it('of a time has nothing handed in where nothing was counted', () => {
    const cell = { count: 0, max: 0, min: 0, avg: 0 }
    const rows = [{ user: student('ann'), sum: 0, avg: 0, problems: { 7: cell } }]
    expect(boardOfWindow(rows, [7])[0]?.cells).toEqual([EMPTY_CELL])
  })

  it('of a time counts what came in then, and nothing as late', () => {
    const cell = { count: 2, max: 60, min: 0, avg: 30, bestId: ID }
    const rows = [{ user: student('ann'), sum: 60, avg: 30, problems: { 7: cell } }]
    expect(boardOfWindow(rows, [7, 3])[0]).toMatchObject({
      cells: [{ ...EMPTY_CELL, mark: 60, tries: 2, countedId: ID }, EMPTY_CELL],
      sum: 60,
      average: 30,
    })
  })
})

describe('the turnout', () => {
  it('counts who handed in what counts, and means what they have', () => {
    expect(turnoutOf(board)).toEqual({ handedIn: 1, mean: 25 })
    expect(turnoutOf(board.slice(1))).toEqual({ handedIn: 0, mean: null })
    const late = { ...EMPTY_CELL, mark: 40, countedId: LATE_ID }
    const row = { user: student('ann'), cells: [late], isExcused: false, given: null }
    expect(turnoutOf([{ ...row, sum: 40, average: 40 }])).toEqual({ handedIn: 1, mean: 40 })
    expect(turnoutOf([{ ...row, sum: null, average: null }])).toEqual({ handedIn: 1, mean: null })
  })
})

describe('the board as a table', () => {
  it('has columns for mark, tries, late and what counts of each problem', () => {
    const heads = {
      username: 'Username',
      displayName: 'Name',
      sum: 'Sum',
      average: 'Average',
      tries: (problem: string) => `${problem} tries`,
      late: (problem: string) => `${problem} late`,
      by: (problem: string) => `${problem} counts`,
      byName: (by: string) => `(${by})`,
      given: 'Given',
      excused: 'Excused',
      yes: 'yes',
    }
    const [row] = board
    if (row === undefined) throw new Error('the board has rows')
    expect(boardTable([row], ['#7 A', '#3 B'], heads)).toEqual([
      'Username|Name|#7 A|#7 A tries|#7 A late|#7 A counts|#3 B|#3 B tries|#3 B late|#3 B counts|Sum|Average|Given|Excused'.split(
        '|',
      ),
      ['ann', 'ANN', 50, 2, null, '(inTime)', 0, 1, 80, '(inTime)', 50, 25, null, null],
    ])
    const excused = { ...row, sum: null, average: null, isExcused: true, given: GIVEN }
    const labels = {
      head: 'Labels',
      cellOf: ({ username }: { username: string }) => `${username}!`,
    }
    const labelled = boardTable([row], [], { ...heads, labels }).map((cells) => cells.slice(0, 3))
    expect(labelled).toEqual([
      ['Username', 'Name', 'Labels'],
      ['ann', 'ANN', 'ann!'],
    ])
    const [, second] = boardTable([excused], ['#7 A', '#3 B'], heads)
    expect(second?.slice(-4)).toEqual([null, null, 7.25, 'yes'])
    const [, third] = boardTable([{ ...row, average: 200 / 3 }], ['#7 A', '#3 B'], heads)
    expect(third?.at(-3)).toBe(66.67)
  })
})

describe('an exported cell that begins like a formula', () => {
  it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\0=1', '\r=1', '＝1', '＋1', '－1', '＠A'])(
    '%j gets a quote [IV6]',
    (text) => {
      const [[cell] = []] = Papa.parse<string[]>(toCsv([[text]]).slice(1)).data
      expect(cell).toBe(`'${text}`)
    },
  )

  it.each(['plain', 'a=1', "'=1", '', ' =1', '陳', 'say "hi", twice', 'two\nlines'])(
    '%j comes back as it was',
    (text) => {
      const [[cell] = []] = Papa.parse<string[]>(toCsv([[text, 'end']]).slice(1)).data
      expect(cell).toBe(text)
    },
  )

  it('numbers stay numbers, lines end as RFC 4180 wants, and spreadsheets read it as UTF-8', () => {
    expect(toCsv([['名'], [-5], [null]])).toBe('\uFEFF名\r\n-5\r\n\r\n')
  })
})

describe('a histogram', () => {
  it('counts ten ranges, and the full score by itself', () => {
    const bins = histogram([0, 9, 10, 99, 100, 100], 100)
    expect(bins.map(binLabel).join(' ')).toBe(
      '0–9 10–19 20–29 30–39 40–49 50–59 60–69 70–79 80–89 90–99 100',
    )
    expect(bins.map(({ count }) => count)).toEqual([2, 1, 0, 0, 0, 0, 0, 0, 0, 1, 2])
  })

  it('of several problems has wider ranges', () => {
    const bins = histogram([0, 29, 30, 300], 300)
    expect(bins.map(({ count }) => count)).toEqual([2, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1])
    expect(bins[0] && binLabel(bins[0])).toBe('0–29')
  })

  it('of points that are no multiple of ten has ranges of whole numbers', () => {
    const bins = histogram([0, 2.75, 3, 24.5, 25, 31], 25)
    expect(bins.map(binLabel).join(' ')).toBe(
      '0–2 3–4 5–7 8–9 10–12 13–14 15–17 18–19 20–22 23–24 25',
    )
    expect(bins.map(({ count }) => count)).toEqual([2, 1, 0, 0, 0, 0, 0, 0, 0, 1, 2])
    expect(histogram([0, 1.5, 3], 3).map(binLabel).join(' ')).toBe('0 1 2 3')
    expect(histogram([0], 0).map(({ count }) => count)).toEqual([1])
  })
})

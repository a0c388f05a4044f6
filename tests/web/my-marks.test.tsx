/** What students see of their marks, and staff in their place. */
import { describe, expect, it } from 'vitest'
import type { ExplainedMark, GradebookColumn, OwnMarks } from '#contract/gradebook'
import type { QuestionThread } from '#contract/questions'
import { MarksPage } from '../../web/features/marks/marks-page.tsx'
import { StudentPage } from '../../web/features/marks/student-page.tsx'
import { marksQuery, studentMarksQuery } from '../../web/lib/queries/marks.ts'
import { questionQuery } from '../../web/lib/queries/questions.ts'
import { columnWith, markWith, SECOND_TRY } from './fixtures/marks.ts'
import { questionWith } from './fixtures/questions.ts'
import { controlsOf, COURSE, idOf, person, render, rowsOf, textOf } from './fixtures/rendered.tsx'

const ANN = person('ann', 'Ann Lee')

const mark = (of: GradebookColumn, change: Partial<ExplainedMark> = {}) =>
  markWith({ column: of, user: ANN, points: 80, ...change })
const adds = (
  columnId: number,
  fate: 'counts' | 'extra' | 'dropped' | 'excused',
  points: number,
  share: number,
) => ({ part: { columnId, groupId: null, name: '', fate, points, share } })

const LOOPS = mark(columnWith(1, { name: 'Loops', groupId: 4 }), {
  ...adds(1, 'counts', 24, 30),
  derivation: {
    problems: [SECOND_TRY],
    added: null,
    lateDays: 0,
    excusedBy: null,
    isSet: false,
  },
  problems: [{ problemId: 7, name: 'Sum' }],
})
const BY_HAND = { problems: [], added: null, lateDays: 0, excusedBy: null, isSet: true }
const TREES = mark(columnWith(2, { name: 'Trees', groupId: 4 }), {
  points: 12.25,
  derivation: BY_HAND,
  ...adds(2, 'dropped', 0, 0),
})
const ORAL = mark(columnWith(3, { kind: 'manual', homeworkId: null, name: 'Oral exam', max: 20 }), {
  points: null,
})
const GRAPHS = mark(columnWith(5, { name: 'Graphs', groupId: 4 }), {
  points: null,
  excused: true,
  why: 'Ill',
  derivation: { ...BY_HAND, excusedBy: 'dates', isSet: false },
  ...adds(5, 'excused', 0, 0),
})
const TOTAL = mark(columnWith(9, { kind: 'total', homeworkId: null, name: 'Total' }), {
  points: 24,
  groups: [
    {
      groupId: 4,
      name: 'Homeworks',
      share: 30,
      sum: 24,
      points: 24,
      capPercent: 100,
      extra: false,
    },
  ],
})
const OWN: OwnMarks = {
  user: ANN,
  marks: [LOOPS, TREES, GRAPHS, ORAL, TOTAL],
  groups: [{ id: 4, name: 'Homeworks', weight: 30, dropLowest: 1, capPercent: 100, extra: false }],
  total: { outOf: 100, decimals: 0, max: 100 },
  reachable: 94,
  hidden: ['Attendance'],
}

const page = (own: OwnMarks, hash = '', thread?: QuestionThread, closedAt: number | null = null) =>
  render(<MarksPage />, {
    route: '/course/:name/marks',
    at: `/course/A%20B/marks${hash}`,
    course: { closedAt },
    reads: [
      [marksQuery(COURSE.course), own],
      ...(thread === undefined ? [] : [[questionQuery(thread.questionId), thread] as const]),
    ],
  })

const { excerpt: _, ...QUESTION } = questionWith({
  questionId: idOf(8),
  mark: { columnId: 1, columnName: 'Loops', outcome: null },
})
const threadWith = (change: Partial<QuestionThread>): QuestionThread => ({
  ...QUESTION,
  messages: [],
  etag: '"1"',
  ...change,
})

describe('my marks', () => {
  it('stand in their groups, with points and what each adds to the total', () => {
    const markup = page(OWN)
    expect(rowsOf(markup)).toEqual([
      'Column Points Adds to the total',
      expect.stringMatching(
        /^Loops Sum: try 2 counts, handed in at .*\. It came in time with 80 points: 80 of 100\. It adds 24 of 30 points to the total\. .* 80 of 100 24 of 30$/,
      ),
      expect.stringMatching(
        /^Trees Staff set 12\.25 of 100 points, which count\. The total drops it as one of the lowest of its group\. .*12\.25 of 100 Dropped as one of the lowest$/,
      ),
      expect.stringMatching(
        /^Graphs Staff excused this mark: “Ill”\. The total leaves it out\. .*Excused Does not count$/,
      ),
      'Column Points',
      expect.stringMatching(/^Oral exam Staff have not entered a mark yet\. .*none yet, of 20$/),
    ])
    expect(textOf(markup)).toContain('Not part of the total Column Points Oral exam')
    expect(controlsOf(markup)).toMatchObject({
      '#7 Sum': `/course/A%20B/submission/${idOf(5)}`,
      'Ask about this mark: Oral exam': undefined,
    })
  })

  it('begin with the total, which nobody asks about, and name columns that are not shown', () => {
    const markup = page(OWN)
    expect(textOf(markup)).toContain(
      'Total Points 24 of 100 Still reachable 94 How the total is made Homeworks adds 24 of 30 points. Together that is 24 of 100 points.',
    )
    expect(controlsOf(markup)).not.toHaveProperty('Ask about this mark: Total')
    expect(textOf(markup)).toContain('The marks of these columns are not shown yet: Attendance')
  })

  it('have no total and nothing about it while it is not shown', () => {
    const marks = [{ ...LOOPS, part: null }]
    const markup = page({ ...OWN, marks, total: null, reachable: null, hidden: [] })
    expect(textOf(markup)).not.toMatch(/total|reachable|not shown/i)
    expect(rowsOf(markup)).toHaveLength(2)
  })

  it('are in one list without groups, and say so if there are none', () => {
    const own = { ...OWN, groups: [], marks: [LOOPS, ORAL] }
    expect(textOf(page(own))).toContain('Marks Column Points Adds to the total Loops')
    const none = page({ ...OWN, marks: [], total: null, reachable: null })
    expect(textOf(none)).toContain('You have no marks yet.')
  })

  it('open the mark that the address names', () => {
    const opened = (markup: string) =>
      [...markup.matchAll(/<details id="(mark-\d+)" open/g)].map(([, id]) => id)
    expect(opened(page(OWN))).toEqual([])
    expect(opened(page(OWN, '#mark-2'))).toEqual(['mark-2'])
  })

  it('show the question about a mark, and let ask again once staff have answered', () => {
    const own = { ...OWN, marks: [{ ...LOOPS, questionId: idOf(8) }] }
    const waiting = page(own, '', threadWith({}))
    expect(textOf(waiting)).toContain('Question about this mark Open')
    expect(controlsOf(waiting)).toMatchObject({
      'Question about this mark': `/course/A%20B/question/${idOf(8)}`,
    })
    const ask = 'Ask about this mark: Loops'
    expect(controlsOf(waiting)).not.toHaveProperty(ask)
    const decided = page(
      own,
      '',
      threadWith({
        state: 'answered',
        mark: { columnId: 1, columnName: 'Loops', outcome: 'kept' },
      }),
    )
    expect(textOf(decided)).toContain('Answered The mark stays')
    expect(controlsOf(decided)).toHaveProperty(ask)
    expect(controlsOf(page(own))).not.toHaveProperty(ask)
    expect(controlsOf(page(OWN, '', undefined, 1))).not.toHaveProperty(ask)
  })
})

describe('the marks of a student, for staff', () => {
  const asStaff = () =>
    render(<StudentPage />, {
      route: '/course/:name/marks/:username',
      at: '/course/A%20B/marks/ann',
      user: { username: 'tom' },
      course: { role: 'ta' },
      reads: [[studentMarksQuery(COURSE.course, 'ann'), OWN]],
    })

  it('are the same as the student sees, without asking', () => {
    const markup = asStaff()
    const asRead = rowsOf(page(OWN)).map((row) => row.replace(/ Ask about this mark/, ''))
    expect(rowsOf(markup)).toEqual(asRead)
    expect(textOf(markup)).toContain('Marks of Ann Lee')
    expect(textOf(markup)).toContain(
      'You see what Ann Lee sees. Each look is noted in the audit log.',
    )
    expect(textOf(markup)).toContain('not shown yet: Attendance')
    expect(Object.keys(controlsOf(markup)).filter((name) => name.startsWith('Ask'))).toEqual([])
  })
})

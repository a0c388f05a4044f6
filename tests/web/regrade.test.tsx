/** What students and staff see of questions about marks. */
import { describe, expect, it } from 'vitest'
import type { GradebookMark, OwnMarks } from '#contract/gradebook'
import type { QuestionedMark, QuestionThread } from '#contract/questions'
import { QuestionPage } from '../../web/features/questions/question-page.tsx'
import { QuestionsPage } from '../../web/features/questions/list-page.tsx'
import { markQuery, marksQuery } from '../../web/lib/queries/marks.ts'
import { courseProblemsQuery } from '../../web/lib/queries/problems.ts'
import { questionQuery, questionsQuery } from '../../web/lib/queries/questions.ts'
import { columnWith, markWith } from './fixtures/marks.ts'
import { questionWith } from './fixtures/questions.ts'
import {
  controlsOf,
  COURSE,
  idOf,
  itemsOf,
  pages,
  person,
  render,
  textOf,
} from './fixtures/rendered.tsx'

const ANN = person('ann', 'Ann Lee')
const WAITING: QuestionedMark = { columnId: 3, columnName: 'Oral exam', outcome: null }
const CHANGED: QuestionedMark = { ...WAITING, outcome: 'changed' }
const KEPT: QuestionedMark = { ...WAITING, outcome: 'kept' }

const itemWith = (mark: QuestionedMark) => questionWith({ mark, excerpt: 'Why 12?' })

describe('the inbox', () => {
  const row = (role: 'student' | 'ta', mark: QuestionedMark) =>
    itemsOf(
      render(<QuestionsPage />, {
        route: '/course/:name/questions',
        at: '/course/A%20B/questions',
        course: { role },
        reads: [
          [
            questionsQuery(COURSE.course, {
              state: role === 'ta' ? 'open' : '',
              problemId: '',
              label: '',
            }),
            pages({ items: [itemWith(mark)], next: null }),
          ],
          [courseProblemsQuery(COURSE.course), []],
        ],
      }),
    ).find((item) => item.includes('Why 12?'))

  it('says which mark a question is about, and what staff decided', () => {
    expect(row('ta', WAITING)).toContain(
      'Open Ann Lee About the mark in Oral exam Waiting for a decision',
    )
    expect(row('student', CHANGED)).toContain('About the mark in Oral exam The mark was changed')
    expect(row('student', KEPT)).toContain('About the mark in Oral exam The mark stays')
  })
})

const ORAL = { kind: 'manual', homeworkId: null, name: 'Oral exam', max: 20 } as const
const SHOWN = markWith({
  column: columnWith(3, ORAL),
  user: ANN,
  points: 12,
  derivation: { problems: [], added: null, lateDays: 0, excusedBy: null, isSet: true },
  setting: { points: 12, excused: false, reason: 'Good answers', by: 'tom', at: 1 },
  questionId: idOf(2),
})
const MARK: GradebookMark = { ...SHOWN, history: [], held: false }
const OWN: OwnMarks = {
  user: ANN,
  marks: [SHOWN],
  groups: [],
  total: null,
  reachable: null,
  hidden: [],
}

describe('a question about a mark', () => {
  const page = (role: 'student' | 'ta', mark: QuestionedMark, own: OwnMarks = OWN) => {
    const { excerpt: _, ...question } = itemWith(mark)
    const thread: QuestionThread = { ...question, messages: [], etag: '"1"' }
    return render(<QuestionPage />, {
      route: '/course/:name/question/:questionId',
      at: `/course/A%20B/question/${idOf(2)}`,
      user: { username: role === 'ta' ? 'tom' : 'ann' },
      course: { role },
      reads: [
        [questionQuery(idOf(2)), thread],
        [markQuery(COURSE.course, 3, 'ann'), MARK],
        [marksQuery(COURSE.course), own],
      ],
    })
  }

  it('shows staff the mark and how it came about, and the buttons that decide', () => {
    const markup = page('ta', WAITING)
    expect(textOf(markup)).toContain(
      'Mark Oral exam 12 of 20 Decision Waiting for a decision Staff set 12 of 20 points, which count: “Good answers”.',
    )
    expect(textOf(markup)).toContain('About the mark in Oral exam')
    expect(controlsOf(markup)).toMatchObject({
      'Oral exam': '/course/A%20B/marks/ann#mark-3',
      'Change the mark': undefined,
      'Keep the mark': undefined,
    })
    expect(controlsOf(markup)).not.toHaveProperty('Problem')
  })

  it('can still change the mark after a decision', () => {
    for (const decided of [CHANGED, KEPT]) {
      const controls = controlsOf(page('ta', decided))
      expect(controls).toHaveProperty('Change the mark')
      expect(controls).not.toHaveProperty('Keep the mark')
    }
    expect(textOf(page('ta', KEPT))).toContain('Decision The mark stays')
  })

  it('shows the student the mark and the decision, without buttons', () => {
    const markup = page('student', CHANGED)
    expect(textOf(markup)).toContain('Mark Oral exam 12 of 20 Decision The mark was changed')
    expect(controlsOf(markup)).toMatchObject({ 'Oral exam': '/course/A%20B/marks#mark-3' })
    expect(controlsOf(markup)).not.toHaveProperty('Change the mark')
    expect(controlsOf(markup)).not.toHaveProperty('Keep the mark')
  })

  it('shows the student no mark that is not shown any more', () => {
    const text = textOf(page('student', KEPT, { ...OWN, marks: [], hidden: ['Oral exam'] }))
    expect(text).toContain('Mark Oral exam Decision The mark stays')
    expect(text).not.toContain('12 of 20')
  })
})

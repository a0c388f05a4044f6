/** What students and staff see of questions, and what staff see of copies. */
import { describe, expect, it } from 'vitest'
import type { CopycatReport, CopycatState } from '#contract/copycat'
import type { QuestionThread } from '#contract/questions'
import { CountBadge } from '../../web/components/display/count-badge.tsx'
import { copycatQuery, pairQuery } from '../../web/features/copycat/api.ts'
import { CopycatPage } from '../../web/features/copycat/copycat-page.tsx'
import { QuestionsPage } from '../../web/features/questions/list-page.tsx'
import { QuestionPage } from '../../web/features/questions/question-page.tsx'
import { formatTime } from '../../web/lib/format/format.ts'
import { courseProblemsQuery, problemQuery } from '../../web/lib/queries/problems.ts'
import { questionQuery, questionsQuery } from '../../web/lib/queries/questions.ts'
import { questionWith } from './fixtures/questions.ts'
import {
  controlsOf,
  COURSE,
  idOf,
  itemsOf,
  pages,
  person,
  render,
  rowsOf,
  textOf,
} from './fixtures/rendered.tsx'

const DAY = 86_400
const THREE_DAYS_AGO = Math.floor(Date.now() / 1_000) - 3 * DAY - 3_600

const QUESTION = questionWith({
  questionId: idOf(1),
  problemId: 7,
  problemName: 'Sum',
  state: 'answered',
  updateTime: THREE_DAYS_AGO,
})

describe('the list of questions', () => {
  const list = (role: 'student' | 'ta', query: string, asked: object, items: object[] = []) =>
    render(<QuestionsPage />, {
      route: '/course/:name/questions',
      at: `/course/A%20B/questions?${query}`,
      course: { role },
      reads: [
        [
          questionsQuery(COURSE.course, { state: '', problemId: '', label: '', ...asked }),
          pages({ items, next: null }),
        ],
        [courseProblemsQuery(COURSE.course), [{ problemId: 7, problemName: 'Sum' }]],
      ],
    })
  const AT_LINE = {
    ...QUESTION,
    questionId: idOf(2),
    submissionId: idOf(5),
    line: 3,
    state: 'open',
    waiting: true,
    excerpt: 'And?',
  }
  const rows = (markup: string) => itemsOf(markup).filter((item) => item.includes('?'))

  it('leads each to where it is answered, and tells staff who asks', () => {
    const markup = list('ta', '', { state: 'open' }, [QUESTION, AT_LINE])
    expect(rows(markup)).toEqual([
      'Why? Answered Ann Lee #7 Sum 3 days ago',
      'And? Open Ann Lee #7 Sum Line 3 3 days ago',
    ])
    expect(controlsOf(markup)).toMatchObject({
      'Why?': `/course/A%20B/question/${idOf(1)}`,
      'And?': `/course/A%20B/submission/${idOf(5)}#question-${idOf(2)}`,
      'Saved replies': undefined,
    })
  })

  it('marks what is new: to students an answer, to staff not what is open anyway', () => {
    const waiting = { ...QUESTION, waiting: true }
    expect(rows(list('student', '', {}, [waiting]))).toEqual([
      'Why? Answered New answer #7 Sum 3 days ago',
    ])
    expect(rows(list('student', '', {}, [AT_LINE]))[0]).toContain('New answer')
    expect(rows(list('ta', '', { state: 'open' }, [AT_LINE]))[0]).not.toContain('New answer')
    expect(rows(list('ta', '', { state: 'open' }, [waiting]))[0]).toContain('New answer')
    expect(controlsOf(list('student', '', {}))).not.toHaveProperty('Saved replies')
  })

  it('is filtered by the address: staff look at open ones at first, students at all', () => {
    const states = (markup: string) =>
      [
        ...(/<select[^]*?<\/select>/.exec(markup)?.[0] ?? '').matchAll(/<option[^>]*>([^<]*)</g),
      ].map(([, text]) => text)
    expect(states(list('student', '', {}))).toEqual(['All', 'Open', 'Answered', 'Resolved'])
    expect(states(list('ta', '', { state: 'open' }))).toEqual(['Open', 'Answered', 'Resolved'])
    const chosen = { state: 'resolved', problemId: '7' }
    expect(rows(list('ta', 'state=resolved&problemId=7', chosen, [QUESTION]))).toHaveLength(1)
    expect(rows(list('student', 'state=resolved&problemId=7', chosen, [QUESTION]))).toHaveLength(1)
    expect(rows(list('ta', 'state=lost&problemId=x', { state: 'open' }, [QUESTION]))).toHaveLength(
      1,
    )
    expect(textOf(list('ta', '', { state: 'open' }))).toContain('No question matches.')
    expect(textOf(list('student', '', {}))).toContain('You have no questions yet.')
  })
})

describe('a question', () => {
  const message = (username: string, markdown = '') => ({
    messageId: idOf(9),
    author: person(username, username === 'tina' ? 'Tina Teach' : ''),
    markdown,
    createTime: THREE_DAYS_AGO,
  })
  const THREAD: QuestionThread = {
    ...QUESTION,
    messages: [message('ann'), message('tina')],
    etag: '"1"',
  }
  const page = (change: Partial<QuestionThread> = {}) =>
    render(<QuestionPage />, {
      route: '/course/:name/question/:questionId',
      at: `/course/A%20B/question/${idOf(1)}`,
      reads: [[questionQuery(idOf(1)), { ...THREAD, ...change }]],
    })

  it('says who wrote what, and which of it is of staff', () => {
    const markup = page()
    expect(itemsOf(markup)).toEqual(['ann 3 days ago', 'Tina Teach Staff 3 days ago'])
    expect(textOf(markup)).toContain('Question about #7 Sum')
    expect(controlsOf(markup)).toEqual({
      Courses: '/courses',
      'A B': '/course/A%20B',
      Questions: '/course/A%20B/questions',
      Problem: '/course/A%20B/problem/7',
      Reply: undefined,
      Resolve: undefined,
    })
  })

  it('at a line leads to its code; one that is resolved is not resolved again', () => {
    const markup = page({ submissionId: idOf(5), line: 3, state: 'resolved' })
    expect(textOf(markup)).toContain('Line 3 Resolved')
    expect(controlsOf(markup)).toMatchObject({
      'Source code': `/course/A%20B/submission/${idOf(5)}#question-${idOf(1)}`,
    })
    expect(controlsOf(markup)).not.toHaveProperty('Resolve')
  })

  it('of another course is not there', () => {
    expect(textOf(page({ course: 'Other' }))).toContain('Page not found')
  })

  it('is counted on a badge up to ninety-nine', () => {
    const badge = (count: number) => textOf(render(<CountBadge count={count} />))
    expect([0, 1, 99, 100].map(badge)).toEqual([
      '',
      '1 1 question waits for you',
      '99 99 questions wait for you',
      '99+ 100 questions wait for you',
    ])
  })
})

describe('copy detection', () => {
  const side = (username: string, number: number, code = 'a\nb') => ({
    submissionId: idOf(number),
    user: person(username),
    timestamp: number * DAY,
    languageType: 1 as const,
    code,
  })
  const pair = (similarity: number, left: string, right: string, longest: number) => ({
    left: side(left, 1),
    right: side(right, 2),
    similarity,
    longest,
    overlap: longest * 2,
  })
  const REPORT: CopycatReport = {
    createTime: DAY,
    submissionCount: 3,
    comparedCount: 2,
    pairCount: 2,
    histogram: [0, 1, 0, 0, 0, 0, 0, 0, 1, 0],
    pairs: [pair(0.815, 'ann', 'bob', 20), pair(0.1, 'bob', 'cho', 40)],
  }
  const page = (state: CopycatState | null, query = '', extra: Parameters<typeof render>[1] = {}) =>
    render(<CopycatPage />, {
      route: '/course/:name/problem/:problemId/copycat',
      at: `/course/A%20B/problem/7/copycat${query}`,
      course: { role: 'ta' },
      ...extra,
      reads: [
        [problemQuery(7), { problemId: 7, problemName: 'Sum', course: COURSE.course }],
        [copycatQuery(COURSE.course, 7), state],
        ...(extra.reads ?? []),
      ],
    })
  const buttons = (markup: string) =>
    Object.keys(controlsOf(markup)).filter((name) => /Look|Stop/.test(name))

  it('is for staff', () => {
    expect(textOf(page(null, '', { course: { role: 'student' } }))).toContain('Page not found')
  })

  it('says how far a search is, and starts or stops it', () => {
    const previous = { ...REPORT, pairs: [] }
    expect(textOf(page(null))).toContain('Copy detection has not been run yet. Look for copies')
    const running = page({ state: 'running', done: 3, total: 9, previous })
    expect(textOf(running)).toContain('Comparing: step 3 of 9 Stop Programs 3')
    expect(buttons(running)).toEqual(['Stop'])
    const done = page({ ...REPORT, state: 'done' })
    expect(textOf(done)).toContain(`Last compared ${formatTime(DAY)} Look again`)
    expect(buttons(done)).toEqual(['Look again'])
    const failed = page({ state: 'failed', error: 'It took too long.', previous: null })
    expect(textOf(failed)).toContain('The search could not be finished It took too long.')
    expect(textOf(failed)).not.toContain('Programs')
  })

  it('lists the pairs with what they have in common, the most similar first', () => {
    const markup = page({ ...REPORT, state: 'done', missingCount: 2 })
    expect(textOf(markup)).toContain('2 programs are left out')
    expect(textOf(markup)).toContain('Programs 3 Pairs compared 2 Pairs with common parts 2')
    const rows = rowsOf(markup)
    expect(rows.slice(0, 3)).toEqual(['Similarity in % Pairs', '0–10 0', '10–20 1'])
    expect(rows.slice(11)).toEqual([
      'Older Newer Similarity Longest part In common Actions',
      'ann bob 81.5 % 20 40 Compare',
      'bob cho 10 % 40 80 Compare',
    ])
    expect(controlsOf(markup)).toMatchObject({
      'Compare ann and bob': `/course/A%20B/problem/7/copycat?left=${idOf(1)}&right=${idOf(2)}`,
      ann: '/course/A%20B/submissions?username=ann',
    })
    expect(textOf(markup)).toContain('Shown: 2 of 2')
  })

  it('says when there is nothing to compare, or nothing in common', () => {
    const of = (change: Partial<CopycatReport>) =>
      textOf(page({ ...REPORT, ...change, state: 'done' }))
    expect(of({ submissionCount: 0 })).toContain('There are no submissions to compare yet')
    expect(of({ submissionCount: 1 })).toContain('Comparing needs two programs')
    expect(of({ pairCount: 0 })).toContain('No two programs share a long part.')
    expect(of({})).not.toContain('left out')
  })

  it('shows two programs with their common parts, each in its own lines', () => {
    const comparison = {
      left: side('ann', 1, 'x\nab\ncd'),
      right: side('bob', 2, 'ab'),
      similarity: 0.5,
      longest: 1,
      overlap: 7,
      fragments: [
        {
          left: { start: 2, end: 7, startLine: 2, endLine: 3 },
          right: { start: 0, end: 2, startLine: 1, endLine: 1 },
          tokens: 6,
        },
      ],
    }
    const query = `?left=${idOf(1)}&right=${idOf(2)}`
    const markup = page(null, query, { reads: [[pairQuery(7, idOf(1), idOf(2)), comparison]] })
    expect(textOf(markup)).toContain(
      'ann and bob Similarity 50 % Longest part 1 token In common 7 tokens 1 Part 1: 6 tokens, lines 2–3 and 1',
    )
    expect(textOf(markup)).toContain(
      `Older ann C++ · ${formatTime(DAY)} · Submission 1 x 2 1 ab 3 cd`,
    )
    expect(textOf(markup)).toContain(`Newer bob C++ · ${formatTime(2 * DAY)} · Submission 1 1 ab`)
    expect(controlsOf(markup)).toMatchObject({
      'Part 1: go to it in the newer program': undefined,
      'Part 1: go to it in the older program': undefined,
      Submission: `/course/A%20B/submission/${idOf(2)}`,
    })
  })
})

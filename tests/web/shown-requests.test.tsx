/** What students and staff see of requests for another due time. */
import { describe, expect, it } from 'vitest'
import { REQUEST_LIMITS } from '#contract/limits'
import type { DateRequest, QuestionThread } from '#contract/questions'
import { DecidedNotice } from '../../web/components/questions/decided-notice.tsx'
import { HomeworkRequests } from '../../web/components/questions/homework-requests.tsx'
import { isRequestFile } from '../../web/components/questions/request-file.ts'
import { proposedDue, RequestForm } from '../../web/components/questions/request-form.tsx'
import { QuestionsPage } from '../../web/features/questions/list-page.tsx'
import { QuestionPage } from '../../web/features/questions/question-page.tsx'
import { formatDeadline, zoneName } from '../../web/lib/format/format.ts'
import { courseProblemsQuery } from '../../web/lib/queries/problems.ts'
import { questionQuery, questionsQuery } from '../../web/lib/queries/questions.ts'
import { datesAt } from './fixtures/dates.ts'
import { questionWith } from './fixtures/questions.ts'
import { controlsOf, COURSE, idOf, itemsOf, pages, render, textOf } from './fixtures/rendered.tsx'

const DAY = 86_400
const DUE = Date.parse('2026-12-04T23:59:59Z') / 1_000
const at = (seconds: number) => `${formatDeadline(seconds)} ${zoneName(seconds)}`

const REQUEST: DateRequest = {
  homeworkId: idOf(1),
  homeworkName: 'Loops',
  due: DUE,
  outcome: null,
  grantedDue: null,
  teacherOnly: false,
  file: null,
}
const GRANTED: DateRequest = { ...REQUEST, outcome: 'granted', grantedDue: DUE - DAY }
const DECLINED: DateRequest = { ...REQUEST, outcome: 'declined' }

const itemWith = (request: DateRequest) =>
  questionWith({
    request,
    waiting: true,
    updateTime: Math.floor(Date.now() / 1_000) - 3 * DAY - 3_600,
    excerpt: 'I was ill.',
  })

describe('the inbox', () => {
  const list = (role: 'student' | 'ta', request: DateRequest) =>
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
          pages({ items: [itemWith(request)], next: null }),
        ],
        [courseProblemsQuery(COURSE.course), []],
      ],
    })
  const row = (markup: string) => itemsOf(markup).find((item) => item.includes('I was ill.'))

  it('names homework and time, and has the buttons of staff', () => {
    const markup = list('ta', { ...REQUEST, teacherOnly: true })
    expect(row(markup)).toBe(
      `I was ill. Open Ann Lee Loops Asked for ${at(DUE)}: waiting Only the teacher reads this ` +
        `3 days ago Give until ${at(DUE)} Other date … Decline`,
    )
    expect(controlsOf(markup)).toMatchObject({
      'I was ill.': `/course/A%20B/question/${idOf(2)}`,
      [`Give until ${at(DUE)}: Ann Lee, Loops`]: undefined,
      'Decline: Ann Lee, Loops': undefined,
    })
  })

  it('has no buttons for students, nor for a request that is decided', () => {
    expect(row(list('student', REQUEST))).toBe(
      `I was ill. Open New answer Loops Asked for ${at(DUE)}: waiting 3 days ago`,
    )
    expect(row(list('ta', GRANTED))).toBe(
      `I was ill. Open Ann Lee Loops Given until ${at(DUE - DAY)} 3 days ago`,
    )
    expect(row(list('ta', DECLINED))).toContain(`Asked for ${at(DUE)}: declined`)
  })

  it('says what was just decided, as the request leaves the list', () => {
    const notice = (due: number | null, kept = 0) =>
      textOf(
        render(<DecidedNotice decided={{ question: itemWith(REQUEST), due, kept }} />),
      ).replaceAll(/\s+/g, ' ')
    expect(notice(DUE)).toBe(`Ann Lee has until ${at(DUE)} for Loops. Write to Ann Lee`)
    expect(notice(DUE, 1)).toContain('1 mark would fall.')
    expect(notice(null)).toContain('The request of Ann Lee for Loops is declined.')
    expect(textOf(render(<DecidedNotice decided={null} />))).toBe('')
  })
})

describe('a request', () => {
  const FILE = { name: 'note.pdf', type: 'application/pdf', size: 2_048 } as const
  const page = (role: 'student' | 'teacher', request: DateRequest, username = 'ann') => {
    const { excerpt: _, ...question } = itemWith(request)
    const thread: QuestionThread = { ...question, messages: [], etag: '"1"' }
    return render(<QuestionPage />, {
      route: '/course/:name/question/:questionId',
      at: `/course/A%20B/question/${idOf(2)}`,
      user: { username },
      course: { role },
      reads: [[questionQuery(idOf(2)), thread]],
    })
  }

  it('has its homework, its state and its file; the student can replace the file', () => {
    const markup = page('student', { ...REQUEST, file: FILE })
    expect(textOf(markup)).toContain('More time for Loops')
    expect(textOf(markup)).toContain(`Asked for ${at(DUE)}: waiting`)
    const controls = controlsOf(markup)
    expect(controls).toMatchObject({
      Loops: `/course/A%20B/homeworks#homework-${idOf(1)}`,
      'note.pdf (2.0 KiB)': expect.stringMatching(new RegExp(`/question/${idOf(2)}/file$`)),
      'Replace the file': undefined,
      Reply: undefined,
    })
    expect(controls).not.toHaveProperty('Problem')
    expect(controls).not.toHaveProperty('Decline: Ann Lee, Loops')
    expect(controlsOf(page('student', GRANTED))).not.toHaveProperty('Add a file')
  })

  it('is decided by staff, and again if need be', () => {
    const buttons = (request: DateRequest) =>
      Object.keys(controlsOf(page('teacher', request, 'tina'))).flatMap(
        (name) => /^(.*): Ann Lee, Loops$/.exec(name)?.[1] ?? [],
      )
    expect(buttons(REQUEST)).toEqual([`Give until ${at(DUE)}`, 'Other date …', 'Decline'])
    expect(buttons(GRANTED)).toEqual(['Other date …', 'Decline'])
    expect(buttons(DECLINED)).toEqual(['Other date …'])
    expect(textOf(page('teacher', GRANTED, 'tina'))).toContain('the date that was given stays.')
    expect(controlsOf(page('teacher', REQUEST, 'tina'))).not.toHaveProperty('Add a file')
  })
})

describe('on a homework', () => {
  const OWN = datesAt(0, DUE - 2 * DAY)
  const shown = (requests: DateRequest[], course = {}, change = {}) =>
    render(
      <HomeworkRequests
        homework={
          { id: idOf(1), name: 'Loops', own: { ...OWN, ...change } } as Parameters<
            typeof HomeworkRequests
          >[0]['homework']
        }
      />,
      {
        course,
        reads: [
          [
            questionsQuery(COURSE.course, { state: '', problemId: '' }),
            pages({ items: requests.map(itemWith), next: null }),
          ],
        ],
      },
    )
  const ASK = 'Ask for more time for Loops'

  it('the student asks, and then sees what became of it', () => {
    expect(controlsOf(shown([]))).toEqual({ [ASK]: undefined })
    expect(controlsOf(shown([REQUEST]))).toEqual({
      [`Asked for ${at(DUE)}: waiting`]: `/course/A%20B/question/${idOf(2)}`,
    })
    expect(Object.keys(controlsOf(shown([GRANTED])))).toEqual([`Given until ${at(DUE - DAY)}`, ASK])
    expect(controlsOf(shown([{ ...REQUEST, homeworkId: idOf(9) }]))).toEqual({ [ASK]: undefined })
  })

  it('nobody asks in a closed course, or who is excused', () => {
    expect(controlsOf(shown([], { closedAt: 1 }))).toEqual({})
    expect(controlsOf(shown([], {}, { excused: true }))).toEqual({})
  })

  it('the form proposes two days after the due time, or after today', () => {
    expect(proposedDue(DUE, DUE - DAY, 'UTC')).toBe(DUE + 2 * DAY)
    expect(proposedDue(DUE, DUE + 5 * DAY + 1, 'UTC')).toBe(DUE + 8 * DAY)
    const own = datesAt(0, Math.floor(Date.now() / 1_000) + DAY)
    const form = render(
      <RequestForm
        homework={{ id: idOf(1), own }}
        onSent={() => undefined}
        onCancel={() => undefined}
      />,
    )
    expect(form).toContain(`value="${formatDeadline(own.due + 2 * DAY)}"`)
    expect(textOf(form)).toContain('Teaching assistants see nothing of this request.')
    expect(textOf(form)).toContain('up to 8.0 MiB')
    expect(textOf(form)).toContain('deleted 180 days after')
  })

  it('the file is an image or a PDF of bounded size', async () => {
    const file = (head: string, size = 0) =>
      new File([Uint8Array.from(head, (letter) => letter.charCodeAt(0)), new Uint8Array(size)], 'a')
    expect(await isRequestFile(file('%PDF-1.7'))).toBe(true)
    expect(await isRequestFile(file('\x89PNG\r\n\x1a\n'))).toBe(true)
    expect(await isRequestFile(file('<svg>'))).toBe(false)
    expect(await isRequestFile(file('%PDF-', REQUEST_LIMITS.fileBytes))).toBe(false)
  })
})

/** What staff see of everybody's dates and points, and what students see of theirs. */
import { describe, expect, it } from 'vitest'
import type { HomeworkDatesTable, HomeworkOverride } from '#contract/homework-overrides'
import type { Homework, ProblemProgress } from '#contract/homeworks'
import {
  ExtensionDialog,
  type ExtensionDialogProps,
} from '../../web/components/homeworks/extension-dialog.tsx'
import { ExtensionDone } from '../../web/components/homeworks/extension-done.tsx'
import { PointsDialog } from '../../web/components/homeworks/points-dialog.tsx'
import { HomeworkDatesPage } from '../../web/features/homeworks/dates-page.tsx'
import { HomeworkStatsPage } from '../../web/features/homeworks/stats-page.tsx'
import { CalendarLink } from '../../web/features/profile/calendar-link.tsx'
import { calendarLinkQuery } from '../../web/features/profile/api.ts'
import { formatDeadline, formatTime } from '../../web/lib/format/format.ts'
import { homeworksQuery } from '../../web/lib/queries/course-homeworks.ts'
import {
  homeworkDatesQuery,
  homeworkQuery,
  keptMarksQuery,
} from '../../web/lib/queries/homework-dates.ts'
import { controlsOf, COURSE, idOf, person, render, rowsOf, textOf } from './fixtures/rendered.tsx'
import type { Scene } from './fixtures/rendered.tsx'

const DAY = 86_400
const NOW = Math.floor(Date.now() / 1_000)
const TODAY = NOW - (NOW % DAY)
const DUE = TODAY + 2 * DAY + 59

const own = (due: number, change: Partial<Homework['own']> = {}): Homework['own'] => ({
  opens: TODAY - DAY,
  due,
  closes: due,
  graceMinutes: 0,
  latePercent: null,
  excused: false,
  why: null,
  ...change,
})

function homework(change: Partial<Homework> = {}): Homework {
  return {
    id: idOf(1),
    name: 'Loops',
    course: COURSE.course,
    start: TODAY - DAY,
    end: DUE,
    close: null,
    graceMinutes: 0,
    lateRule: { kind: 'none' },
    counts: null,
    courseCounts: 'best',
    lateDays: null,
    own: own(DUE),
    markdown: '',
    problemIds: [7],
    points: [50],
    problems: [{ problemId: 7, problemName: 'Sum' }],
    scoreboardStatus: 1,
    scoreboardNames: false,
    status: 'running',
    studentStatus: new Map(),
    marks: new Map(),
    ...change,
  }
}

const ILL: HomeworkOverride = {
  opens: null,
  due: DUE + DAY,
  closes: null,
  graceMinutes: 5,
  latePercent: 50,
  quota: 3,
  excused: null,
  reason: 'Was ill',
  by: 'tina',
  at: TODAY,
}
const ANN = person('ann', 'Ann Lee')
const BOB = person('bob')
const LAB_A = { id: 3, name: 'Lab A', shown: false }
const TABLE: HomeworkDatesTable = {
  forAll: null,
  labels: [],
  people: [
    { user: ANN, override: ILL, own: own(DUE + DAY, { why: 'Was ill' }), kept: 1 },
    { user: BOB, override: null, own: own(DUE), kept: 0 },
  ],
}
const KEPT = [{ user: ANN, problemId: 7, problemName: 'Sum', kept: 40.25, now: 20 }]

const asStaff = (reads: Scene['reads'] = []): Scene => ({
  course: { role: 'ta' },
  reads: [
    [homeworksQuery(COURSE.course), [homework()]],
    [homeworkDatesQuery(idOf(1)), TABLE],
    [keptMarksQuery(idOf(1)), []],
    ...reads,
  ],
})

const close = () => undefined

describe('the dialog for more time', () => {
  const dialog = (scene: Scene, whose: ExtensionDialogProps['whose'] = [ANN]) =>
    render(<ExtensionDialog problemId={7} whose={whose} onClose={close} />, scene)

  it('shows the present dates, and fills its fields with what is set', () => {
    const markup = dialog(asStaff())
    expect(textOf(markup)).toContain(`Due now: ${formatDeadline(DUE + DAY)}.`)
    expect(markup).toContain(`value="${formatDeadline(DUE + DAY)}"`)
    expect(markup).toContain('value="Was ill"')
    const buttons = ['+1 day', '+2 days', '+3 days', '+1 week', 'Take back', 'Cancel', 'Save']
    expect(Object.keys(controlsOf(markup))).toEqual(expect.arrayContaining(buttons))
  })

  it('of one without changes has nothing to take back', () => {
    const markup = dialog(asStaff(), [BOB])
    expect(textOf(markup)).toContain(`Due now: ${formatDeadline(DUE)}.`)
    expect(controlsOf(markup)).not.toHaveProperty('Take back')
  })

  it('of several says how many, and is of each one’s own due time', () => {
    const markup = dialog(asStaff(), [ANN, BOB])
    expect(textOf(markup)).toContain('2 students')
    expect(markup).not.toContain('value="Was ill"')
  })

  it('of a label shows what the label has', () => {
    const table = { ...TABLE, labels: [{ label: 3, override: ILL }] }
    const read = [homeworkDatesQuery(idOf(1)), table] as const
    const markup = dialog(asStaff([read]), { label: LAB_A })
    expect(textOf(markup)).toContain(`Due now: ${formatDeadline(DUE + DAY)}.`)
    expect(textOf(markup)).toContain('The students with this label and the staff read the reason.')
    expect(controlsOf(markup)).toHaveProperty('Take back')
    const other = dialog(asStaff([read]), { label: { ...LAB_A, id: 4 } })
    expect(textOf(other)).toContain(`Due now: ${formatDeadline(DUE)}.`)
    expect(controlsOf(other)).not.toHaveProperty('Take back')
  })

  it('chooses the running homework of the problem, and lets choose another', () => {
    const old = homework({ id: idOf(2), name: 'Old', own: own(TODAY - 9 * DAY) })
    const read = [homeworksQuery(COURSE.course), [old, homework()]] as const
    const markup = dialog(asStaff([read]))
    const options = [...markup.matchAll(/<option[^>]*>([^<]*)</g)].map(([, text]) => text)
    expect(options).toEqual(['Loops', 'Old'])
    const none = [homeworksQuery(COURSE.course), [homework({ problemIds: [3] })]] as const
    expect(textOf(dialog(asStaff([none])))).toBe('No homework has this problem.')
  })

  it('says that marks are kept, and where they are confirmed', () => {
    const done = (kept: number, dates = own(DUE)) =>
      render(
        <ExtensionDone
          homework={homework()}
          targets={[{ username: 'ann', own: dates, override: null }]}
          kept={kept}
          onClose={close}
        />,
        asStaff(),
      )
    expect(textOf(done(0))).toBe(`Saved. Due now: ${formatDeadline(DUE)}. Close`)
    const late = own(DUE, { closes: DUE + DAY, excused: true })
    expect(textOf(done(0, late))).toContain(`Closes now: ${formatDeadline(DUE + DAY)}. Excused.`)
    expect(textOf(done(2))).toContain('2 marks would fall.')
    expect(controlsOf(done(2))).toMatchObject({
      'Show the kept marks': `/course/A%20B/homeworks/${idOf(1)}/dates#kept-marks`,
    })
  })
})

describe('the page of everybody’s dates', () => {
  const page = (scene: Scene) =>
    render(<HomeworkDatesPage />, {
      route: '/course/:name/homeworks/:homeworkId/dates',
      at: `/course/A%20B/homeworks/${idOf(1)}/dates`,
      ...scene,
    })

  it('has each student’s dates, what is special, why, by whom and when', () => {
    const markup = page(asStaff())
    const opens = formatTime(TODAY - DAY)
    const [ann, bob] = [formatDeadline(DUE + DAY), formatDeadline(DUE)]
    expect(rowsOf(markup)).toEqual([
      'Student Opens Due Closes Changed Actions',
      `Ann Lee ann ${opens} ${ann} ${ann} Grace: 5 minutes. Late work counts 50 %. 3 submissions a day. Was ill tina · ${formatTime(TODAY)}`,
      `bob ${opens} ${bob} ${bob}`,
    ])
    expect(textOf(markup)).toContain('Asia/Taipei')
    expect(Object.keys(controlsOf(markup))).toEqual(
      expect.arrayContaining([
        'Change for everybody',
        'Change dates of 0 students',
        'Download as CSV',
        'More time for Ann Lee',
        'More time for bob',
        'Scoreboard',
      ]),
    )
    expect(textOf(markup)).not.toContain('Kept marks')
  })

  it('asks staff to confirm the marks that are kept', () => {
    const markup = page(asStaff([[keptMarksQuery(idOf(1)), KEPT]]))
    expect(rowsOf(markup).slice(0, 2)).toEqual([
      'Student Problem Kept By the new dates Actions',
      'Ann Lee ann #7 Sum 40.25 20 Confirm the lower marks',
    ])
    expect(controlsOf(markup)).toHaveProperty('Confirm the lower marks of Ann Lee')
  })

  it('says what holds for everybody', () => {
    const forAll = { ...ILL, excused: true, reason: 'Power cut' }
    const text = textOf(page(asStaff([[homeworkDatesQuery(idOf(1)), { ...TABLE, forAll }]])))
    expect(text).toContain('Excused. Grace: 5 minutes.')
    expect(text).toContain('Power cut tina ·')
  })

  it('lists the dates of labels above the people, and says whose apply', () => {
    const later = { ...ILL, due: DUE + 3 * DAY, quota: null, reason: 'Trip' }
    const table = { ...TABLE, labels: [{ label: 3, override: later }] }
    const scene = asStaff([[homeworkDatesQuery(idOf(1)), table]])
    const memberLabels = new Map([
      ['ann', [3]],
      ['bob', [3]],
    ])
    const shown = (labels: (typeof LAB_A)[], query = '') =>
      page({
        ...scene,
        at: `/course/A%20B/homeworks/${idOf(1)}/dates${query}`,
        course: { role: 'ta', labels, memberLabels },
      })
    const markup = shown([LAB_A, { ...LAB_A, id: 4, name: 'Lab B' }])
    const [, label = '', , ann, bob] = rowsOf(markup)
    const due = formatDeadline(DUE + 3 * DAY)
    expect(label).toMatch(/^Lab A 2 students /)
    expect(label).toContain(
      `${due} ${formatDeadline(later.due + 300)} Grace: 5 minutes. Late work counts 50 %. Trip tina`,
    )
    // The student’s own due time stands before that of the label.
    expect(ann).not.toContain('By label')
    expect(bob).toMatch(/By label: Lab A\.$/)
    expect(Object.keys(controlsOf(markup))).toEqual(
      expect.arrayContaining(['Edit: Lab A', 'Take back: Lab A', 'Change for a label']),
    )
    const none = shown([LAB_A, { ...LAB_A, id: 4, name: 'Lab B' }], '?label=4')
    expect(textOf(none)).toContain('No members match.')
    expect(textOf(shown([]))).not.toContain('By label')
  })

  it('of another course’s homework is not there', () => {
    const none = [homeworksQuery(COURSE.course), []] as const
    expect(textOf(page(asStaff([none])))).toContain('Page not found')
  })
})

const GIVEN = { points: 12.5, comment: 'Good idea', by: 'tina', at: TODAY }
const progress: ProblemProgress = {
  score: 100,
  problemStatus: 0,
  submissionIds: [idOf(11)],
  bestId: idOf(11),
  late: null,
  counted: idOf(11),
  mark: 50,
  kept: false,
  given: null,
}

describe('the dialog for points', () => {
  const read = homework({
    studentStatus: new Map([['ann', { 7: { ...progress, given: GIVEN } }]]),
    marks: new Map([['ann', { sum: 12.5, excused: false, given: null, lateDays: null }]]),
  })
  const scene = asStaff([[homeworkQuery(idOf(1)), read]])

  it('of a problem says what was given, by whom and why', () => {
    const markup = render(<PointsDialog problemId={7} student={ANN} onClose={close} />, scene)
    expect(textOf(markup)).toContain('12.5 points given Good idea tina ·')
    expect(textOf(markup)).toContain('Points out of 50')
    expect(controlsOf(markup)).toHaveProperty('Take back')
  })

  it('of a homework adds to the sum', () => {
    const markup = render(
      <PointsDialog homeworkId={idOf(1)} student={ANN} onClose={close} />,
      scene,
    )
    expect(textOf(markup)).toContain('Points to add')
    expect(controlsOf(markup)).not.toHaveProperty('Take back')
  })
})

describe('the scoreboard of staff', () => {
  const board = (of: Homework) =>
    rowsOf(
      render(<HomeworkStatsPage />, {
        route: '/course/:name/homeworks/:homeworkId/stats',
        at: `/course/A%20B/homeworks/${idOf(1)}/stats`,
        ...asStaff([[homeworkQuery(idOf(1)), of]]),
      }),
    ).slice(1, 3)
  const of = (change: Partial<ProblemProgress>, sum: number | null, given = false) =>
    homework({
      studentStatus: new Map([['ann', { 7: { ...progress, ...change } }]]),
      marks: new Map([
        ['ann', { sum, excused: sum === null, given: given ? GIVEN : null, lateDays: null }],
      ]),
    })

  it('has marks in points, and says by what they count', () => {
    const late = { score: 100, submissionIds: [idOf(99)], bestId: idOf(99) }
    expect(board(of({ late, counted: idOf(99), mark: 42.75 }, 42.75))[0]).toBe(
      'Ann Lee ann 42.75 1 try late: 100 late counts 42.75 42.8',
    )
    expect(board(of({ kept: true, counted: null, mark: 45 }, 45))[0]).toBe(
      'Ann Lee ann 45 1 try kept 45 45',
    )
    expect(board(of({ given: GIVEN, mark: 12.5 }, 25, true))[0]).toBe(
      'Ann Lee ann 12.5 1 try given 25 of these given: 12.5 25',
    )
  })

  it('has no sum for who is excused', () => {
    const rows = board(of({ counted: null, mark: null }, null))
    expect(rows).toEqual(['bob no mark 0 0', 'Ann Lee ann no mark 1 try Excused'])
  })
})

describe('the calendar link', () => {
  const link = (createdAt: number | null) =>
    controlsOf(render(<CalendarLink />, { reads: [[calendarLinkQuery, { createdAt }]] }))

  it('is made, or renewed and ended', () => {
    expect(Object.keys(link(null))).toEqual(['Make a calendar link'])
    expect(Object.keys(link(TODAY))).toEqual(['Renew the link', 'End the link'])
  })
})

/** What each role sees of submissions, from the queue to the verdict of each case. */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { JudgingProgress, SubmissionDetail, SubmissionItem } from '#contract/submissions'
import type { SubtaskResult } from '#contract/verdicts'
import { submissionsQuery } from '../../web/features/submissions/api.ts'
import { submissionQuery } from '../../web/lib/queries/submissions.ts'
import { SubmissionsPage } from '../../web/features/submissions/list-page.tsx'
import { LiveStatus } from '../../web/features/submissions/live-status.tsx'
import { SubmissionPage } from '../../web/features/submissions/submission-page.tsx'
import { SubtaskResults } from '../../web/features/submissions/subtask-results.tsx'
import { formatTime } from '../../web/lib/format/format.ts'
import { runningHomeworksQuery } from '../../web/lib/queries/homeworks.ts'
import { courseProblemsQuery } from '../../web/lib/queries/problems.ts'
import { submissionQuestionsQuery } from '../../web/lib/queries/questions.ts'
import {
  controlsOf,
  COURSE,
  idOf,
  pages,
  person,
  render,
  rowsOf,
  textOf,
} from './fixtures/rendered.tsx'
import type { Scene } from './fixtures/rendered.tsx'

const DAY = 86_400
const THREE_DAYS_AGO = Math.floor(Date.now() / 1_000) - 3 * DAY - 3_600

// The list makes complete addresses of its links, for copying.
beforeAll(() => {
  vi.stubGlobal('window', { location: { href: 'https://judge.test/x' } })
  // A page polls less often while it is hidden.
  vi.stubGlobal('document', { hidden: false })
})
afterAll(() => vi.unstubAllGlobals())

const ITEM: SubmissionItem = {
  submissionId: idOf(5),
  problemId: 7,
  problemName: 'Sum',
  course: COURSE.course,
  user: person('ann', 'Ann Lee'),
  status: 1,
  score: 40,
  runTime: 12,
  memoryUsage: 1_536,
  languageType: 2,
  timestamp: THREE_DAYS_AGO,
}

describe('the list of submissions', () => {
  const NONE = { problemId: '', status: '', languageType: '', username: '', label: '' }
  const PENDING = {
    ...ITEM,
    submissionId: idOf(6),
    status: -1 as const,
    runTime: null,
    memoryUsage: null,
    languageType: 0 as const,
  }
  const UNSCORED = { ...ITEM, submissionId: idOf(8), score: 100, languageType: 1 as const }
  const list = (query: string, page: object, role: 'student' | 'ta' = 'student') => {
    const filter = { ...NONE, ...Object.fromEntries(new URLSearchParams(query)) }
    return render(<SubmissionsPage />, {
      route: '/course/:name/submissions',
      at: `/course/A%20B/submissions?${query}`,
      course: { role },
      reads: [
        [submissionsQuery(COURSE.course, filter), pages({ submissions: [], next: null, ...page })],
        [
          courseProblemsQuery(COURSE.course),
          [
            { problemId: 7, problemName: 'Sum' },
            { problemId: 9, problemName: 'Tree' },
          ],
        ],
      ],
    })
  }
  const chosen = (markup: string) =>
    [...markup.matchAll(/<option[^>]*selected[^>]*>([^<]*)</g)].map(([, text]) => text)

  it('has the numbers of each, and no score before the verdict', () => {
    const markup = list('', { submissions: [PENDING, ITEM, UNSCORED] })
    expect(rowsOf(markup)).toEqual([
      'Problem Verdict Score Run time Memory Language Submitted Id',
      '#7 Sum Pending – – – C 3 days ago 00000006',
      '#7 Sum Wrong Answer 40 / 100 12 ms 1.5 MB Python 3 3 days ago 00000005',
      '#7 Sum Wrong Answer only in a subtask without points 100 / 100 12 ms 1.5 MB C++ 3 days ago 00000008',
    ])
    expect(controlsOf(markup)).toMatchObject({
      '00000005': `/course/A%20B/submission/${idOf(5)}`,
      Pending: `/course/A%20B/submission/${idOf(6)}`,
      '#7 Sum': '/course/A%20B/problem/7',
      'Copy the link to submission 00000005': undefined,
    })
    expect(markup).not.toContain('Username')
  })

  it('says to staff whose each is and where from', () => {
    const markup = list('', { submissions: [{ ...ITEM, ipAddr: '192.0.2.7' }] }, 'ta')
    expect(rowsOf(markup)).toEqual([
      'Problem User, IP address Verdict Score Run time Memory Language Submitted Id',
      '#7 Sum Ann Lee ann 192.0.2.7 Wrong Answer 40 / 100 12 ms 1.5 MB Python 3 3 days ago 00000005',
    ])
    expect(controlsOf(markup)).toMatchObject({
      'Ann Lee ann': '/course/A%20B/submissions?username=ann',
    })
    expect(markup).toContain('Username')
  })

  it('shows the filters of the address as chosen', () => {
    const markup = list('problemId=9&status=3&languageType=1&username=bob', {}, 'ta')
    expect(chosen(markup)).toEqual(['#9 Tree', 'Time Limit Exceed', 'C++'])
    expect(markup).toMatch(/<input[^>]*value="bob"/)
    expect(chosen(list('', {}))).toEqual(['All', 'All', 'All'])
  })

  it('that is empty says why, and leads students to the problems', () => {
    const main = (markup: string) => /(No submission[^.]*\.)( Problems)?/.exec(textOf(markup))?.[0]
    expect(main(list('', {}))).toBe('No submissions yet. Problems')
    expect(main(list('', {}, 'ta'))).toBe('No submissions yet.')
    expect(main(list('status=3', {}))).toBe('No submission matches.')
  })

  it('that looked through a part alone says how far it has come', () => {
    const at = { next: 'x', searchedTo: DAY }
    expect(textOf(list('status=3', at))).toContain(
      `No submission since ${formatTime(DAY)} matches. Earlier submissions have not been searched yet. Load more`,
    )
    expect(textOf(list('status=3', { ...at, submissions: [ITEM] }))).toContain(
      `Submissions before ${formatTime(DAY)} have not been searched yet. Load more`,
    )
    expect(textOf(list('', { submissions: [ITEM] }))).not.toContain('Load more')
  })
})

const cases = (...statuses: SubtaskResult['cases'][number]['status'][]) =>
  statuses.map((status, at) => ({
    status,
    runTime: status === null ? null : at + 1,
    memoryUsage: status === null ? null : 1_024 * (at + 1),
  }))

const SUBTASKS: SubtaskResult[] = [
  { status: 0, score: 0, runTime: 1, memoryUsage: 1_024, cases: cases(0) },
  { status: 0, score: 40, runTime: 2, memoryUsage: 2_048, cases: cases(0, 0) },
  { status: 3, score: 0, runTime: 2, memoryUsage: 2_048, cases: cases(0, 3, null) },
]

const DETAIL: SubmissionDetail = {
  ...ITEM,
  status: 3,
  tasks: SUBTASKS,
  code: 'print(1)\nprint(2)',
  compileMessage: null,
  progress: null,
  judgements: [],
  sampleTasks: [0],
  hasOutputs: true,
  hints: [],
  taskScores: [0, 40, 60],
  tryNumber: 2,
  canRejudge: false,
  given: [],
}

const judgement = (number: number, change: object = {}) => ({
  judgementId: idOf(number),
  state: 'done' as const,
  status: 1 as const,
  score: number,
  runTime: number,
  memoryUsage: 1_024 * number,
  queuedAt: number * DAY,
  finishedAt: null,
  testDataVersion: null,
  ...change,
})

describe('how a submission stands', () => {
  const status = (change: Partial<SubmissionDetail>) =>
    textOf(render(<LiveStatus submission={{ ...DETAIL, ...change }} />))

  it.each<[string, JudgingProgress | null]>([
    ['Waiting for a judge …', null],
    ['Waiting for a judge …', { phase: 'queued', done: 0, total: 0 }],
    ['In the queue at place 3', { phase: 'queued', done: 0, total: 0, position: 3 }],
    [
      'In the queue at place 3',
      { phase: 'queued', done: 0, total: 0, position: 3, estimateSeconds: null },
    ],
    [
      'In the queue at place 3; expected wait: a few seconds',
      { phase: 'queued', done: 0, total: 0, position: 3, estimateSeconds: 9 },
    ],
    [
      'In the queue at place 99; expected wait: about 20 s',
      { phase: 'queued', done: 0, total: 0, position: 99, estimateSeconds: 11 },
    ],
    [
      'In the queue behind at least 99 other submissions; expected wait: about 2 min or longer',
      { phase: 'queued', done: 0, total: 0, position: 100, estimateSeconds: 61 },
    ],
    ['Compiling …', { phase: 'compiling', done: 0, total: 10 }],
    ['Running case 5 of 10', { phase: 'running', done: 4, total: 10 }],
    ['Running case 10 of 10', { phase: 'running', done: 10, total: 10 }],
  ])('before the verdict: %s', (text, progress) => {
    expect(status({ status: -1, progress, tasks: null })).toBe(
      `Judging is under way Pending ${text}`,
    )
  })

  it('with its verdict, score and the number of cases of each kind', () => {
    expect(status({})).toBe(
      'Verdict: Time Limit Exceed, score 40 of 100 Time Limit Exceed The program used more time than allowed. 40 / 100 Accepted × 4, Time Limit Exceed × 1, Skipped × 1',
    )
    expect(
      status({
        status: 2,
        score: 0,
        tasks: [{ ...SUBTASKS[0], cases: cases(null) } as SubtaskResult],
      }),
    ).toBe(
      'Verdict: Compile Error, score 0 of 100 Compile Error The compiler refused the source code. 0 / 100',
    )
    const cancelled = judgement(1, { state: 'cancelled', status: 6 })
    expect(status({ status: 6, tasks: null, judgements: [cancelled] })).toContain(
      'Judging was cancelled: the submission has no verdict and uses no quota.',
    )
    expect(status({ score: 100 })).toContain('Full score: only a subtask without points failed.')
  })

  it('case by case while it runs, and by verdict after it', () => {
    const running = render(
      <LiveStatus
        submission={{ ...DETAIL, status: -1, progress: { phase: 'running', done: 1, total: 3 } }}
      />,
    )
    const cells = (markup: string) =>
      [...markup.matchAll(/data-state="(\w+)"/g)].map(([, state]) => state)
    expect(cells(running)).toEqual(['done', 'now', 'open'])
    expect(cells(render(<LiveStatus submission={DETAIL} />))).toEqual([
      '0',
      '0',
      '0',
      '0',
      '3',
      'skipped',
    ])
    const many = {
      ...SUBTASKS[0],
      cases: Array.from({ length: 151 }, () => cases(0)).flat(),
    } as SubtaskResult
    expect(cells(render(<LiveStatus submission={{ ...DETAIL, tasks: [many] }} />))).toEqual(['0'])
  })
})

describe('the subtasks', () => {
  const results = (role: 'student' | 'ta', change: Partial<SubmissionDetail> = {}) => {
    const submission = { ...DETAIL, ...change }
    return render(<SubtaskResults submission={submission} subtasks={submission.tasks ?? []} />, {
      course: { role },
    })
  }

  it('have their points of how many, and the cases of the first that failed are open', () => {
    const markup = results('student')
    expect([...markup.matchAll(/<summary[^]*?<\/summary>/g)].map(([head]) => textOf(head))).toEqual(
      [
        'Subtask 0 · samples Accepted without points 1 ms 1 MB',
        'Subtask 1 Accepted 40 / 40 2 ms 2 MB',
        'Subtask 2 Time Limit Exceed 0 / 60 2 ms 2 MB',
      ],
    )
    expect(markup.match(/<details[^>]* open/g)).toHaveLength(1)
    expect(rowsOf(markup)).toEqual([
      'Case Verdict Run time Memory',
      '0 Accepted 1 ms 1 MB',
      '1 Time Limit Exceed 2 ms 2 MB',
      'The program ran too long: look for an endless loop, or for input that never comes.',
      '2 Skipped – –',
    ])
  })

  it('judged with other test data have points alone', () => {
    expect(textOf(results('student', { taskScores: null }))).toContain(
      'Subtask 2 Time Limit Exceed 0 points 2 ms',
    )
  })

  it('show staff the output of the first case that failed, and students those of samples', () => {
    expect(rowsOf(results('ta'))).toEqual([
      'Case Verdict Run time Memory Output',
      '0 Accepted 1 ms 1 MB',
      '1 Time Limit Exceed 2 ms 2 MB Hide',
      expect.stringContaining('The program ran too long'),
      // The output is still loading.
      '',
      '2 Skipped – –',
    ])
    expect(controlsOf(results('ta'))).toEqual({ 'Hide the output of subtask 2, case 1': undefined })
    expect(controlsOf(results('student', { sampleTasks: [2] }))).toEqual({
      'Show the output of subtask 2, case 0': undefined,
      'Hide the output of subtask 2, case 1': undefined,
    })
    expect(controlsOf(results('ta', { hasOutputs: false }))).toEqual({})
  })
})

describe('many subtasks', () => {
  const markupOf = (statuses: readonly (0 | 1)[], sampleTasks: number[] = []) => {
    const tasks = statuses.map((status) => ({
      ...(SUBTASKS[0] as SubtaskResult),
      status,
      cases: cases(status),
    }))
    const submission = { ...DETAIL, tasks, sampleTasks, taskScores: null } as SubmissionDetail
    return render(<SubtaskResults submission={submission} subtasks={tasks} />, {
      course: { role: 'student' },
    })
  }
  const headsOf = (markup: string) =>
    [...markup.matchAll(/<summary[^]*?<\/summary>/g)].map(([head]) =>
      textOf(head).replace(/ (Accepted|Wrong Answer).*/, ''),
    )

  it('begin with those that failed, and those that passed stand together behind them', () => {
    expect(headsOf(markupOf([0, 0, 1, 0, 0, 0, 1]))).toEqual([
      'Subtask 2',
      'Subtask 6',
      '5 passed subtasks',
      'Subtask 0',
      'Subtask 1',
      'Subtask 3',
      'Subtask 4',
      'Subtask 5',
    ])
    expect(headsOf(markupOf([0, 0, 1, 0, 0, 0]))).toHaveLength(6)
    expect(headsOf(markupOf([0, 0, 0, 0, 0, 0, 0]))).toHaveLength(7)
  })

  it('open the output of the first failure that the reader sees', () => {
    const markup = markupOf([0, 1, 1, 1], [2, 3])
    expect(controlsOf(markup)).toMatchObject({ 'Hide the output of subtask 2, case 0': undefined })
    expect(markup.match(/<details[^>]* open/g)).toHaveLength(2)
    expect(controlsOf(markupOf([0, 1, 1]))).toEqual({})
  })
})

describe('the page of a submission', () => {
  const page = (change: Partial<SubmissionDetail> = {}, scene: Scene = {}) =>
    render(<SubmissionPage />, {
      route: '/course/:name/submission/:submissionId',
      at: `/course/A%20B/submission/${idOf(5)}`,
      ...scene,
      reads: [
        [submissionQuery(idOf(5)), { ...DETAIL, ...change }],
        [submissionQuestionsQuery(idOf(5)), []],
      ],
    })

  it('has its facts; their address is for staff', () => {
    const facts = `Problem #7 Sum User Ann Lee ann Run time 12 ms Memory 1.5 MB Language Python 3 Submitted ${formatTime(THREE_DAYS_AGO)} Id 00000005`
    expect(textOf(page())).toContain(facts)
    expect(textOf(page())).not.toContain('IP address')
    expect(textOf(page({ ipAddr: '192.0.2.7' }))).toContain(`${facts} IP address 192.0.2.7`)
    expect(controlsOf(page())).not.toHaveProperty('Ann Lee ann')
    expect(controlsOf(page({}, { course: { role: 'ta' } }))).toMatchObject({
      'Ann Lee ann': '/course/A%20B/submissions?username=ann',
      '#7 Sum': '/course/A%20B/problem/7',
      Submissions: '/course/A%20B/submissions',
    })
  })

  it('offers its author and staff to cancel its judging, as long as it waits', () => {
    const staff: Scene = { user: { username: 'tom' }, course: { role: 'ta' } }
    const offers = (change: Partial<SubmissionDetail>, scene: Scene = {}) =>
      'Cancel judging' in controlsOf(page(change, scene))
    expect(offers({ status: -1 })).toBe(true)
    expect(offers({ status: -1, canRejudge: true }, staff)).toBe(true)
    expect(offers({ status: -1 }, { user: { username: 'bob' } })).toBe(false)
    expect(offers({ status: 0 })).toBe(false)
    const judgedAgain = [judgement(2, { status: -1 }), judgement(1, { status: 4 })]
    expect(offers({ status: -1, judgements: judgedAgain })).toBe(false)
    const again = { status: -1, judgements: judgedAgain, canRejudge: true } as const
    expect(offers(again, staff)).toBe(true)
  })

  it('leads on after an accepted one of one’s own, in the order of the homework', () => {
    const progress = (problemStatus: number | null) => ({
      score: 0,
      problemStatus,
      submissionIds: [],
      bestId: null,
      late: null,
    })
    const shown = (own: Record<string, ReturnType<typeof progress>>, change = {}, course = 'A B') =>
      render(<SubmissionPage />, {
        route: '/course/:name/submission/:submissionId',
        at: `/course/A%20B/submission/${idOf(5)}`,
        reads: [
          [submissionQuery(idOf(5)), { ...DETAIL, status: 0, ...change }],
          [submissionQuestionsQuery(idOf(5)), []],
          [
            runningHomeworksQuery,
            [
              {
                id: idOf(9),
                name: 'Loops',
                course,
                problemIds: [3, 7, 9],
                problems: [3, 7, 9].map((problemId) => ({ problemId, problemName: 'Max' })),
                studentStatus: new Map([['ann', own]]),
              },
            ],
          ],
        ],
      })
    const next = (markup: string) =>
      Object.entries(controlsOf(markup)).filter(([name]) => /^(Next|Back)/.test(name))

    // The course's data may be older than this verdict, so the page counts this problem as solved.
    expect(textOf(shown({}))).toContain('Loops : 1 of 3 problems solved')
    expect(next(shown({}))).toEqual([['Next: #9 Max', '/course/A%20B/problem/9']])
    expect(next(shown({ 9: progress(0) }))).toEqual([['Next: #3 Max', '/course/A%20B/problem/3']])
    expect(next(shown({ 9: progress(1), 3: progress(0) }))).toEqual([
      ['Next: #9 Max', '/course/A%20B/problem/9'],
    ])
    const all = shown({ 9: progress(0), 3: progress(0) })
    expect(next(all)).toEqual([['Back to the homework', '/course/A%20B/homeworks']])
    expect(textOf(all)).toContain('3 of 3 problems solved')
    expect(next(shown({}, { status: 1 }))).toEqual([])
    expect(next(shown({}, { user: person('bob') }))).toEqual([])
    expect(next(shown({}, { problemId: 8 }))).toEqual([])
    expect(next(shown({}, {}, 'Other'))).toEqual([])
  })

  it.each([
    [1, 'Sum · 1st try'],
    [2, 'Sum · 2nd try'],
    [3, 'Sum · 3rd try'],
    [11, 'Sum · 11th try'],
    [null, 'Sum'],
  ])('is called by its number of %s: %s', (tryNumber, heading) => {
    expect(/<h1[^>]*>(.*?)<\/h1>/.exec(page({ tryNumber }))?.[1]).toBe(heading)
  })

  it('lets its author edit it again, and who may have it judged again', () => {
    expect(controlsOf(page())).toMatchObject({
      'Edit and submit again': '/course/A%20B/problem/7/submit',
    })
    expect(controlsOf(page())).not.toHaveProperty('Rejudge')
    const others = page({ user: person('bob'), canRejudge: true }, { course: { role: 'ta' } })
    expect(controlsOf(others)).not.toHaveProperty('Edit and submit again')
    expect(controlsOf(others)).toHaveProperty('Rejudge')
  })

  it('asks its author about lines, and lets others comment', () => {
    expect(controlsOf(page())).toHaveProperty('Ask about line 2')
    expect(controlsOf(page({ user: person('bob') }, { course: { role: 'ta' } }))).toHaveProperty(
      'Comment on line 2',
    )
  })

  it('says that nobody judges only while that is so', () => {
    const progress = { phase: 'queued' as const, done: 0, total: 0, position: 1 }
    const NOBODY = 'No judge host is connected at the moment.'
    expect(
      textOf(page({ status: -1, progress: { ...progress, estimateSeconds: null } })),
    ).toContain(NOBODY)
    expect(
      textOf(page({ status: -1, progress: { ...progress, estimateSeconds: 5 } })),
    ).not.toContain(NOBODY)
    expect(textOf(page())).not.toContain(NOBODY)
  })

  it('links the lines that the compiler names', () => {
    const markup = page({ status: 2, tasks: null, compileMessage: 'main.py:2:1: error\n' })
    expect(textOf(markup)).toContain('Compile message main.py:2:1 : error')
    expect(controlsOf(markup)['main.py:2:1']).toContain('#line-2')
  })

  it('has a history once there is one, the reasons included, and what to do about the newest', () => {
    const newest = judgement(2, { status: 6, reason: 'The checker crashed.' })
    expect(textOf(page({ judgements: [judgement(1)] }))).not.toMatch(/Judgements|What happened/)
    const markup = page({ judgements: [newest, judgement(1, { reason: null })] })
    expect(rowsOf(markup).slice(-3)).toEqual([
      'Queued Verdict Score Run time Memory',
      `${formatTime(2 * DAY)} Judge Error The checker crashed. 2 / 100 2 ms 2 MB`,
      `${formatTime(DAY)} Wrong Answer 1 / 100 1 ms 1 MB`,
    ])
    expect(textOf(markup)).toContain(
      'What happened while judging The checker crashed. If the message names',
    )
    expect(controlsOf(markup)).toMatchObject({ 'Edit problem #7': '/course/A%20B/problem/7/edit' })
    expect(textOf(page({ judgements: [judgement(2), newest] }))).not.toContain('What happened')
  })

  it('of another course is not there', () => {
    expect(textOf(page({ course: 'Other' }))).toContain('Page not found')
  })
})

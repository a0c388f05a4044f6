/** What each role sees of problems and their statistics. */
import { describe, expect, it, test } from 'vitest'
import type { Problem } from '#contract/problems'
import type { ProblemStats } from '#contract/problems/stats'
import { CompareNote } from '../../web/components/problem/compare-note.tsx'
import { FieldErrorList } from '../../web/features/problems/edit/field-error-list.tsx'
import { RevealQuestion } from '../../web/features/problems/edit/reveal-question.tsx'
import { ProblemsPage } from '../../web/features/problems/list-page.tsx'
import { ProblemPage } from '../../web/features/problems/problem-page.tsx'
import { problemStatsQuery } from '../../web/features/problems/api.ts'
import { ProblemStatsPage } from '../../web/features/problems/stats-page.tsx'
import { ApiError } from '../../web/lib/api/api-error.ts'
import { formatDeadline, formatTime, zoneName } from '../../web/lib/format/format.ts'
import { problemListQuery, problemQuery } from '../../web/lib/queries/problems.ts'
import { questionsQuery } from '../../web/lib/queries/questions.ts'
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
import type { Scene } from './fixtures/rendered.tsx'
import { datesAt } from './fixtures/dates.ts'

const NOW = Math.floor(Date.now() / 1_000)
const DAY = 86_400
const limits = { timeLimit: 1_000, memoryLimit: 65_536, outputLimit: 1 }

const PROBLEM: Problem = {
  problemId: 7,
  problemName: 'Sum',
  course: COURSE.course,
  status: 0,
  type: 0,
  tags: ['loops', 'io'],
  quota: 3,
  ownQuota: 3,
  quotaUsed: 1,
  allowedLanguage: 3,
  submitCount: 1,
  highScore: 40,
  solved: false,
  hasTestData: true,
  owner: 'tina',
  description: {
    description: 'Add.',
    input: 'Two numbers.',
    output: ' ',
    hint: '',
    sampleInput: ['1 2\n', '3 4\n'],
    sampleOutput: ['3\n', '7\n'],
  },
  testCase: [
    { caseCount: 2, taskScore: 0, sample: true, ...limits },
    {
      caseCount: 5,
      taskScore: 100,
      sample: false,
      ...limits,
      timeLimit: 2_500,
      memoryLimit: 262_144,
    },
  ],
  compare: { mode: 'lines' },
  files: [
    { fileId: idOf(1), name: 'tree.png', type: 'image/png', size: 1 },
    { fileId: idOf(2), name: 'rules.pdf', type: 'application/pdf', size: 2_048 },
  ],
  testDataVersion: '1',
  quotaResetAt: NOW + DAY,
  hasJudgeHost: true,
  homeworks: [],
  neighbours: { previous: null, next: null },
  canManage: false,
}

describe('the list of problems', () => {
  const ITEMS = [
    PROBLEM,
    {
      ...PROBLEM,
      problemId: 3,
      problemName: 'Tree',
      status: 1,
      tags: [],
      ownQuota: -1,
      submitCount: 0,
      highScore: null,
    },
  ]
  const list = (query: string, items: object[], role: 'student' | 'ta' = 'student') => {
    const filter = Object.fromEntries(new URLSearchParams(query))
    const asked = problemListQuery(COURSE.course, { name: '', tags: '', ...filter })
    return render(<ProblemsPage />, {
      route: '/course/:name/problems',
      at: `/course/A%20B/problems?${query}`,
      course: { role },
      reads: [[asked, pages({ items, next: null })]],
    })
  }

  it('has mark, tags, quota and best score of each', () => {
    const markup = list('', ITEMS)
    expect(rowsOf(markup)).toEqual([
      'Problem Status Tags Submissions left today Best score',
      '#7 Sum Begun loops io 2 of 3 40',
      '#3 Tree Hidden Not begun Unlimited –',
    ])
    expect(controlsOf(markup)).toEqual({
      Courses: '/courses',
      'A B': '/course/A%20B',
      '#7 Sum': '/course/A%20B/problem/7',
      '#3 Tree': '/course/A%20B/problem/3',
      loops: '/course/A%20B/problems?tags=loops',
      io: '/course/A%20B/problems?tags=io',
    })
    expect(controlsOf(list('', ITEMS, 'ta'))).toMatchObject({
      'New problem': '/course/A%20B/problem/new',
    })
  })

  it('is filtered by what the address says, and tells so', () => {
    const markup = list('name=su&tags=loops', ITEMS)
    expect(rowsOf(markup)).toHaveLength(3)
    expect(controlsOf(markup)).toHaveProperty('Tag: loops (clear)')
    expect(textOf(list('name=su', []))).toContain('No problem matches.')
    expect(textOf(list('tags=loops', []))).toContain('No problem matches.')
    expect(textOf(list('', []))).toContain('No problems yet.')
  })
})

describe('a problem', () => {
  const page = (change: Partial<Problem> = {}, scene: Scene = {}) =>
    render(<ProblemPage />, {
      route: '/course/:name/problem/:problemId',
      at: '/course/A%20B/problem/7',
      ...scene,
      reads: [
        [problemQuery(7), { ...PROBLEM, ...change }],
        [questionsQuery(COURSE.course, { problemId: '7' }), pages({ items: [], next: null })],
        ...(scene.reads ?? []),
      ],
    })

  it('shows its facts, its statement and its subtasks', () => {
    const markup = page()
    const reset = `resets at ${formatTime(NOW + DAY)} ${zoneName(NOW + DAY)}`
    expect(textOf(markup)).toContain(
      `Best score 40 / 100 Submissions left today 2 of 3 ${reset} Status Begun Limits 1000–2500 ms, 64–256 MB Languages C, C++ Tags loops, io rules.pdf 2.0 KiB Description Input Samples Sample input 1 1 2 Sample output 1 3 Sample input 2 3 4 Sample output 2 7 Subtasks #`,
    )
    expect(rowsOf(markup)).toEqual([
      '# Test cases Score Time limit (ms) Memory limit (MB)',
      '0 (samples) 2 0 1000 64',
      '1 5 100 2500 256',
    ])
    expect(controlsOf(markup)).toMatchObject({
      Statistics: '/course/A%20B/problem/7/stats',
      Submissions: '/course/A%20B/submissions?problemId=7',
      Submit: '/course/A%20B/problem/7/submit',
      'rules.pdf': `/api/file/${idOf(2)}`,
      'Ask a question': undefined,
    })
  })

  it('has a hint and an output only where they say something, and no empty facts', () => {
    const description = {
      ...PROBLEM.description,
      output: 'One.',
      hint: 'Think.',
      sampleInput: [],
      sampleOutput: [],
    }
    const markup = page({ description, tags: [], highScore: null, ownQuota: -1, files: [] })
    expect(textOf(markup)).toContain(
      'Best score – Submissions left today Unlimited Status Begun Limits 1000–2500 ms, 64–256 MB Languages C, C++ Description Input Output Hint Subtasks',
    )
    // If nothing was used today, there is nothing to reset.
    expect(textOf(page({ quotaUsed: 0 }))).not.toContain('resets at')
  })

  it('cannot be handed in without test data, and says when it is hidden', () => {
    expect(controlsOf(page({ hasTestData: false }))).not.toHaveProperty('Submit')
    expect(textOf(page({ hasTestData: false }))).toContain('has no test data for its subtasks')
    expect(textOf(page())).not.toMatch(/no test data|Students do not see/)
    expect(textOf(page({ status: 1 }))).toContain('Students do not see this problem.')
  })

  it('names its homeworks with what is left, and its neighbours', () => {
    const homework = (name: string, start: number, end: number, points = 100) => ({
      id: idOf(1),
      name,
      start,
      end,
      own: datesAt(start, end),
      lateRule: { kind: 'none' as const },
      counts: 'best' as const,
      points,
    })
    const homeworks = [
      homework('Now', 0, NOW + DAY + 12_600),
      homework('Then', NOW + DAY, NOW + 2 * DAY),
      homework('Once', 0, DAY, 50),
      { ...homework('Ill', 0, NOW + DAY), own: datesAt(0, NOW + DAY, { excused: true }) },
    ]
    const neighbours = {
      previous: { problemId: 6, problemName: 'Before' },
      next: { problemId: 9, problemName: 'After' },
    }
    const markup = page({ homeworks, neighbours })
    const due = (at: number) => `Due ${formatDeadline(at)} ${zoneName(at)}`
    expect(itemsOf(markup)).toEqual([
      `Now ${due(NOW + DAY + 12_600)} due in 1 day 3 hours`,
      `Then ${due(NOW + 2 * DAY)} Not started`,
      `Once ${due(DAY)} 50 points Over`,
      `Ill ${due(NOW + DAY)} Excused`,
    ])
    expect(controlsOf(markup)).toMatchObject({
      Now: '/course/A%20B/homeworks',
      'Previous problem: Before': '/course/A%20B/problem/6',
      'Next problem: After': '/course/A%20B/problem/9',
    })
  })

  it('is asked about by students, and of another course it is not there', () => {
    expect(controlsOf(page({}, { course: { role: 'ta' } }))).not.toHaveProperty('Ask a question')
    expect(textOf(page({ course: 'Other' }))).toContain('Page not found')
    expect(textOf(page({}, { at: '/course/A%20B/problem/x' }))).toContain('Page not found')
  })
})

test.each([
  [{ mode: 'lines' }, ''],
  [{ mode: 'tokens' }, 'Word by word: any white space may stand between two words.'],
  [{ mode: 'lines', ignoreCase: true }, /^Line by line: .* Upper and lower case are the same/],
  [{ mode: 'exact' }, 'Byte by byte: white space and line ends count too.'],
  [{ mode: 'checker' }, 'A program checks the output, so several outputs may be right.'],
  [{ mode: 'interactor' }, /^This problem is interactive/],
  [{ mode: 'float', absolute: 0.5 }, /by at most 0\.5\.$/],
  [{ mode: 'float', relative: 0.5 }, /by at most 0\.5 times that value\.$/],
  [{ mode: 'float', absolute: 0.5, relative: 0.25 }, /at most 0\.5, or 0\.25 times/],
  [{ mode: 'float' }, /at most 0\.000001, or 0\.000001 times/],
] as const)('how outputs are compared is told of %j', (compare, expected) => {
  const text = textOf(render(<CompareNote compare={compare} />)).replace(
    'How outputs are compared ',
    '',
  )
  expect(text).toEqual(typeof expected === 'string' ? expected : expect.stringMatching(expected))
})

describe('the statistics of a problem', () => {
  const ranked = (username: string, number: number) => ({
    submissionId: idOf(number),
    user: person(username),
    runTime: number,
    memoryUsage: number * 1_024,
    languageType: 1,
    timestamp: number * DAY,
  })
  const STATS = {
    acUserRatio: [1, 4],
    triedUserCount: 3,
    average: 61.66,
    std: 12.34,
    scoreDistribution: [5, 50, 100],
    statusCount: { '1': 2, '-1': 3, '0': 1 },
    top10RunTime: [ranked('ann', 11), ranked('bob', 12)],
    top10MemoryUsage: [ranked('bob', 13)],
  }
  const page = (
    stats: Partial<ProblemStats> = {},
    role: 'student' | 'ta' = 'student',
    of = PROBLEM,
  ) =>
    render(<ProblemStatsPage />, {
      route: '/course/:name/problem/:problemId/stats',
      at: '/course/A%20B/problem/7/stats',
      course: { role },
      reads: [
        [problemQuery(7), of],
        [problemStatsQuery(7), { ...STATS, ...stats }],
      ],
    })

  it('has each number in its place', () => {
    const markup = page()
    expect(textOf(markup)).toContain(
      'Tried 3 of 4 Solved 1 of 4 Average 61.7 Standard deviation 12.3',
    )
    const rows = rowsOf(markup)
    expect(rows.slice(0, 4)).toEqual([
      'Verdict Submissions',
      'Pending 3',
      'Accepted 1',
      'Wrong Answer 2',
    ])
    expect(rows[4]).toBe('Score Students')
    expect(rows.filter((row) => row.endsWith(' 1')).slice(1)).toEqual(['0–9 1', '50–59 1', '100 1'])
    expect(rows.slice(16)).toEqual([
      'Rank User Run time Language Submitted',
      `1 ann 11 ms C++ ${formatTime(11 * DAY)}`,
      `2 bob 12 ms C++ ${formatTime(12 * DAY)}`,
      'Rank User Memory Language Submitted',
      `1 bob 13 MB C++ ${formatTime(13 * DAY)}`,
    ])
  })

  it('leads students to their own submissions alone, staff to all', () => {
    const times = (markup: string) =>
      Object.keys(controlsOf(markup)).filter((name) => /^\d{4}-/.test(name))
    expect(times(page())).toEqual([formatTime(11 * DAY)])
    expect(times(page({}, 'ta'))).toHaveLength(3)
    expect(controlsOf(page({}, 'ta'))).toMatchObject({
      bob: '/course/A%20B/submissions?username=bob',
      [formatTime(12 * DAY)]: `/course/A%20B/submission/${idOf(12)}`,
      'Same mistakes': '/course/A%20B/problem/7/mistakes',
    })
    expect(controlsOf(page())).not.toHaveProperty('bob')
    expect(controlsOf(page())).not.toHaveProperty('Same mistakes')
  })

  it('of nobody are none, and those of another course are not there', () => {
    expect(textOf(page({ statusCount: {} }))).toContain('No submissions yet.')
    expect(textOf(page({ top10RunTime: [] }))).toContain('No accepted submission yet.')
    expect(textOf(page({}, 'student', { ...PROBLEM, course: 'Other' }))).toContain('Page not found')
  })
})

describe('what the problem form is told', () => {
  it('the subtasks whose cases students would see', () => {
    const error = new ApiError({
      status: 409,
      code: 'reveals_tests',
      message: '',
      data: { subtasks: [1, 4] },
    })
    expect(textOf(render(<RevealQuestion error={error} onReveal={() => {}} />))).toContain(
      'the cases of these subtasks: 1, 4. Save and show these tests to students',
    )
  })

  it('each cause once with ten of its fields, and the number of the others', () => {
    const faults = (count: number, code: string) =>
      Array.from({ length: count }, (_, at) => ({ path: ['case', at], code, message: '' }))
    const shown = (count: number) =>
      itemsOf(
        render(
          <FieldErrorList errors={[...faults(count, 'missing'), ...faults(1, 'encrypted')]} />,
        ),
      )
    const ten = Array.from({ length: 10 }, (_, at) => `case/${at}`).join(' ')
    expect(shown(10)).toEqual([
      `This file is missing. ${ten}`,
      'Encrypted entries cannot be read. case/0',
    ])
    expect(shown(11)[0]).toBe(`This file is missing. ${ten} and 1 more`)
    expect(itemsOf(render(<FieldErrorList errors={[]} />))).toEqual([])
  })
})

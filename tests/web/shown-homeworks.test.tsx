/** What students and staff see of homeworks and scoreboards. */
import { describe, expect, it } from 'vitest'
import type { Homework, HomeworkMark, ProblemProgress } from '#contract/homeworks'
import type { ProblemItem } from '#contract/problems'
import { boardQuery, scoreboardQuery } from '../../web/features/homeworks/api.ts'
import { homeworkQuery } from '../../web/lib/queries/homework-dates.ts'
import { HomeworksPage } from '../../web/features/homeworks/list-page.tsx'
import { HomeworkStatsPage } from '../../web/features/homeworks/stats-page.tsx'
import { formatDeadline, formatTime, zoneName } from '../../web/lib/format/format.ts'
import { homeworksQuery } from '../../web/lib/queries/course-homeworks.ts'
import { courseProblemsQuery } from '../../web/lib/queries/problems.ts'
import { datesAt, markOf, plainRules } from './fixtures/dates.ts'
import { controlsOf, COURSE, idOf, person, render, rowsOf, textOf } from './fixtures/rendered.tsx'
import type { Scene } from './fixtures/rendered.tsx'

const DAY = 86_400
const NOW = Math.floor(Date.now() / 1_000)

const progress = (score: number, ids: number[], late: number | null = null) => ({
  ...markOf(ids[0] === undefined ? null : idOf(ids[0]), score),
  score,
  problemStatus: score === 100 ? (0 as const) : (1 as const),
  submissionIds: ids.map(idOf),
  bestId: ids[0] === undefined ? null : idOf(ids[0]),
  late: late === null ? null : { score: late, submissionIds: [idOf(99)], bestId: idOf(99) },
})

const markOfAll = (sum: number | null, change: Partial<HomeworkMark> = {}): HomeworkMark => ({
  sum,
  excused: false,
  given: null,
  lateDays: null,
  ...change,
})

function homework(change: Partial<Homework> = {}): Homework {
  // Half an hour more, so that even a slow machine shows the same hour.
  const { start = NOW - DAY, end = NOW + 2 * DAY + 5 * 3_600 + 1_800 } = change
  return {
    id: idOf(1),
    name: 'Loops',
    course: COURSE.course,
    start,
    end,
    ...plainRules([7, 3]),
    own: datesAt(start, end),
    markdown: '',
    problemIds: [7, 3],
    problems: [
      { problemId: 7, problemName: 'Sum' },
      { problemId: 3, problemName: 'Tree' },
    ],
    scoreboardStatus: 1,
    scoreboardNames: false,
    status: 'running',
    studentStatus: new Map<string, Record<string, ProblemProgress>>([
      ['ann', { 7: progress(100, [11]), 3: progress(40, [12, 13], 80) }],
      ['zoe', { 7: progress(1, [14]) }],
    ]),
    marks: new Map([
      ['ann', markOfAll(140)],
      ['zoe', markOfAll(1)],
    ]),
    ...change,
  }
}

function problem(problemId: number, problemName: string, change: object = {}): ProblemItem {
  return {
    problemId,
    problemName,
    course: COURSE.course,
    status: 0,
    type: 0,
    tags: [],
    quota: 3,
    ownQuota: 3,
    quotaUsed: 1,
    allowedLanguage: 7,
    submitCount: 0,
    highScore: null,
    solved: false,
    hasTestData: true,
    ...change,
  }
}

const PROBLEMS = [problem(3, 'Tree', { quota: -1, ownQuota: -1 }), problem(7, 'Sum')]

function listOf(homeworks: Homework[], scene: Scene = {}): string {
  return render(<HomeworksPage />, {
    reads: [
      [homeworksQuery(COURSE.course), homeworks],
      [courseProblemsQuery(COURSE.course), PROBLEMS],
      [{ queryKey: ['homework', idOf(1), 'turnout'] }, homework()],
    ],
    ...scene,
  })
}

const withZone = (at: number) => `${formatTime(at)} ${zoneName(at)}`

describe('a homework in the list', () => {
  it('due in a minute says the minute, with seconds only where these are not its last', () => {
    const end = NOW - (NOW % 60) + DAY
    const due = `Due ${formatTime(end)}`
    expect(textOf(listOf([homework({ end: end + 59 })]))).toContain(`${due} ${zoneName(end)}`)
    expect(textOf(listOf([homework({ end })]))).toContain(`${due}:00 ${zoneName(end)}`)
  })

  it('shows a student their own progress, quotas and times, and nothing of the staff’s', () => {
    const markup = listOf([homework()])
    const { start, end } = homework()
    expect(textOf(markup)).toContain(
      `Loops Running 1 of 2 solved 140 / 200 From ${withZone(start)} Due ${formatDeadline(end)} ${zoneName(end)} due in 2 days 5 hours Ask for more time #`,
    )
    expect(rowsOf(markup)).toEqual([
      '# Problem Left today Status Score Links',
      '1 #7 Sum 2 of 3 Solved 100 Statistics',
      '2 #3 Tree Unlimited Begun 40 (late: 80) Statistics',
    ])
    expect(controlsOf(markup)).toEqual({
      Courses: '/courses',
      'A B': '/course/A%20B',
      'My marks': '/course/A%20B/marks',
      'Ask for more time for Loops': undefined,
      '#7 Sum': '/course/A%20B/problem/7',
      '#3 Tree': '/course/A%20B/problem/3',
      'Statistics of problem #7': '/course/A%20B/problem/7/stats',
      'Statistics of problem #3': '/course/A%20B/problem/3/stats',
    })
  })

  it('shows who has not begun no score, and used-up quotas as none left', () => {
    const [tree, sum] = [problem(3, 'Tree', { quotaUsed: 4 }), problem(7, 'Sum')]
    const markup = listOf([homework()], {
      user: { username: 'bob' },
      reads: [
        [homeworksQuery(COURSE.course), [homework()]],
        [courseProblemsQuery(COURSE.course), [tree, sum]],
      ],
    })
    expect(rowsOf(markup).slice(1)).toEqual([
      '1 #7 Sum 2 of 3 Not begun – Statistics',
      '2 #3 Tree 0 of 3 Not begun – Statistics',
    ])
    expect(textOf(markup)).toContain('0 of 2 solved 0 / 200')
  })

  it('that came late alone has a late score and no other', () => {
    const late = new Map([['ann', { 7: progress(0, [], 30) }]])
    const [, row] = rowsOf(listOf([homework({ studentStatus: late })]))
    expect(row).toBe('1 #7 Sum 2 of 3 Begun – (late: 30) Statistics')
  })

  const staffGave = (change: object) => ({ points: 5, comment: '', by: 'tom', at: NOW, ...change })

  it('has the reader’s own dates, until when late work counts, and what that means', () => {
    const { start, end } = homework()
    const closes = end + DAY
    const own = datesAt(start - DAY, end, { closes, why: 'Ill' })
    const half = { kind: 'steps' as const, steps: [{ afterHours: 0, percent: 50 }] }
    const deadline = (at: number) => `${formatDeadline(at)} ${zoneName(at)}`
    expect(textOf(listOf([homework({ own, lateRule: half })]))).toContain(
      `From ${withZone(start - DAY)} Due ${deadline(end)} Late work counts until ${deadline(closes)} ` +
        'Changed dates: Ill due in 2 days 5 hours Late work counts 50 % of its score. The best',
    )
    const silent = textOf(listOf([homework({ own: { ...own, why: '' } })]))
    expect(silent).toContain('Changed dates due in')
    expect(textOf(listOf([homework({ courseCounts: 'last' })]))).toContain('The last submission')
    expect(textOf(listOf([homework()]))).not.toMatch(/Changed|counts/)
  })

  it('closes after the due time, and is over by the reader’s own dates', () => {
    const own = datesAt(NOW - DAY, NOW - 60, { closes: NOW + DAY + 12_600 })
    expect(textOf(listOf([homework({ own })]))).toContain('Loops Running')
    expect(textOf(listOf([homework({ own })]))).toContain('closes in 1 day 3 hours')
    const past = datesAt(NOW - 2 * DAY, NOW - DAY)
    expect(textOf(listOf([homework({ own: past })]))).toContain('Loops Over')
  })

  it('says what a problem is worth, which marks are kept, and what staff gave', () => {
    const kept = { ...progress(40, [12]), counted: null, mark: 38.25, kept: true }
    const given = { ...progress(100, [11]), given: staffGave({ comment: 'Late bus' }), mark: 5 }
    const change = {
      points: [50, 100],
      studentStatus: new Map([['ann', { 7: given, 3: kept }]]),
      marks: new Map([['ann', markOfAll(48.25, { given: staffGave({ by: null }) })]]),
    }
    const markup = listOf([homework(change)])
    expect(rowsOf(markup).slice(1)).toEqual([
      '1 #7 Sum 50 points 2 of 3 Solved 5 given by tom: Late bus Statistics',
      '2 #3 Tree Unlimited Begun 38.25 kept until staff confirm Statistics',
    ])
    expect(textOf(markup)).toContain('48.25 / 150')
    expect(textOf(markup)).toContain('For the homework as a whole: 5 points given by staff')
  })

  it('of which the reader is excused has no sum, and does not press for time', () => {
    const { start, end } = homework()
    const own = datesAt(start, end, { closes: end + DAY, excused: true })
    const text = textOf(listOf([homework({ own })]))
    expect(text).toContain('Running Excused From')
    expect(text).not.toMatch(/\/ 200|solved|due in|Work counts/)
    const inGradebook = new Map([['ann', markOfAll(null, { excused: true })]])
    expect(textOf(listOf([homework({ marks: inGradebook })]))).toMatch(/Excused(?!.*solved)/)
  })

  it('shows no points of a mark that the gradebook does not show', () => {
    const text = textOf(listOf([homework({ marks: new Map([['ann', markOfAll(null)]]) })]))
    expect(text).toContain('solved')
    expect(text).not.toContain('/ 200')
  })

  it('shows staff who has handed in, and leads to all that they do', () => {
    const markup = listOf([homework()], { course: { role: 'ta' } })
    expect(textOf(markup)).toContain('Loops Running 1 of 2 handed in · mean 70 From')
    expect(rowsOf(markup)).toEqual([
      '# Problem Left today Links',
      '1 #7 Sum 2 of 3 Statistics Copy detection',
      '2 #3 Tree Unlimited Statistics Copy detection',
    ])
    expect(controlsOf(markup)).toMatchObject({
      'New homework': '/course/A%20B/homeworks/new',
      Scoreboard: `/course/A%20B/homeworks/${idOf(1)}/stats`,
      Edit: `/course/A%20B/homeworks/${idOf(1)}/edit`,
      'Same mistakes': `/course/A%20B/homeworks/${idOf(1)}/mistakes`,
      'Rejudge all': undefined,
      'Copy detection for #7': '/course/A%20B/problem/7/copycat',
      'Copy detection for #3': '/course/A%20B/problem/3/copycat',
    })
    expect(Object.keys(controlsOf(markup))).toContain('Rejudge all')
  })

  const window = {
    'not-started': { start: NOW + DAY + 12_600, end: NOW + 9 * DAY },
    running: { start: NOW - DAY, end: NOW + DAY + 12_600 },
    over: { start: NOW - 9 * DAY, end: NOW - DAY },
  }
  it.each([
    ['not-started', 'Not started', 'starts in 1 day 3 hours', false],
    ['running', 'Running', 'due in 1 day 3 hours', true],
    ['over', 'Over', null, true],
  ] as const)(
    'says by the clock that it is %s, and whether its board is open',
    (at, word, left, isOpen) => {
      // The API's answer is out of date.
      const open = { ...window[at], status: 'running', scoreboardStatus: 0 } as const
      const markup = listOf([homework(open)])
      expect(textOf(markup)).toContain(`Loops ${word} 1 of 2 solved`)
      expect(
        /(due|starts) in [^#]*/
          .exec(textOf(markup))?.[0]
          .trim()
          .replace(/ Ask for more time( Scoreboard)?$| Scoreboard$/, '') ?? null,
      ).toBe(left)
      const board = { Scoreboard: `/course/A%20B/homeworks/${idOf(1)}/stats` }
      expect(controlsOf(markup)).not.toHaveProperty('Same mistakes')
      if (isOpen) expect(controlsOf(markup)).toMatchObject(board)
      else expect(controlsOf(markup)).not.toHaveProperty('Scoreboard')
      expect(controlsOf(listOf([homework(window[at])]))).not.toHaveProperty('Scoreboard')
      const staffs = textOf(listOf([homework(window[at])], { course: { role: 'teacher' } }))
      expect(staffs.includes('handed in')).toBe(at !== 'not-started')
    },
  )

  it('stands above those that began earlier', () => {
    const named = (name: string, start: number, id: number) =>
      homework({ name, start: NOW - start * DAY, id: idOf(id), problemIds: [], problems: [] })
    const text = textOf(listOf([named('Old', 3, 1), named('New', 1, 2), named('Middle', 2, 3)]))
    expect(text.match(/Old|New|Middle/g)).toEqual(['New', 'Middle', 'Old'])
  })

  it('is missed in an empty list, where staff may make one', () => {
    expect(textOf(listOf([]))).toContain('No homework yet.')
    expect(controlsOf(listOf([]))).not.toHaveProperty('New homework')
    expect(controlsOf(listOf([], { course: { role: 'ta' } }))).toHaveProperty('New homework')
  })
})

function statsOf(of: Homework, scene: Scene & { query?: string } = {}): string {
  const { query = '', reads = [], ...rest } = scene
  return render(<HomeworkStatsPage />, {
    route: '/course/:name/homeworks/:homeworkId/stats',
    at: `/course/A%20B/homeworks/${idOf(1)}/stats${query}`,
    course: { role: 'teacher' },
    ...rest,
    reads: [[homeworkQuery(idOf(1)), of], [courseProblemsQuery(COURSE.course), PROBLEMS], ...reads],
  })
}

const BINS = [
  '0–19',
  '20–39',
  '40–59',
  '60–79',
  '80–99',
  '100–119',
  '120–139',
  '140–159',
  '160–179',
  '180–199',
  '200',
]

describe('the scoreboard of staff', () => {
  it('has each student of the course with marks, tries and late scores, the best first', () => {
    const markup = statsOf(homework())
    expect(rowsOf(markup)).toEqual([
      'Student #7 Sum #3 Tree Sum Average Actions',
      'Ann Lee ann 100 1 try 40 2 tries late: 80 140 70',
      'bob no mark no mark 0 0',
    ])
    expect(controlsOf(markup)).toMatchObject({
      'Ann Lee ann': '/course/A%20B/submissions?username=ann',
      '100': `/course/A%20B/submission/${idOf(11)}`,
      '40': `/course/A%20B/submission/${idOf(12)}`,
      'late: 80': `/course/A%20B/submission/${idOf(99)}`,
      'Export as CSV': undefined,
      'More time for Ann Lee': undefined,
      'Points for bob': undefined,
      'Same mistakes': `/course/A%20B/homeworks/${idOf(1)}/mistakes`,
      Dates: `/course/A%20B/homeworks/${idOf(1)}/dates`,
      Homeworks: '/course/A%20B/homeworks',
    })
  })

  it.each([
    ['?start=60&end=120', { start: 60, end: 120 }],
    ['?end=120', { start: null, end: 120 }],
    ['?start=60', { start: 60, end: null }],
  ])('is of the time in the address: %s', (query, window) => {
    const cell = { count: 2, max: 60, min: 0, avg: 30, bestId: idOf(15) }
    const row = { user: person('bob'), sum: 60, avg: 30, problems: { 3: cell } }
    const read = [scoreboardQuery(COURSE.course, [7, 3], window), [row]] as const
    const markup = statsOf(homework(), { query, reads: [read] })
    expect(rowsOf(markup).slice(1)).toEqual([
      'bob no mark 60 2 tries 60 30',
      'Sum Students',
      ...BINS.map((bin) => `${bin} ${bin === '60–79' ? 1 : 0}`),
    ])
    expect(controlsOf(markup)).toMatchObject({ '60': `/course/A%20B/submission/${idOf(15)}` })
    expect(controlsOf(markup)).toHaveProperty('Any time')
  })

  it('is of the homework where the address names no time', () => {
    for (const query of ['?start=soon', '?end=-1', ''])
      expect(rowsOf(statsOf(homework(), { query }))[1]).toContain('Ann Lee ann 100')
  })

  it('says what it lacks', () => {
    expect(textOf(statsOf(homework(), { course: { role: 'teacher', students: [] } }))).toContain(
      'There are no students in this course yet.',
    )
    expect(textOf(statsOf(homework({ problemIds: [], problems: [] })))).toContain(
      'This homework has no problems yet.',
    )
  })

  it('of another course is not there', () => {
    expect(textOf(statsOf(homework({ course: 'Other' })))).toContain('Page not found')
  })
})

describe('the scoreboard of students', () => {
  const open = homework({ scoreboardStatus: 0 })
  const board = (user: ReturnType<typeof person> | null) => ({
    problemIds: [7, 3],
    own: { user: person('ann', 'Ann Lee'), scores: [100, null], sum: 100 },
    others: [
      { user, scores: [50, 0], sum: 50 },
      { user: user && person('zoe', 'Zoe'), scores: [null, 10], sum: 10 },
    ],
  })
  const asStudent = (of: Homework, user: ReturnType<typeof person> | null = null) =>
    statsOf(of, { course: { role: 'student' }, reads: [[boardQuery(idOf(1)), board(user)]] })

  it('begins with their own row and numbers the others', () => {
    const markup = asStudent(open)
    expect(rowsOf(markup)).toEqual([
      'Student #7 Sum #3 Tree Sum',
      'You 100 no mark 100',
      'Student 1 50 0 50',
      'Student 2 no mark 10 10',
    ])
    expect(textOf(markup)).toContain('The marks that count, without names.')
    expect(controlsOf(markup)).not.toHaveProperty('Export as CSV')
    expect(controlsOf(markup)).not.toHaveProperty('Same mistakes')
  })

  it('names the others where the homework says so', () => {
    const markup = asStudent(
      homework({ scoreboardStatus: 0, scoreboardNames: true }),
      person('bob'),
    )
    expect(rowsOf(markup).slice(2)).toEqual(['bob 50 0 50', 'Zoe zoe no mark 10 10'])
    expect(textOf(markup)).toContain('The marks that count. Your row comes first.')
  })

  it('is for nobody who may not see it', () => {
    for (const closed of [homework(), homework({ scoreboardStatus: 0, status: 'not-started' })])
      expect(textOf(asStudent(closed))).toContain('This account has no access')
  })
})

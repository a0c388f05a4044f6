/** Courses, homeworks and verdicts on the home page, and the result of an import of members. */
import { describe, expect, it } from 'vitest'
import type { CourseItem } from '#contract/courses'
import type { Overview } from '#contract/overview'
import type { BatchSignupResult } from '#contract/people/auth'
import { CsvResult } from '../../web/features/courses/csv-result.tsx'
import { newestSubmissionsQuery } from '../../web/features/home/api.ts'
import { runningHomeworksQuery } from '../../web/lib/queries/homeworks.ts'
import { MyCourses } from '../../web/features/home/my-courses.tsx'
import { NextUp } from '../../web/features/home/next-up.tsx'
import { overviewQuery, StaffOverview } from '../../web/features/home/staff-overview.tsx'
import { SetupNotice } from '../../web/features/home/setup-notice.tsx'
import { formatDeadline } from '../../web/lib/format/format.ts'
import { coursesQuery } from '../../web/lib/queries/courses.ts'
import { setupQuery } from '../../web/lib/queries/setup.ts'
import { datesAt, markOf, plainRules } from './fixtures/dates.ts'
import { ANN, controlsOf, idOf, person, render, rowsOf, textOf } from './fixtures/rendered.tsx'
import type { Scene } from './fixtures/rendered.tsx'

const NOW = Math.floor(Date.now() / 1_000)
const DAY = 86_400

const course = (name: string, role: CourseItem['role'], waitingQuestions = 0): CourseItem => ({
  course: name,
  teacher: person('tina', 'Tina Teach'),
  role,
  waitingQuestions,
})

describe('home', () => {
  const problems = [
    { problemId: 7, problemName: 'Sum' },
    { problemId: 3, problemName: 'Tree' },
  ]
  const solved = {
    ...markOf(idOf(1), 100),
    score: 100,
    problemStatus: 0,
    submissionIds: [idOf(1)],
    bestId: idOf(1),
    late: null,
  }
  const running = (name: string, course: string, hours: number) => ({
    id: idOf(hours),
    name,
    course,
    start: 0,
    end: NOW + hours * 3_600 + 1_800,
    ...plainRules([7, 3]),
    own: datesAt(0, NOW + hours * 3_600 + 1_800),
    problemIds: [7, 3],
    problems,
    status: 'running',
    studentStatus: new Map([['ann', { 7: solved }]]),
    marks: new Map([['ann', { sum: 100, excused: false, given: null }]]),
  })
  const submission = (number: number, status: number) => ({
    submissionId: idOf(number),
    problemId: 7,
    problemName: 'Sum',
    course: 'Algebra',
    user: person('ann'),
    status,
    score: 1,
    runTime: null,
    memoryUsage: null,
    languageType: 2,
    timestamp: NOW - 3 * DAY - 3_600,
  })
  const nextUp = (courses: CourseItem[], submissions: object[]) =>
    render(<NextUp user={ANN} placeholder="soon" />, {
      reads: [
        [coursesQuery, courses],
        [runningHomeworksQuery, [running('Loops', 'Algebra', 25), running('Own work', 'Help', 49)]],
        [newestSubmissionsQuery('ann'), { submissions, next: null }],
      ],
    })

  it('names the homeworks that run, with what a student has left to solve', () => {
    const markup = nextUp([course('Algebra', 'student'), course('Help', 'ta')], [])
    const loops = formatDeadline(running('', '', 25).end)
    expect(textOf(markup)).toContain(`due in 1 day 1 hour Loops Algebra Due ${loops}`)
    expect(textOf(markup)).toMatch(/1 of 2 solved 100 \/ 200 points #3 Tree Not begun Your newest/)
    expect(controlsOf(markup)).toMatchObject({
      Loops: '/course/Algebra/homeworks',
      '#3 Tree': '/course/Algebra/problem/3',
      'Problems of Algebra': '/course/Algebra/problems',
    })
    // An assistant has no progress there.
    expect(textOf(markup)).not.toContain('Own work')
  })

  it('shows what a student is to do to students, and to who is in no course, not to staff', () => {
    const own = /Running homeworks|Your newest submissions|You have not handed in/
    expect(textOf(nextUp([course('Help', 'ta')], []))).not.toMatch(own)
    for (const courses of [[], [course('Help', 'teacher'), course('Algebra', 'student')]])
      expect(textOf(nextUp(courses, []))).toMatch(own)
  })

  describe('where one is staff', () => {
    const nothing = { courses: [], homeworks: [], submissions: [] }
    const help = { course: 'Help', openQuestions: 0, judgeErrors: 0 }
    const shown = (change: Partial<Overview>) =>
      render(<StaffOverview placeholder="soon" />, {
        reads: [[overviewQuery, { ...nothing, courses: [help], ...change }]],
      })

    it('names what waits in each course, and leads there', () => {
      const courses = [
        { course: 'Algebra', openQuestions: 1, judgeErrors: 2 },
        { course: 'Help', openQuestions: 100, judgeErrors: 0 },
      ]
      const markup = shown({ courses })
      expect(textOf(markup)).toContain(
        'Waiting for you 1 open question Algebra 2 Judge Errors Algebra 99+ open questions Help Turnout',
      )
      expect(controlsOf(markup)).toMatchObject({
        '1 open question': '/course/Algebra/questions',
        '2 Judge Errors': '/course/Algebra/submissions?status=6',
        '99+ open questions': '/course/Help/questions',
      })
      expect(textOf(shown({}))).toContain('No open questions or Judge Errors.')
    })

    it('says how many have handed in to the homeworks that end next', () => {
      const { id, name, course, end } = running('Loops', 'Help', 25)
      const times = { end, due: end, close: end }
      const markup = shown({
        homeworks: [{ id, name, course, ...times, handedIn: 12, students: 42 }],
      })
      expect(textOf(markup)).toContain(`Loops Help due in 1 day 1 hour Due ${formatDeadline(end)}`)
      expect(textOf(markup)).toContain('12 of 42 handed in')
      expect(controlsOf(markup)).toMatchObject({ Loops: `/course/Help/homeworks/${id}/stats` })
    })

    it('names the people of the newest submissions', () => {
      const item = { ...submission(5, 1), user: person('bob', 'Bob Ray') }
      expect(textOf(shown({ submissions: [item] as Overview['submissions'] }))).toContain(
        '#7 Sum Bob Ray Algebra 3 days ago 1 point Wrong Answer',
      )
      expect(textOf(shown({}))).toContain('No submissions yet.')
    })

    it('shows nothing to an admin who is in no course', () => {
      expect(textOf(shown({ courses: [] }))).toBe('')
    })
  })

  it('counts the time until late work ends once the due time is past', () => {
    const own = datesAt(0, NOW - 60, { closes: NOW + DAY + 5_400, why: 'Ill' })
    const homework = { ...running('Loops', 'Algebra', 1), own }
    const reads: Scene['reads'] = [
      [runningHomeworksQuery, [homework]],
      [coursesQuery, []],
    ]
    const text = textOf(render(<NextUp user={ANN} placeholder="" />, { reads }))
    expect(text).toContain('closes in 1 day 1 hour Loops Algebra Due')
    expect(text).toContain(`Late work counts until ${formatDeadline(own.closes)}`)
    expect(text).toContain('Changed dates: Ill 1 of 2 solved')
  })

  it('begins with the next deadline, late work among them, and ends with what is excused', () => {
    const late = datesAt(0, NOW - 60, { closes: NOW + DAY })
    const excused = datesAt(0, NOW + 3_600, { excused: true, why: 'Ill' })
    const homeworks = [
      { ...running('Trees', 'Algebra', 1), own: excused },
      running('Loops', 'Algebra', 25),
      { ...running('Lists', 'Algebra', 2), own: late },
    ]
    const reads: Scene['reads'] = [
      [runningHomeworksQuery, homeworks],
      [coursesQuery, []],
    ]
    const text = textOf(render(<NextUp user={ANN} placeholder="" />, { reads }))
    expect(text).toMatch(/^Running homeworks closes in .* Lists .* Loops .* Excused Trees /)
    expect(text).toMatch(/Changed dates: Ill Your newest/)
  })

  it('marks a deadline that is nearer than a day', () => {
    const at = (seconds: number) => {
      const homework = { ...running('Loops', 'Algebra', 1), own: datesAt(0, NOW + seconds) }
      const reads: Scene['reads'] = [
        [runningHomeworksQuery, [homework]],
        [coursesQuery, []],
      ]
      return render(<NextUp user={ANN} placeholder="" />, { reads }).includes('data-soon="true"')
    }
    expect([at(DAY - 3_600), at(DAY + 3_600)]).toEqual([true, false])
  })

  it('shows the newest verdicts with their points, once there are any', () => {
    const markup = nextUp([course('Algebra', 'student')], [submission(5, 1), submission(6, -1)])
    expect(textOf(markup)).toContain(
      '#7 Sum Algebra 3 days ago 1 point Wrong Answer #7 Sum Algebra 3 days ago Pending',
    )
    expect(controlsOf(markup)).toMatchObject({ '#7 Sum': `/course/Algebra/submission/${idOf(6)}` })
    expect(markup).not.toContain('soon')
  })

  it('leads who has handed in nothing to the problems, or to the courses where they have several', () => {
    const several = [course('Algebra', 'student'), course('Logic', 'student')]
    expect(controlsOf(nextUp(several, []))).toMatchObject({ 'To your courses': '/courses' })
    expect(textOf(nextUp([], []))).not.toMatch(/To your courses|Problems of/)
  })

  it('links to six courses, with the questions that wait there', () => {
    const names = ['A', 'B', 'C', 'D', 'E', 'F', 'G']
    const mine = (count: number) =>
      render(<MyCourses />, {
        reads: [
          [coursesQuery, names.slice(0, count).map((name, at) => course(name, 'student', at))],
        ],
      })
    expect(controlsOf(mine(6))).toMatchObject({
      'A Student': '/course/A',
      'F Student': '/course/F',
      'Questions: 5 questions wait for you': '/course/F/questions',
      'Questions: 1 question waits for you': '/course/B/questions',
    })
    expect(Object.keys(controlsOf(mine(6)))).toHaveLength(11)
    expect(controlsOf(mine(7))).toMatchObject({ 'All courses': '/courses' })
    expect(textOf(mine(7))).not.toContain('G Student')
  })

  it('tells an admin how many essential things are missing', () => {
    const item = (name: string, state: string) => ({ item: name, state, at: null, lacks: [] })
    const notice = (...items: object[]) =>
      textOf(render(<SetupNotice placeholder="soon" />, { reads: [[setupQuery, items]] }))
    const optional = item('mail', 'open')
    expect(notice(optional, item('host', 'done'))).toBe('')
    expect(notice(optional, item('host', 'failed'))).toContain('One step is left')
    expect(notice(item('cron', 'open'), item('host', 'failed'))).toContain('2 steps are left')
  })
})

describe('the outcome of an import', () => {
  const row = (line: number, action: string, change: object = {}) =>
    ({ line, username: `u${line}`, action, ...change }) as Parameters<
      typeof CsvResult
    >[0]['result']['rows'][number]
  const result = (rows: ReturnType<typeof row>[], notMailed?: string[]) => ({
    created: 1,
    updated: 2,
    enrolled: 3,
    unchanged: 4,
    rows,
    ...(notMailed && { notMailed }),
  })
  /** A file with a member in every row. */
  const fileOf = (count: number) => ({
    table: {
      separator: ',' as const,
      heads: [],
      rows: Array.from({ length: count }, (_, at) => ({ number: at + 2, cells: [] })),
      unclosed: null,
    },
    members: [],
  })
  const shown = (props: Partial<Parameters<typeof CsvResult>[0]> & { result: BatchSignupResult }) =>
    render(<CsvResult isChecked isPart={false} file={fileOf(300)} {...props} />)
  const ALL = [row(2, 'create'), row(3, 'update'), row(4, 'enrol'), row(5, 'none')]

  it('names each row, before and after it was stored', () => {
    const markup = shown({ result: result(ALL), isChecked: true })
    expect(rowsOf(markup)).toEqual([
      'Row Username Outcome Name Email',
      '2 u2 New account, enrolled',
      '3 u3 Updated',
      '4 u4 Enrolled',
      '5 u5 Nothing to do',
    ])
    const counts = '1 new, 2 updated, 3 enrolled, 4 unchanged.'
    expect(textOf(markup)).toContain(`This would happen: ${counts}`)
    expect(textOf(shown({ result: result(ALL), isChecked: false }))).toContain(
      `Imported: ${counts}`,
    )
    expect(textOf(shown({ result: result(ALL, ['u2', 'u3']), isChecked: false }))).toContain(
      'could not be mailed: u2, u3.',
    )
    const waiting = { ...result(ALL), waitingLinks: 2 }
    expect(textOf(shown({ result: waiting, isChecked: false }))).toContain(
      '2 links wait to be mailed.',
    )
  })

  it('names the bad rows alone, by their numbers, names and addresses in the file', () => {
    const faults = [
      { path: ['email'], code: 'email_taken', message: '' },
      { path: [], code: 'field_count', message: '', params: { found: 2, wanted: 3 } },
    ]
    const member = (at: number) => ({
      username: `u${at}`,
      email: `${at}@x.test`,
      displayedName: `Name ${at}`,
      password: '',
      role: '',
      labels: '',
    })
    const table = {
      separator: ',' as const,
      heads: [],
      rows: [7, 9].map((number) => ({ number, cells: [] })),
      unclosed: null,
    }
    const refused = {
      result: result([row(2, 'create'), row(3, 'error', { faults })]),
      file: { table, members: [member(2), member(3)] },
    }
    const markup = shown(refused)
    expect(rowsOf(markup)).toEqual([
      'Row Username Outcome Name Email',
      '9 u3 Email: belongs to another account; This row has 2 fields, the header has 3. Name 3 3@x.test',
    ])
    expect(textOf(markup)).toContain('Some rows are invalid; nothing was stored.')
    expect(textOf(shown({ ...refused, isPart: true }))).toContain(
      'The part of the file with these rows was not stored.',
    )
  })

  it('shows two hundred rows, and counts the rest', () => {
    const many = Array.from({ length: 201 }, (_, at) => row(at + 2, 'none'))
    const of = (count: number) => shown({ result: result(many.slice(0, count)), isChecked: true })
    expect([rowsOf(of(200)).length, textOf(of(200)).includes('more')]).toEqual([201, false])
    expect([rowsOf(of(201)).length, textOf(of(201)).includes('and 1 more')]).toEqual([201, true])
  })
})

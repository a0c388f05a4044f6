/** People, files and code blocks that are named like properties of `Object.prototype`. */
import Papa from 'papaparse'
import { describe, expect, test } from 'vitest'
import { courseDetail } from '#contract/courses'
import { homework } from '#contract/homeworks'
import { labelCell } from '../../web/components/labels/labels.ts'
import { casesByPattern } from '../../web/features/problems/zip/case-pattern.ts'
import { filterMembers, membersOf } from '../../web/features/courses/members.ts'
import { toApiCsv, readTable, toMembers } from '../../web/features/courses/member-file.ts'
import { matchColumns } from '../../web/lib/files/person-heads.ts'
import { boardOfHomework, boardTable } from '../../web/features/homeworks/scoreboard.ts'
import { toCsv } from '#contract/csv-table'
import { OBJECT_NAMES, OBJECT_USERNAMES } from '../support/object-names.ts'

const ID = '0123456789abcdef01234567'
const person = (username: string) => ({ username, displayedName: username, role: 2 }) as const
const people = OBJECT_USERNAMES.map(person)

/** An object by username, as the API sends it. */
function received(valueOf: (index: number) => unknown): unknown {
  const object = Object.fromEntries(OBJECT_USERNAMES.map((name, index) => [name, valueOf(index)]))
  return JSON.parse(JSON.stringify(object))
}

test('there are such usernames', () => {
  expect(OBJECT_USERNAMES).toContain('__proto__')
  expect(OBJECT_USERNAMES.length).toBeGreaterThan(8)
})

describe('the members', () => {
  const course = {
    course: 'C',
    teacher: person('zoe'),
    TAs: [],
    students: people,
    role: 'teacher',
    timeZone: 'UTC',
    counts: 'best',
    closedAt: null,
    labels: [],
    memberLabels: {},
    waitingQuestions: 0,
  }

  test('have their own e-mail and no other', () => {
    const emails = received((index) => `${index}@example.org`)
    const members = membersOf(courseDetail.parse({ ...course, emails })).slice(1)
    expect(members.map(({ email }) => email)).toEqual(
      people.map((_, index) => `${index}@example.org`),
    )
  })

  test('have their own labels and no other', () => {
    const labels = OBJECT_USERNAMES.map((name, index) => ({ id: index + 1, name, shown: false }))
    const memberLabels = received((index) => [index + 1])
    const labelled = courseDetail.parse({ ...course, labels, memberLabels })
    expect(OBJECT_USERNAMES.map((name) => labelCell(labelled, name))).toEqual(OBJECT_USERNAMES)
    expect(labelCell(courseDetail.parse(course), 'constructor')).toBe('')
  })

  test('are searched where no e-mail is known', () => {
    const members = membersOf(courseDetail.parse({ ...course, emails: {} }))
    const found = filterMembers(members, { text: '__PROTO', role: '', way: '' })
    expect(found.map(({ username, email }) => [username, email])).toEqual([
      ['__proto__', undefined],
    ])
  })

  test('come out of a file as they went in', () => {
    const rows = [
      ['username', 'email', 'constructor'],
      ...OBJECT_USERNAMES.map((name) => [name, 'a@b.org', 'x']),
    ]
    const table = readTable(new TextEncoder().encode(Papa.unparse(rows)), 'utf-8', null)
    const members = toMembers(table, matchColumns(table.heads))
    expect(
      Papa.parse<string[]>(toApiCsv(members))
        .data.slice(1)
        .map(([name]) => name),
    ).toEqual(OBJECT_USERNAMES)
  })
})

describe('the scoreboard of a homework', () => {
  const base = {
    name: 'H',
    course: 'C',
    start: 1,
    end: 2,
    close: null,
    graceMinutes: 0,
    lateRule: { kind: 'none' },
    counts: null,
    courseCounts: 'best',
    lateDays: null,
    own: {
      opens: 1,
      due: 2,
      closes: 2,
      graceMinutes: 0,
      latePercent: null,
      excused: false,
      why: null,
    },
    markdown: '',
    problemIds: [7],
    problems: [],
    points: [100],
    marks: {},
  }
  const sent = { ...base, id: ID, scoreboardStatus: 0, scoreboardNames: true, status: 'over' }
  const progressOf = (score: number) => ({
    7: {
      score,
      problemStatus: 0,
      submissionIds: [ID],
      bestId: ID,
      late: null,
      counted: ID,
      mark: score,
      kept: false,
      given: null,
    },
  })

  test('and its CSV have what each has reached', () => {
    const read = homework.parse({
      ...sent,
      studentStatus: received((index) => progressOf(index + 1)),
    })
    const heads = {
      username: 'u',
      displayName: 'd',
      sum: 's',
      average: 'a',
      tries: () => 't',
      late: () => 'l',
      by: () => 'b',
      byName: () => 'n',
      given: 'g',
      excused: 'e',
      yes: 'y',
    }
    const csv = toCsv(boardTable(boardOfHomework(people, read), ['P'], heads))
    expect(
      Papa.parse<string[]>(csv.trim())
        .data.slice(1)
        .map(([name, , score]) => [name, score]),
    ).toEqual(OBJECT_USERNAMES.map((name, index) => [name, String(index + 1)]))
  })

  test('has nothing of who has handed in nothing', () => {
    const read = homework.parse({ ...sent, studentStatus: {} })
    expect(boardOfHomework(people, read).map(({ sum, cells }) => [sum, cells[0]?.mark])).toEqual(
      people.map(() => [0, null]),
    )
  })

  test('refuses what is no object', () => {
    for (const studentStatus of [[], 'x', null, 7, { a: 'b' }])
      expect(homework.safeParse({ ...sent, studentStatus }).success).toBe(false)
  })
})

test.each(OBJECT_NAMES)('a pattern of cases that is %s means these letters', (name) => {
  const entries = ['in', 'out'].map((side) => ({ name: `${name}/1.${side}`, isDirectory: false }))
  const patterns = { input: `${name}/{case}.in`, output: `${name}/{case}.out` }
  expect(casesByPattern(entries, patterns).cases).toHaveLength(1)
  const whole = [name, `${name}.out`].map((each) => ({ name: each, isDirectory: false }))
  expect(casesByPattern(whole, { input: name, output: `${name}.out` }).cases).toHaveLength(1)
})

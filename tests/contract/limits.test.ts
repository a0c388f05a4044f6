/** The greatest and least value of every field: the limit itself is accepted, and the next value beyond it is refused. */
import { describe, expect, test } from 'vitest'
import type * as z from 'zod'
import { announcementEdit, announcementListParams, newAnnouncement } from '#contract/announcements'
import { auditParams } from '#contract/audit'
import { courseCopy } from '#contract/course-copy'
import { courseMembers, memberChanges, newCourse, peopleParams } from '#contract/courses'
import { toFieldErrors } from '#contract/fields'
import { calendarParams } from '#contract/calendar'
import { lateRule } from '#contract/homework-dates'
import { overrideChanges, overrideRemoval, pointsForm } from '#contract/homework-overrides'
import { homeworkForm, homeworkListParams } from '#contract/homeworks'
import { setupParams } from '#contract/installation/setup'
import { labelList, memberLabels } from '#contract/labels'
import { lateDayBudgets } from '#contract/late-days'
import { hintEdit, mistakeComment, mistakesMerged, newHint } from '#contract/mistakes'
import * as auth from '#contract/people/auth'
import { newToken } from '#contract/people/tokens'
import { newUser, profileChange, userChange, userListParams } from '#contract/people/users'
import {
  newLineQuestion,
  newMessage,
  newRequest,
  questionListParams,
  savedReplies,
} from '#contract/questions'

const text = (length: number) => 'x'.repeat(length)
/** Changes of dates for so many students. */
const overridesOf = (length: number) => list(length).map((username) => ({ username, due: 1 }))
const list = (length: number) => Array.from({ length }, (_, index) => `u${index}`)
const numbers = (length: number) => Array.from({ length }, (_, index) => index + 1)
const labelsOf = (length: number) => list(length).map((name) => ({ id: null, name }))
const labelledOf = (length: number) => list(length).map((username) => ({ username, labels: [1] }))
/** So many different mistakes. */
const mistakesOf = (length: number) => list(length).map((word) => word.padEnd(16, '-'))
const budgetsOf = (length: number) => list(length).map((name) => ({ ...budget, name }))
/** Homeworks that come along in a copy. */
const copiedOf = (length: number) =>
  numbers(length).map((id) => ({ id: id.toString(16).padStart(24, '0'), start: 1, end: 2 }))
/** An email address of this many characters. */
const address = (length: number) => `${'a'.repeat(length - 12 - 61)}@${'b'.repeat(60)}.example.org`

/** The codes of the fields that are refused. */
function refused(schema: z.ZodType, value: unknown): string[] {
  const { success, error } = schema.safeParse(value)
  if (success || !error) return []
  return toFieldErrors(error, value).map(({ path, code }) => `${path.join('.')}: ${code}`)
}

const MISTAKE = 'a'.repeat(16)
const budget = {
  id: null,
  size: 1,
  mostEach: 1,
  spending: 'auto',
  movesClosing: false,
  homeworkIds: [],
}
const person = { username: 'ada', email: 'ada@x.test' }
const announcement = { title: 'T', markdown: '' }
const edit = { ...announcement, annId: 'a'.repeat(24), pinned: false }
const homework = { name: 'H', start: 1, end: 2 }
const unitsRule = { kind: 'units', unitMinutes: 60, percent: 5, how: 'multiply' }
const given = { username: 'ada', problemId: 1, points: 1 }
/** A late rule of so many steps. */
const steps = (length: number) => numbers(length).map((afterHours) => ({ afterHours, percent: 50 }))
const course = { course: 'C', teacher: 'ada' }
const token = { name: 'ci', scopes: ['read'] }
const member = { user: 'ada', role: 'ta' }
const login = { username: 'ada', password: 'x' }

/** Schema, the rest of its body, the field, a function that makes a value of a size, and the largest size. */
const MOST: [string, z.ZodType, object, string, (size: number) => unknown, number][] = [
  ['a sign-in', auth.loginBody, login, 'username', text, 128],
  ['a sign-in', auth.loginBody, login, 'password', text, 128],
  ['a new password', auth.changePasswordBody, { oldPassword: 'x' }, 'newPassword', text, 128],
  ['an old password', auth.changePasswordBody, { newPassword: text(8) }, 'oldPassword', text, 128],
  ['a confirmation', auth.confirmPasswordBody, {}, 'password', text, 128],
  ['a link', auth.resetBody, { newPassword: text(8) }, 'token', text, 64],
  ['a check', auth.checkUsernameBody, {}, 'username', text, 16],
  ['a check', auth.checkEmailBody, {}, 'email', address, 128],
  ['a file', auth.batchSignupBody, {}, 'newUsers', text, 4_000_000],
  ['a file', auth.batchSignupBody, { newUsers: 'x' }, 'course', text, 64],
  ['an account', newUser, person, 'username', text, 16],
  ['an account', newUser, person, 'displayedName', text, 32],
  ['an account', newUser, person, 'password', text, 128],
  ['a change', userChange, {}, 'displayedName', text, 32],
  ['a profile', profileChange, {}, 'displayedName', text, 32],
  ['a profile', profileChange, {}, 'bio', text, 256],
  ['a search', userListParams, {}, 'search', text, 64],
  ['a list of people', userListParams, {}, 'limit', String, 200],
  ['an API token', newToken, token, 'name', text, 64],
  ['an API token', newToken, token, 'days', Number, 366],
  ['a course', newCourse, course, 'course', text, 64],
  ['a course', newCourse, course, 'teacher', text, 16],
  ['members', courseMembers, { students: [] }, 'TAs', list, 2_000],
  ['members', courseMembers, { TAs: [] }, 'students', list, 2_000],
  ['members', memberChanges, {}, 'remove', list, 2_000],
  ['members', memberChanges, {}, 'add', (size) => list(size).map(() => member), 2_000],
  ['a search for people', peopleParams, {}, 'search', text, 64],
  ['an announcement', newAnnouncement, announcement, 'title', text, 64],
  ['an announcement', newAnnouncement, announcement, 'markdown', text, 100_000],
  ['an announcement', newAnnouncement, announcement, 'courseName', text, 64],
  ['an edit of one', announcementEdit, edit, 'title', text, 64],
  ['an edit of one', announcementEdit, edit, 'markdown', text, 100_000],
  ['a list of announcements', announcementListParams, {}, 'limit', String, 200],
  ['a homework', homeworkForm, homework, 'name', text, 64],
  ['a homework', homeworkForm, homework, 'markdown', text, 10_000],
  ['a homework', homeworkForm, homework, 'problemIds', numbers, 100],
  ['a homework', homeworkForm, homework, 'end', Number, 8_640_000_000_000],
  ['a homework', homeworkForm, homework, 'scoreboardStatus', Number, 1],
  ['a homework', homeworkForm, homework, 'graceMinutes', Number, 1_440],
  ['a late rule', lateRule, { kind: 'steps' }, 'steps', steps, 20],
  ['a late rule', lateRule, unitsRule, 'unitMinutes', Number, 8_784 * 60],
  ['a late rule', lateRule, unitsRule, 'percent', Number, 100],
  ['a late rule', lateRule, unitsRule, 'floor', Number, 100],
  ['changes of dates', overrideChanges, {}, 'overrides', overridesOf, 2_000],
  ['removed dates', overrideRemoval, {}, 'usernames', list, 2_000],
  ['removed dates', overrideRemoval, {}, 'labels', numbers, 100],
  ['labels', labelList, {}, 'labels', labelsOf, 100],
  ['labels of students', memberLabels, {}, 'members', labelledOf, 2_000],
  ['late days', lateDayBudgets, {}, 'budgets', budgetsOf, 10],
  ['a copied course', courseCopy, { course: 'C' }, 'homeworks', copiedOf, 200],
  ['a request', newRequest, { due: 1 }, 'markdown', text, 4_000],
  ['points', pointsForm, given, 'points', Number, 1_000],
  ['points', pointsForm, given, 'comment', text, 1_000],
  ['a calendar', calendarParams, {}, 'token', text, 64],
  ['a message', newMessage, {}, 'markdown', text, 4_000],
  ['a message', newLineQuestion, { line: 1 }, 'markdown', text, 4_000],
  ['a question', newLineQuestion, { markdown: 'x' }, 'line', Number, 65_537],
  ['a list of questions', questionListParams, {}, 'limit', String, 200],
  ['a list of questions', questionListParams, {}, 'cursor', text, 256],
  ['saved replies', savedReplies, {}, 'replies', list, 30],
  ['merged mistakes', mistakesMerged, { into: null }, 'mistakes', mistakesOf, 1_000],
  ['a hint', newHint, { mistake: MISTAKE }, 'markdown', text, 4_000],
  ['an edit of a hint', hintEdit, {}, 'markdown', text, 4_000],
  ['a comment to a group', mistakeComment, {}, 'markdown', text, 4_000],
  ['a list of entries', auditParams, {}, 'limit', String, 200],
  ['the set-up page', setupParams, {}, 'page', text, 256],
]

test.each(MOST)(
  '%s takes the most of a field and no more (case %#)',
  (_what, schema, rest, field, make, most) => {
    expect(refused(schema, { ...rest, [field]: make(most) })).toEqual([])
    const [first, ...others] = refused(schema, { ...rest, [field]: make(most + 1) })
    expect(first).toMatch(new RegExp(`^${field}: (max_length|max_value|between|invalid)$`))
    expect(others).toEqual([])
  },
)

/** Schema, the rest of its body, the field, the least value that is accepted, and one below it. */
const LEAST: [z.ZodType, object, string, unknown, unknown][] = [
  [auth.changePasswordBody, { oldPassword: 'x' }, 'newPassword', text(8), text(7)],
  [newUser, person, 'password', text(8), text(7)],
  [userListParams, {}, 'limit', '1', '0'],
  [newToken, token, 'days', 1, 0],
  [newToken, token, 'scopes', ['read'], []],
  [peopleParams, {}, 'search', 'ab', ' a '],
  [announcementListParams, {}, 'limit', '1', '0'],
  [homeworkForm, homework, 'start', 0, -1],
  [homeworkForm, homework, 'end', 1, 0],
  [homeworkForm, homework, 'problemIds', [1], [0]],
  [homeworkForm, homework, 'scoreboardStatus', 0, -1],
  [homeworkForm, homework, 'close', 2, 1],
  [homeworkForm, homework, 'graceMinutes', 0, -1],
  [lateRule, { kind: 'steps' }, 'steps', steps(1), []],
  [lateRule, unitsRule, 'unitMinutes', 1, 0],
  [lateRule, unitsRule, 'percent', 1, 0],
  [lateRule, unitsRule, 'floor', 0, -1],
  [overrideChanges, {}, 'overrides', overridesOf(1), []],
  [memberLabels, {}, 'members', labelledOf(1), []],
  [pointsForm, given, 'points', 0, -0.01],
  [newLineQuestion, { markdown: 'x' }, 'line', 1, 0],
  [questionListParams, {}, 'limit', '1', '0'],
  [questionListParams, {}, 'problemId', '1', '0'],
  [savedReplies, {}, 'replies', [], [' ']],
  [newMessage, {}, 'markdown', 'x', ' \n'],
  [mistakesMerged, { into: null }, 'mistakes', [MISTAKE], []],
  [newHint, { mistake: MISTAKE }, 'markdown', 'x', ' \n'],
  [mistakeComment, {}, 'markdown', 'x', ' \n'],
  [newAnnouncement, announcement, 'title', 'x', ' '],
  [homeworkForm, homework, 'name', 'x', ' '],
  [newCourse, course, 'course', 'x', ' '],
]

test.each(LEAST)(
  'a field takes its least and no less (case %#)',
  (schema, rest, field, least, below) => {
    expect(refused(schema, { ...rest, [field]: least })).toEqual([])
    expect(refused(schema, { ...rest, [field]: below })).toEqual([
      expect.stringMatching(new RegExp(`^${field}(\\.0)?: `)),
    ])
  },
)

describe('what is left out', () => {
  test.each<[z.ZodType, object, object]>([
    [auth.loginBody, login, { ...login, sharedComputer: false }],
    [
      auth.batchSignupBody,
      { newUsers: 'x' },
      { newUsers: 'x', force: false, uppercase: false, mailLinks: false, dryRun: false },
    ],
    [newUser, person, { ...person, role: 2, active: true }],
    [userListParams, {}, { search: '', limit: 50 }],
    [newToken, token, { ...token, days: 90 }],
    [newCourse, course, { ...course, timeZone: 'UTC' }],
    [memberChanges, {}, { add: [], remove: [] }],
    [newAnnouncement, announcement, { ...announcement, courseName: 'Public', pinned: false }],
    [announcementListParams, {}, { limit: 50 }],
    [
      homeworkForm,
      homework,
      {
        ...homework,
        markdown: '',
        close: null,
        graceMinutes: 0,
        lateRule: { kind: 'none' },
        counts: null,
        problemIds: [],
        scoreboardStatus: 1,
        scoreboardNames: false,
      },
    ],
    [lateRule, unitsRule, { ...unitsRule, floor: 0 }],
    [
      pointsForm,
      { username: 'ada', problemId: null, points: 1 },
      { username: 'ada', problemId: null, points: 1, comment: '' },
    ],
    [homeworkListParams, {}, {}],
    [questionListParams, {}, {}],
    [
      newHint,
      { markdown: 'x', mistake: MISTAKE },
      { markdown: 'x', mistake: MISTAKE, failed: null, mayNameSecret: false },
    ],
    [hintEdit, { markdown: 'x' }, { markdown: 'x', mayNameSecret: false }],
    [profileChange, {}, {}],
    [userChange, {}, {}],
  ])('has its default, or is not there (case %#)', (schema, body, whole) => {
    expect(schema.parse(body)).toEqual(whole)
  })
})

test('what people type around a name or an address is taken off; case of an address does not matter', () => {
  expect(newUser.parse({ ...person, email: ' ADA@X.test ', displayedName: ' Ada ' })).toMatchObject(
    {
      email: 'ada@x.test',
      displayedName: 'Ada',
    },
  )
  expect(peopleParams.parse({ search: ' ab ' })).toEqual({ search: 'ab' })
  expect(userListParams.parse({ search: ' ab ', role: '1', limit: '7' })).toEqual({
    search: 'ab',
    role: 1,
    limit: 7,
  })
})

test('a homework is refused with dates, steps or points that do not fit each other', () => {
  const stepsOf = (...pairs: [number, number][]) => ({
    kind: 'steps',
    steps: pairs.map(([afterHours, percent]) => ({ afterHours, percent })),
  })
  expect(
    [
      { end: 0 },
      { close: 1 },
      { lateRule: stepsOf([0, 90], [24, 90], [48, 0]) },
      { lateRule: stepsOf([24, 90], [24, 80]) },
      { lateRule: stepsOf([0, 80], [24, 81]) },
      { problemIds: [1, 2], points: [20, 0] },
      { problemIds: [1, 2], points: [20] },
      { problemIds: [1, 1] },
    ].map((fields) => refused(homeworkForm, { ...homework, ...fields })),
  ).toEqual([
    ['end: min_value'],
    ['close: min_value'],
    [],
    ['lateRule.steps.1.afterHours: min_value'],
    ['lateRule.steps.1.percent: max_value'],
    [],
    ['points: invalid'],
    ['problemIds: invalid'],
  ])
})

test.each([
  [0.29, true],
  [15.3, true],
  [999.99, true],
  [0.125, false],
  [33.333, false],
])('points have at most two decimals: %d', (points, fits) => {
  expect(pointsForm.safeParse({ ...given, points }).success).toBe(fits)
})

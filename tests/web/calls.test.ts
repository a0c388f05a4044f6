/** The requests of `call` and the queries: method, path, query, body, and the headers that matter. */
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { ProblemFormInput } from '#contract/problems'
import { questionThread } from '#contract/questions'
import * as admin from '../../web/features/admin/api.ts'
import { auditEntriesQuery } from '../../web/features/audit/api.ts'
import * as copycat from '../../web/features/copycat/api.ts'
import * as courses from '../../web/features/courses/api.ts'
import { giveLabels, saveLabels } from '../../web/features/courses/label-calls.ts'
import * as home from '../../web/features/home/api.ts'
import { homeworksQuery } from '../../web/lib/queries/course-homeworks.ts'
import { runningHomeworksQuery } from '../../web/lib/queries/homeworks.ts'
import * as homeworks from '../../web/features/homeworks/api.ts'
import { homeworkQuery } from '../../web/lib/queries/homework-dates.ts'
import * as problems from '../../web/features/problems/api.ts'
import * as profile from '../../web/features/profile/api.ts'
import * as rejudges from '../../web/lib/queries/rejudges.ts'
import * as submissions from '../../web/features/submissions/api.ts'
import * as oneSubmission from '../../web/lib/queries/submissions.ts'
import * as submit from '../../web/features/submit/api.ts'
import * as users from '../../web/features/users/api.ts'
import { addRequestFile } from '../../web/components/questions/request-file.ts'
import { call } from '../../web/lib/api/call.ts'
import * as announced from '../../web/lib/queries/announcements.ts'
import { courseQuery } from '../../web/lib/queries/course.ts'
import { coursesQuery } from '../../web/lib/queries/courses.ts'
import { lateDaysQuery } from '../../web/lib/queries/late-days.ts'
import { operationQuery } from '../../web/lib/queries/operations.ts'
import {
  courseProblemsQuery,
  problemListQuery,
  problemQuery,
} from '../../web/lib/queries/problems.ts'
import * as questions from '../../web/lib/queries/questions.ts'
import { getRun, startRun } from '../../web/lib/queries/sample-runs.ts'
import { searchQuery } from '../../web/lib/queries/search.ts'
import { setupQuery } from '../../web/lib/queries/setup.ts'
import { sessionQuery, signIn, signOut } from '../../web/lib/session/session.ts'
import { readWith, serveApi } from './fixtures/api-server.ts'

const api = serveApi()

// The set-up call sends the address of its page.
beforeAll(() => void vi.stubGlobal('window', { location: { origin: 'https://judge.test' } }))
afterAll(() => vi.unstubAllGlobals())

const COURSE = 'A B'
const ID = '0123456789abcdef01234567'
const ETAG = '"7"'

interface Sent {
  body?: unknown
  /** The version that the edit is based on. */
  ifMatch?: string
  /** The key that makes a repetition harmless. */
  key?: string
}

type Row = [call: string, make: () => Promise<unknown>, sent?: Sent]

const homework = {
  name: 'Loops',
  markdown: 'Read.',
  start: 1,
  end: 2,
  problemIds: [3, 1],
  scoreboardStatus: 0 as const,
  scoreboardNames: true,
}
const form = { problemName: 'Sum', revealTests: true } as ProblemFormInput
const signup = {
  newUsers: 'csv',
  course: COURSE,
  force: true,
  uppercase: false,
  mailLinks: true,
  dryRun: false,
}
const login = { username: 'ann', password: 'secret', sharedComputer: true }

const OF_COURSES: Row[] = [
  ['GET /course', () => readWith(coursesQuery)],
  ['GET /course?deleted=true', () => readWith(courses.deletedCoursesQuery)],
  ['GET /course/A%20B', () => readWith(courseQuery(COURSE))],
  ['GET /course/A%20B/people?search=an', () => readWith(courses.peopleQuery(COURSE, 'an'))],
  ['POST /auth/batch-signup', () => courses.signUpMany(signup), { body: signup }],
  ['GET /ann?after=x', () => readWith(announced.systemAnnouncementsQuery, 'x')],
  ['GET /course/A%20B/ann', () => readWith(announced.courseAnnouncementsQuery(COURSE))],
  [
    'GET /course/A%20B/ann?after=x',
    () => readWith(announced.courseAnnouncementsQuery(COURSE), 'x'),
  ],
  [`GET /ann/${ID}`, () => readWith(announced.announcementQuery(null, ID))],
  [`GET /ann/A%20B/${ID}`, () => readWith(announced.announcementQuery(COURSE, ID))],
  ['GET /search?text=%2310+sums', () => readWith(searchQuery('#10 sums'))],
  ['GET /course/A%20B/homework?progress=own', () => readWith(homeworksQuery(COURSE))],
  [`GET /homework/${ID}`, () => readWith(homeworkQuery(ID))],
  [`GET /homework/${ID}/scoreboard`, () => readWith(homeworks.boardQuery(ID))],
  [
    'GET /course/A%20B/scoreboard?pids=3%2C1&start=0&end=9',
    () => readWith(homeworks.scoreboardQuery(COURSE, [3, 1], { start: 0, end: 9 })),
  ],
  [
    'GET /course/A%20B/scoreboard?pids=3&end=9',
    () => readWith(homeworks.scoreboardQuery(COURSE, [3], { start: null, end: 9 })),
  ],
]

const OF_PROBLEMS: Row[] = [
  ['GET /problem/7', () => readWith(problemQuery(7))],
  ['GET /problem?course=A+B&limit=200', () => readWith(courseProblemsQuery(COURSE))],
  [
    'GET /problem?course=A+B&name=sum&tags=a%2Cb&cursor=x',
    () => readWith(problemListQuery(COURSE, { name: 'sum', tags: 'a,b' }), 'x'),
  ],
  ['GET /problem/manage/7', () => readWith(problems.managedProblemQuery(7))],
  ['GET /problem/7/stats', () => readWith(problems.problemStatsQuery(7))],
  [
    'PUT /problem/manage/7',
    () => problems.saveProblem(7, form, ETAG),
    { body: form, ifMatch: ETAG },
  ],
  [
    'POST /problem/7/file',
    () => problems.addFile(7, new File(['bytes'], 'tree.png', { type: 'image/png' })),
    { body: expect.stringMatching(/name="file"; filename="tree\.png"[^]*bytes/) },
  ],
  [`DELETE /problem/7/file/${ID}`, () => problems.deleteFile(7, ID)],
  ['GET /problem/7/rejudge', () => readWith(rejudges.problemRejudgeQuery(7))],
  [
    'POST /problem/7/rejudge',
    () => rejudges.startRejudge('/problem/7/rejudge', { apply: false }),
    { body: { apply: false } },
  ],
  [`GET /jobs/${ID}/changes?cursor=x`, () => readWith(rejudges.rejudgeChangesQuery(ID), 'x')],
  ['GET /copycat?course=A+B&problemId=7', () => readWith(copycat.copycatQuery(COURSE, 7))],
  ['GET /copycat/7/pair?left=l&right=r', () => readWith(copycat.pairQuery(7, 'l', 'r'))],
]

const filter = { problemId: '7', status: '-1', languageType: '2', username: 'ann', label: '4' }
const program = { problemId: 7, languageType: 2 as const, code: 'print(1)' }
const run = { languageType: 2 as const, code: 'print(1)', inputs: ['1'], samples: true }

const OF_SUBMISSIONS: Row[] = [
  [`GET /submission/${ID}`, () => readWith(oneSubmission.submissionQuery(ID))],
  [
    'GET /submission?course=A+B&problemId=7&status=-1&languageType=2&username=ann&label=4&cursor=x',
    () => readWith(submissions.submissionsQuery(COURSE, filter), 'x'),
  ],
  [`GET /submission/${ID}/output/2/5`, () => readWith(oneSubmission.outputQuery(ID, 'j', 2, 5))],
  [
    'POST /submission',
    () => submit.submitCode(program, 'key', new AbortController().signal),
    { body: program, key: 'key' },
  ],
  ['GET /languages', () => readWith(submit.languagesQuery)],
  ['POST /problem/7/run', () => startRun(7, run), { body: run }],
  [`GET /run/${ID}`, () => getRun(ID)],
  [`GET /jobs/${ID}`, () => readWith(operationQuery(ID))],
  ['GET /homework', () => readWith(runningHomeworksQuery)],
  ['GET /submission?username=ann&limit=5', () => readWith(home.newestSubmissionsQuery('ann'))],
  [
    'GET /course/A%20B/questions?state=answered&problemId=7&cursor=x',
    () => readWith(questions.questionsQuery(COURSE, { state: 'answered', problemId: '7' }), 'x'),
  ],
  [`GET /submission/${ID}/questions`, () => readWith(questions.submissionQuestionsQuery(ID))],
  [`GET /question/${ID}`, () => readWith(questions.questionQuery(ID))],
  [
    `POST /question/${ID}/file`,
    () => addRequestFile(ID, new File(['bytes'], 'note.pdf')),
    { body: expect.stringMatching(/name="file"; filename="note\.pdf"[^]*bytes/) },
  ],
  ['GET /course/A%20B/late-days', () => readWith(lateDaysQuery(COURSE))],
  ['GET /saved-replies', () => readWith(questions.savedRepliesQuery)],
]

const OF_PEOPLE: Row[] = [
  ['GET /auth/me', () => readWith(sessionQuery)],
  ['POST /auth/session', () => signIn(login), { body: login }],
  ['DELETE /auth/session', () => signOut()],
  ['GET /profile/ann', () => readWith(profile.profileQuery('ann'))],
  ['GET /auth/sessions', () => readWith(profile.sessionsQuery)],
  ['GET /auth/tokens', () => readWith(profile.tokensQuery)],
  [
    'GET /user?search=an&role=1&cursor=x',
    () => readWith(users.usersQuery({ search: 'an', role: '1' }), 'x'),
  ],
]

const labels = [{ id: null, name: 'Lab A', shown: true }]
const members = [{ username: 'ann', labels: [3] }]

const OF_LABELS: Row[] = [
  [
    'PUT /course/A%20B/labels',
    () => saveLabels(COURSE, labels, ETAG),
    { body: { labels }, ifMatch: ETAG },
  ],
  [
    'PATCH /course/A%20B/labels/members',
    () => giveLabels(COURSE, members, ETAG),
    { body: { members }, ifMatch: ETAG },
  ],
]

const params = { id: ID }

const OF_THE_TABLE: Row[] = [
  [
    `PUT /homework/${ID}`,
    () => call('PUT /homework/:id', { params, body: homework, ifMatch: ETAG }),
    { body: homework, ifMatch: ETAG },
  ],
  [
    'PATCH /course/A%20B/members',
    () =>
      call('PATCH /course/:name/members', {
        params: { name: COURSE },
        body: { remove: ['bob'] },
        ifMatch: null,
      }),
    { body: { remove: ['bob'] } },
  ],
  [
    `POST /question/${ID}/messages`,
    () => call('POST /question/:id/messages', { params, body: { markdown: 'Why?' }, key: 'key' }),
    { body: { markdown: 'Why?' }, key: 'key' },
  ],
  [
    `DELETE /problem/7/file/${ID}`,
    () => call('DELETE /problem/:id/file/:fileId', { params: { id: 7, fileId: ID } }),
  ],
  [
    'GET /submission?limit=5&username=ann',
    () =>
      call('GET /submission', { query: { limit: 5, username: 'ann', course: '', cursor: null } }),
  ],
  ['POST /setup/mail', () => call('POST /setup/mail')],
]

const OF_ADMINS: Row[] = [
  [
    'GET /audit?actor=ann&action=course.edit&cursor=x',
    () => readWith(auditEntriesQuery({ actor: 'ann', action: 'course.edit' }), 'x'),
  ],
  ['GET /user/summary', () => readWith(admin.userSummaryQuery)],
  ['GET /course/summary', () => readWith(admin.courseSummaryQuery)],
  ['GET /runners', () => readWith(admin.runnersQuery)],
  ['GET /runners/queue', () => readWith(admin.queueQuery)],
  ['GET /storage', () => readWith(admin.storageQuery)],
  ['GET /setup?page=https%3A%2F%2Fjudge.test', () => readWith(setupQuery)],
  ['GET /alarms', () => readWith(admin.alarmsQuery)],
]

test.each([
  ...OF_THE_TABLE,
  ...OF_COURSES,
  ...OF_LABELS,
  ...OF_PROBLEMS,
  ...OF_SUBMISSIONS,
  ...OF_PEOPLE,
  ...OF_ADMINS,
])('%s', async (call, make, { body, ifMatch, key } = {}) => {
  // The call finds nothing; the test checks the request.
  await make().catch(() => undefined)
  const sent = api.noted.map(({ call, body, headers }) => ({
    call,
    body,
    ifMatch: headers['if-match'],
    key: headers['idempotency-key'],
  }))
  expect(sent).toEqual([{ call, body, ifMatch, key }])
})

test('whoever saves all the same names no version', async () => {
  await call('POST /profile', { body: { bio: '' }, ifMatch: null }).catch(() => undefined)
  expect(api.noted[0]?.headers).not.toHaveProperty('if-match')
})

test('the compiler refuses what is not in the table: route, parameter, query, body, answer', () => {
  const made = [
    // @ts-expect-error the table has no such call
    () => call('GET /nothing'),
    // @ts-expect-error its path needs the id of a homework
    () => call('GET /homework/:id'),
    // @ts-expect-error its parameter has another name
    () => call('GET /homework/:id', { params: { name: ID } }),
    // @ts-expect-error its query has no such parameter
    () => call('GET /submission', { query: { person: 'ann' } }),
    // @ts-expect-error a list of problems needs a course
    () => call('GET /problem'),
    // @ts-expect-error a homework has no title field
    () => call('PUT /homework/:id', { params, body: { title: 'Loops' }, ifMatch: ETAG }),
    // @ts-expect-error an edit names its version, or says that it overwrites
    () => call('PUT /homework/:id', { params, body: homework }),
    // @ts-expect-error a submission needs a key, so that a repetition is harmless
    () => call('POST /submission', { body: program }),
    // @ts-expect-error this call answers a homework, not a question
    () => call('GET /homework/:id', { params, as: questionThread }),
  ]
  expect(made).toHaveLength(9)
})

test('a guest who asks who they are is no error', async () => {
  await readWith(sessionQuery).catch(() => undefined)
  expect(api.noted[0]?.headers).toMatchObject({ prefer: 'handling=lenient' })
})

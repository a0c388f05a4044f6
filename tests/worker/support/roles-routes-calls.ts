/** How each call of the roles × routes table is made without fault, and the schema of its JSON body. */
import type * as z from 'zod'
import { announcementEdit, announcementRef, newAnnouncement } from '#contract/announcements'
import {
  activateBody,
  askEmailBody,
  batchSignupBody,
  changePasswordBody,
  checkEmailBody,
  checkUsernameBody,
  confirmEmailBody,
  confirmPasswordBody,
  loginBody,
  moveEmailBody,
  recoveryBody,
  resetBody,
} from '#contract/auth'
import { copycatRef, copycatStart } from '#contract/copycat'
import { courseEdit, courseMembers, courseRef, memberChanges, newCourse } from '#contract/courses'
import { homeworkForm, newHomework } from '#contract/homeworks'
import {
  claimRequest,
  heartbeat,
  jobRelease,
  progressReport,
  resultReport,
  runnerRegistration,
} from '#contract/judging'
import {
  newProblem,
  problemCopy,
  problemForm,
  uploadCompletion,
  uploadStart,
} from '#contract/problems'
import { bulkRejudge, newRunner, requeue, runnerEdit } from '#contract/runners'
import { storageConfirmation } from '#contract/storage'
import { newSubmission } from '#contract/submissions'
import { newToken } from '#contract/tokens'
import { newUser, profileChange, userChange } from '#contract/users'
import { nowSeconds } from '../../../worker/lib/clock.ts'
import { reportOf } from './judge.ts'
import { moveLinkOf, type Fixture } from './roles-routes-fixture.ts'
import {
  call,
  FITTING_ENTRIES,
  PASSWORD,
  problemForm as validProblem,
  uniqueName,
  type CallOptions,
  type Person,
} from './world.ts'
import { zipOf } from './zip.ts'

/** A call ready to be made; whose it is comes from the role. */
export type Made = { path: string } & Pick<CallOptions, 'json' | 'body' | 'headers'>

/** A route's call against a fixture. `caller` is null for guests and runners. */
export interface RouteCall {
  make: (fixture: Fixture, caller: Person | null) => Made | Promise<Made>
  /** What the route parses its JSON body with. */
  schema?: z.ZodType
}

const NEW_PASSWORD = 'correct horse battery'

function formOf(field: string, content: string, name: string): FormData {
  const form = new FormData()
  form.set(field, new File([content], name))
  return form
}

/** An upload that the teacher has begun. */
async function begunUpload({ ids, people }: Fixture) {
  const zip = await zipOf(FITTING_ENTRIES)
  const started = await call('POST', `/problem/${ids.problem}/initiate-test-case-upload`, {
    as: people.teacher,
    json: { length: zip.byteLength },
  })
  const { uploadId } = started.data
  return { zip, uploadId, part: `/problem/${ids.problem}/test-case-upload/${uploadId}/1` }
}

/** An upload of which the teacher has sent all parts. */
async function sentUpload(fixture: Fixture) {
  const { zip, uploadId, part } = await begunUpload(fixture)
  const sent = await call('PUT', part, {
    as: fixture.people.teacher,
    body: zip,
    headers: { 'Content-Length': String(zip.byteLength) },
  })
  return { uploadId, parts: [sent.data] }
}

function homeworkOf({ mark, ids }: Fixture) {
  const start = nowSeconds()
  return {
    name: uniqueName(`Work ${mark} `),
    markdown: '',
    start,
    end: start + 100,
    problemIds: [ids.problem],
    scoreboardStatus: 0,
  }
}

const host = { hostname: 'h', kernel: 'k', cpu: 'c', cores: 2, memoryKb: 1, cgroup: 'v2' }

/** `METHOD /path` → call, in the order of the table. */
export const CALLS: Readonly<Record<string, RouteCall>> = {
  'GET /health': { make: () => ({ path: '/health' }) },
  'GET /openapi.json': { make: () => ({ path: '/openapi.json' }) },
  'GET /docs': { make: () => ({ path: '/docs' }) },

  'GET /auth/me': { make: () => ({ path: '/auth/me' }) },
  'POST /auth/session': {
    make: ({ people }) => ({
      path: '/auth/session',
      json: { username: people.spare.username, password: PASSWORD },
    }),
    schema: loginBody,
  },
  'GET /auth/session': { make: () => ({ path: '/auth/session' }) },
  'DELETE /auth/session': { make: () => ({ path: '/auth/session' }) },
  'GET /auth/sessions': { make: () => ({ path: '/auth/sessions' }) },
  'DELETE /auth/sessions/:id': {
    make: ({ ids, people }, caller) => ({
      path: `/auth/sessions/${ids.sessions.get((caller ?? people.spare).id)}`,
    }),
  },
  'POST /auth/activate': {
    make: ({ links }) => ({ path: '/auth/activate', json: { token: links.activate } }),
    schema: activateBody,
  },
  'POST /auth/change-password': {
    make: () => ({
      path: '/auth/change-password',
      json: { oldPassword: PASSWORD, newPassword: NEW_PASSWORD },
    }),
    schema: changePasswordBody,
  },
  'POST /auth/confirm-password': {
    make: () => ({ path: '/auth/confirm-password', json: { password: PASSWORD } }),
    schema: confirmPasswordBody,
  },
  'POST /auth/check/username': {
    make: () => ({ path: '/auth/check/username', json: { username: 'nobody' } }),
    schema: checkUsernameBody,
  },
  'POST /auth/check/email': {
    make: () => ({ path: '/auth/check/email', json: { email: 'nobody@example.test' } }),
    schema: checkEmailBody,
  },
  'POST /auth/password-recovery': {
    make: ({ people: { spare } }) => ({
      path: '/auth/password-recovery',
      json: { email: `${spare.username}@${spare.username}.test` },
    }),
    schema: recoveryBody,
  },
  'POST /auth/password-reset': {
    make: ({ links }) => ({
      path: '/auth/password-reset',
      json: { token: links.reset, newPassword: NEW_PASSWORD },
    }),
    schema: resetBody,
  },
  'POST /auth/email': {
    make: () => ({ path: '/auth/email', json: { email: `${uniqueName('wanted')}@example.test` } }),
    schema: askEmailBody,
  },
  'POST /auth/email/confirm': {
    make: ({ links }) => ({
      path: '/auth/email/confirm',
      json: { token: links.confirm, newPassword: NEW_PASSWORD },
    }),
    schema: confirmEmailBody,
  },
  'POST /auth/email/move': {
    make: async ({ people }, caller) => ({
      path: '/auth/email/move',
      json: { token: await moveLinkOf(caller ?? people.spare) },
    }),
    schema: moveEmailBody,
  },
  'POST /auth/batch-signup': {
    make: ({ course, people }) => ({
      path: '/auth/batch-signup',
      json: {
        newUsers: `username,password,email\n${people.spare.username},,`,
        course,
        dryRun: true,
      },
    }),
    schema: batchSignupBody,
  },
  'GET /auth/batch-signup/:jobId': {
    make: ({ ids }) => ({ path: `/auth/batch-signup/${ids.signup}` }),
  },
  'GET /auth/me/export': { make: () => ({ path: '/auth/me/export' }) },
  'GET /auth/tokens': { make: () => ({ path: '/auth/tokens' }) },
  'POST /auth/tokens': {
    make: () => ({ path: '/auth/tokens', json: { name: 'script', scopes: ['read'] } }),
    schema: newToken,
  },
  'DELETE /auth/tokens/:id': {
    make: ({ ids, people }, caller) => ({
      path: `/auth/tokens/${ids.tokens.get((caller ?? people.spare).id)}`,
    }),
  },

  'GET /user': { make: () => ({ path: '/user' }) },
  'POST /user': {
    make: () => {
      const username = uniqueName('newcomer')
      const json = { username, email: `${username}@example.test`, active: false }
      return { path: '/user', json }
    },
    schema: newUser,
  },
  'GET /user/summary': { make: () => ({ path: '/user/summary' }) },
  'PATCH /user/:username': {
    make: ({ people }) => ({
      path: `/user/${people.spare.username}`,
      json: { displayedName: 'Somebody' },
    }),
    schema: userChange,
  },
  'DELETE /user/:username': { make: ({ people }) => ({ path: `/user/${people.spare.username}` }) },
  'GET /profile/:username': {
    make: ({ people }) => ({ path: `/profile/${people.spare.username}` }),
  },
  'POST /profile': {
    make: () => ({ path: '/profile', json: { displayedName: 'New name', bio: '' } }),
    schema: profileChange,
  },

  'GET /course': { make: () => ({ path: '/course' }) },
  'POST /course': {
    make: ({ people }, caller) => {
      const teacher = caller?.username.startsWith('other') ? people.other : people.teacher
      return {
        path: '/course',
        json: { course: uniqueName('New course '), teacher: teacher.username },
      }
    },
    schema: newCourse,
  },
  'PUT /course': {
    make: ({ course }) => ({
      path: '/course',
      json: { course, newCourse: uniqueName('Renamed ') },
    }),
    schema: courseEdit,
  },
  'DELETE /course': {
    make: ({ course }) => ({ path: '/course', json: { course } }),
    schema: courseRef,
  },
  'GET /course/summary': { make: () => ({ path: '/course/summary' }) },
  'GET /course/:name': { make: ({ course }) => ({ path: `/course/${course}` }) },
  'PUT /course/:name': {
    make: ({ course, people }) => ({
      path: `/course/${course}`,
      json: { TAs: [people.ta.username], students: [people.student.username] },
    }),
    schema: courseMembers,
  },
  'POST /course/:name/restore': {
    make: ({ deletedCourse }) => ({ path: `/course/${deletedCourse}/restore` }),
  },
  'PATCH /course/:name/members': {
    make: ({ course, people }) => ({
      path: `/course/${course}/members`,
      json: { add: [{ user: people.spare.username, role: 'student' }], remove: [] },
    }),
    schema: memberChanges,
  },
  'GET /course/:name/scoreboard': {
    make: ({ course }) => ({ path: `/course/${course}/scoreboard` }),
  },

  'GET /course/:name/ann': { make: ({ course }) => ({ path: `/course/${course}/ann` }) },
  'GET /ann': { make: () => ({ path: '/ann' }) },
  'GET /ann/:annId': { make: ({ ids }) => ({ path: `/ann/${ids.systemAnn}` }) },
  'GET /ann/:name/:annId': { make: ({ course, ids }) => ({ path: `/ann/${course}/${ids.ann}` }) },
  'POST /ann': {
    make: ({ course }) => ({
      path: '/ann',
      json: { title: 'News', markdown: '', courseName: course, pinned: true },
    }),
    schema: newAnnouncement,
  },
  'PUT /ann': {
    make: ({ ids }) => ({
      path: '/ann',
      json: { annId: ids.ann, title: 'News', markdown: '', pinned: true },
    }),
    schema: announcementEdit,
  },
  'DELETE /ann': {
    make: ({ ids }) => ({ path: '/ann', json: { annId: ids.ann } }),
    schema: announcementRef,
  },

  'GET /course/:name/homework': { make: ({ course }) => ({ path: `/course/${course}/homework` }) },
  'GET /homework': { make: () => ({ path: '/homework' }) },
  'POST /homework': {
    make: (fixture) => ({
      path: '/homework',
      json: { ...homeworkOf(fixture), courseName: fixture.course },
    }),
    schema: newHomework,
  },
  'GET /homework/:id': { make: ({ ids }) => ({ path: `/homework/${ids.homework}` }) },
  'PUT /homework/:id': {
    make: (fixture) => ({ path: `/homework/${fixture.ids.homework}`, json: homeworkOf(fixture) }),
    schema: homeworkForm,
  },
  'DELETE /homework/:id': { make: ({ ids }) => ({ path: `/homework/${ids.homework}` }) },
  'POST /homework/:id/rejudge': {
    make: ({ ids }) => ({ path: `/homework/${ids.homework}/rejudge`, json: { status: [0] } }),
    schema: bulkRejudge,
  },

  'GET /problem': { make: ({ course }) => ({ path: `/problem?course=${course}` }) },
  'GET /problem/:id': { make: ({ ids }) => ({ path: `/problem/${ids.problem}` }) },
  'GET /problem/:id/stats': { make: ({ ids }) => ({ path: `/problem/${ids.problem}/stats` }) },
  'POST /problem/manage': {
    make: ({ course }) => ({ path: '/problem/manage', json: { course, ...validProblem() } }),
    schema: newProblem,
  },
  'GET /problem/manage/:id': { make: ({ ids }) => ({ path: `/problem/manage/${ids.problem}` }) },
  'PUT /problem/manage/:id': {
    make: ({ ids }) => ({ path: `/problem/manage/${ids.problem}`, json: validProblem() }),
    schema: problemForm,
  },
  'DELETE /problem/manage/:id': { make: ({ ids }) => ({ path: `/problem/manage/${ids.problem}` }) },
  'POST /problem/:id/copy': {
    make: ({ ids, course }) => ({ path: `/problem/${ids.problem}/copy`, json: { course } }),
    schema: problemCopy,
  },
  'POST /problem/:id/initiate-test-case-upload': {
    make: ({ ids }) => ({
      path: `/problem/${ids.problem}/initiate-test-case-upload`,
      json: { length: 1_000, partSize: 5_242_880 },
    }),
    schema: uploadStart,
  },
  'PUT /problem/:id/test-case-upload/:uploadId/:part': {
    make: async (fixture) => {
      const { zip, part } = await begunUpload(fixture)
      return { path: part, body: zip, headers: { 'Content-Length': String(zip.byteLength) } }
    },
  },
  'POST /problem/:id/complete-test-case-upload': {
    make: async (fixture) => ({
      path: `/problem/${fixture.ids.problem}/complete-test-case-upload`,
      json: await sentUpload(fixture),
    }),
    schema: uploadCompletion,
  },
  'DELETE /problem/:id/test-case-upload/:uploadId': {
    make: async (fixture) => {
      const { uploadId } = await begunUpload(fixture)
      return { path: `/problem/${fixture.ids.problem}/test-case-upload/${uploadId}` }
    },
  },
  'GET /problem/:id/testcase': {
    make: ({ ids }) => ({ path: `/problem/${ids.problem}/testcase` }),
  },
  'POST /problem/:id/rejudge': {
    make: ({ ids }) => ({ path: `/problem/${ids.problem}/rejudge`, json: { status: [0] } }),
    schema: bulkRejudge,
  },

  'GET /submission': { make: () => ({ path: '/submission' }) },
  'POST /submission': {
    make: ({ ids }) => ({
      path: '/submission',
      json: { problemId: ids.problem, languageType: 0, code: 'int main(){}' },
    }),
    schema: newSubmission,
  },
  'PUT /submission/:id': {
    make: ({ ids }) => ({
      path: `/submission/${ids.claimed}`,
      body: formOf('code', 'int main(){}', 'main.c'),
    }),
  },
  'GET /submission/:id': { make: ({ ids }) => ({ path: `/submission/${ids.done}` }) },
  'GET /submission/:id/output/:task/:case': {
    make: ({ ids }) => ({ path: `/submission/${ids.done}/output/0/0` }),
  },
  'GET /submission/:id/rejudge': {
    make: ({ ids }) => ({ path: `/submission/${ids.done}/rejudge` }),
  },
  'POST /submission/:id/rejudge': {
    make: ({ ids }) => ({ path: `/submission/${ids.done}/rejudge` }),
  },

  'GET /languages': { make: () => ({ path: '/languages' }) },
  'POST /copycat': {
    make: ({ course, ids }) => ({ path: '/copycat', json: { course, problemId: ids.problem } }),
    schema: copycatStart,
  },
  'GET /copycat': {
    make: ({ course, ids }) => ({ path: `/copycat?course=${course}&problemId=${ids.problem}` }),
  },
  'DELETE /copycat': {
    make: ({ course, ids }) => ({ path: '/copycat', json: { course, problemId: ids.problem } }),
    schema: copycatRef,
  },
  'GET /copycat/:id/pair': {
    make: ({ ids }) => ({
      path: `/copycat/${ids.problem}/pair?left=${ids.done}&right=${ids.waiting}`,
    }),
  },

  'GET /runners': { make: () => ({ path: '/runners' }) },
  'POST /runners': {
    make: () => ({ path: '/runners', json: { name: 'rack' } }),
    schema: newRunner,
  },
  'PATCH /runners/:id': {
    make: ({ ids }) => ({
      path: `/runners/${ids.lostRunner}`,
      json: { state: 'draining', name: 'x' },
    }),
    schema: runnerEdit,
  },
  'DELETE /runners/:id': { make: ({ ids }) => ({ path: `/runners/${ids.lostRunner}` }) },
  'GET /runners/queue': { make: () => ({ path: '/runners/queue' }) },
  'POST /runners/requeue': {
    make: ({ ids }) => ({ path: '/runners/requeue', json: { status: 6, problemId: ids.problem } }),
    schema: requeue,
  },

  'GET /storage': { make: () => ({ path: '/storage' }) },
  'POST /storage/confirm': {
    make: () => ({ path: '/storage/confirm', json: { state: 'mismatch' } }),
    schema: storageConfirmation,
  },

  'POST /runner/register': {
    make: () => ({
      path: '/runner/register',
      json: { name: 'host', slots: 1, version: '0.0.0', host },
    }),
    schema: runnerRegistration,
  },
  'POST /runner/heartbeat': {
    make: ({ ids }) => ({
      path: '/runner/heartbeat',
      json: { active: [ids.leasedJudgement], slots: 2, free: 1, load: 0.5, version: '1', host },
    }),
    schema: heartbeat,
  },
  'POST /runner/jobs/claim': {
    make: ({ ids }) => ({
      path: '/runner/jobs/claim',
      json: { delivering: [ids.leasedJudgement] },
    }),
    schema: claimRequest,
  },
  'POST /runner/jobs/:id/progress': {
    make: ({ ids, lease }) => ({
      path: `/runner/jobs/${ids.leasedJudgement}/progress`,
      json: { lease, phase: 'running', done: 1, total: 3 },
    }),
    schema: progressReport,
  },
  'PUT /runner/jobs/:id/result': {
    make: ({ ids, lease }) => ({
      path: `/runner/jobs/${ids.leasedJudgement}/result`,
      json: reportOf(lease),
    }),
    schema: resultReport,
  },
  'POST /runner/jobs/:id/release': {
    make: ({ ids, lease }) => ({
      path: `/runner/jobs/${ids.leasedJudgement}/release`,
      json: { lease, drained: true, reason: null },
    }),
    schema: jobRelease,
  },
  'GET /runner/test-data/:version': {
    make: ({ ids }) => ({ path: `/runner/test-data/${ids.version}` }),
  },

  'GET /audit': { make: () => ({ path: '/audit' }) },
  'GET /jobs/:jobId': { make: ({ ids }) => ({ path: `/jobs/${ids.operation}` }) },
}

/** What a role signs its calls with. */
export function signatureOf(fixture: Fixture, role: string): Pick<CallOptions, 'as' | 'token'> {
  if (role === 'guest') return {}
  if (role === 'runner') return { token: fixture.runnerToken }
  const person = Object.entries(fixture.people).find(([name]) => name === role)?.[1]
  if (!person) throw new Error(`nobody is ${role}`)
  return { as: person }
}

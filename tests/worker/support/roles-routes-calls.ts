/** How each call of the roles × routes table is made without fault. */
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

/** Something of a call about a fixture. `caller` is null for guests and runners. */
type Of<Part> = (fixture: Fixture, caller: Person | null) => Part

/** What a call is made of. */
interface Parts {
  /** Without it, the route's own. */
  path?: Of<string>
  json?: Of<unknown>
  /** Instead of both. */
  make?: Of<Promise<Made>>
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
  const started = await people.teacher.post(`/problem/${ids.problem}/initiate-test-case-upload`, {
    length: zip.byteLength,
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

/** `METHOD /path` → what its call is made of, in the order of the table. */
const PARTS: Readonly<Record<string, Parts>> = {
  'GET /health': {},
  'GET /openapi.json': {},
  'GET /docs': {},

  'GET /auth/me': {},
  'POST /auth/session': {
    json: ({ people }) => ({ username: people.spare.username, password: PASSWORD }),
  },
  'GET /auth/session': {},
  'DELETE /auth/session': {},
  'GET /auth/sessions': {},
  'DELETE /auth/sessions/:id': {
    path: ({ ids, people }, caller) =>
      `/auth/sessions/${ids.sessions.get((caller ?? people.spare).id)}`,
  },
  'POST /auth/activate': { json: ({ links }) => ({ token: links.activate }) },
  'POST /auth/change-password': {
    json: () => ({ oldPassword: PASSWORD, newPassword: NEW_PASSWORD }),
  },
  'POST /auth/confirm-password': { json: () => ({ password: PASSWORD }) },
  'POST /auth/check/username': { json: () => ({ username: 'nobody' }) },
  'POST /auth/check/email': { json: () => ({ email: 'nobody@example.test' }) },
  'POST /auth/password-recovery': {
    json: ({ people: { spare } }) => ({ email: `${spare.username}@${spare.username}.test` }),
  },
  'POST /auth/password-reset': {
    json: ({ links }) => ({ token: links.reset, newPassword: NEW_PASSWORD }),
  },
  'POST /auth/email': { json: () => ({ email: `${uniqueName('wanted')}@example.test` }) },
  'POST /auth/email/confirm': {
    json: ({ links }) => ({ token: links.confirm, newPassword: NEW_PASSWORD }),
  },
  'POST /auth/email/move': {
    json: async ({ people }, caller) => ({ token: await moveLinkOf(caller ?? people.spare) }),
  },
  'POST /auth/batch-signup': {
    json: ({ course, people }) => ({
      newUsers: `username,password,email\n${people.spare.username},,`,
      course,
      dryRun: true,
    }),
  },
  'GET /auth/batch-signup/:jobId': { path: ({ ids }) => `/auth/batch-signup/${ids.signup}` },
  'GET /auth/me/export': {},
  'GET /auth/tokens': {},
  'POST /auth/tokens': { json: () => ({ name: 'script', scopes: ['read'] }) },
  'DELETE /auth/tokens/:id': {
    path: ({ ids, people }, caller) =>
      `/auth/tokens/${ids.tokens.get((caller ?? people.spare).id)}`,
  },

  'GET /user': {},
  'POST /user': {
    json: () => {
      const username = uniqueName('newcomer')
      return { username, email: `${username}@example.test`, active: false }
    },
  },
  'GET /user/summary': {},
  'PATCH /user/:username': {
    path: ({ people }) => `/user/${people.spare.username}`,
    json: () => ({ displayedName: 'Somebody' }),
  },
  'DELETE /user/:username': { path: ({ people }) => `/user/${people.spare.username}` },
  'GET /profile/:username': { path: ({ people }) => `/profile/${people.spare.username}` },
  'POST /profile': { json: () => ({ displayedName: 'New name', bio: '' }) },

  'GET /course': {},
  'POST /course': {
    json: ({ people }, caller) => {
      const teacher = caller?.username.startsWith('other') ? people.other : people.teacher
      return { course: uniqueName('New course '), teacher: teacher.username }
    },
  },
  'PUT /course': { json: ({ course }) => ({ course, newCourse: uniqueName('Renamed ') }) },
  'DELETE /course': { json: ({ course }) => ({ course }) },
  'GET /course/summary': {},
  'GET /course/:name': { path: ({ course }) => `/course/${course}` },
  'PUT /course/:name': {
    path: ({ course }) => `/course/${course}`,
    json: ({ people }) => ({ TAs: [people.ta.username], students: [people.student.username] }),
  },
  'POST /course/:name/restore': { path: ({ deletedCourse }) => `/course/${deletedCourse}/restore` },
  'PATCH /course/:name/members': {
    path: ({ course }) => `/course/${course}/members`,
    json: ({ people }) => ({ add: [{ user: people.spare.username, role: 'student' }], remove: [] }),
  },
  'GET /course/:name/scoreboard': { path: ({ course }) => `/course/${course}/scoreboard` },

  'GET /course/:name/ann': { path: ({ course }) => `/course/${course}/ann` },
  'GET /ann': {},
  'GET /ann/:annId': { path: ({ ids }) => `/ann/${ids.systemAnn}` },
  'GET /ann/:name/:annId': { path: ({ course, ids }) => `/ann/${course}/${ids.ann}` },
  'POST /ann': {
    json: ({ course }) => ({ title: 'News', markdown: '', courseName: course, pinned: true }),
  },
  'PUT /ann': {
    json: ({ ids }) => ({ annId: ids.ann, title: 'News', markdown: '', pinned: true }),
  },
  'DELETE /ann': { json: ({ ids }) => ({ annId: ids.ann }) },

  'GET /course/:name/homework': { path: ({ course }) => `/course/${course}/homework` },
  'GET /homework': {},
  'POST /homework': { json: (fixture) => ({ ...homeworkOf(fixture), courseName: fixture.course }) },
  'GET /homework/:id': { path: ({ ids }) => `/homework/${ids.homework}` },
  'PUT /homework/:id': {
    path: (fixture) => `/homework/${fixture.ids.homework}`,
    json: (fixture) => homeworkOf(fixture),
  },
  'DELETE /homework/:id': { path: ({ ids }) => `/homework/${ids.homework}` },
  'POST /homework/:id/rejudge': {
    path: ({ ids }) => `/homework/${ids.homework}/rejudge`,
    json: () => ({ status: [0] }),
  },

  'GET /problem': { path: ({ course }) => `/problem?course=${course}` },
  'GET /problem/:id': { path: ({ ids }) => `/problem/${ids.problem}` },
  'GET /problem/:id/stats': { path: ({ ids }) => `/problem/${ids.problem}/stats` },
  'POST /problem/manage': { json: ({ course }) => ({ course, ...validProblem() }) },
  'GET /problem/manage/:id': { path: ({ ids }) => `/problem/manage/${ids.problem}` },
  'PUT /problem/manage/:id': {
    path: ({ ids }) => `/problem/manage/${ids.problem}`,
    json: () => validProblem(),
  },
  'DELETE /problem/manage/:id': { path: ({ ids }) => `/problem/manage/${ids.problem}` },
  'POST /problem/:id/copy': {
    path: ({ ids }) => `/problem/${ids.problem}/copy`,
    json: ({ course }) => ({ course }),
  },
  'POST /problem/:id/initiate-test-case-upload': {
    path: ({ ids }) => `/problem/${ids.problem}/initiate-test-case-upload`,
    json: () => ({ length: 1_000, partSize: 5_242_880 }),
  },
  'PUT /problem/:id/test-case-upload/:uploadId/:part': {
    make: async (fixture) => {
      const { zip, part } = await begunUpload(fixture)
      return { path: part, body: zip, headers: { 'Content-Length': String(zip.byteLength) } }
    },
  },
  'POST /problem/:id/complete-test-case-upload': {
    path: (fixture) => `/problem/${fixture.ids.problem}/complete-test-case-upload`,
    json: (fixture) => sentUpload(fixture),
  },
  'DELETE /problem/:id/test-case-upload/:uploadId': {
    make: async (fixture) => {
      const { uploadId } = await begunUpload(fixture)
      return { path: `/problem/${fixture.ids.problem}/test-case-upload/${uploadId}` }
    },
  },
  'GET /problem/:id/testcase': { path: ({ ids }) => `/problem/${ids.problem}/testcase` },
  'POST /problem/:id/rejudge': {
    path: ({ ids }) => `/problem/${ids.problem}/rejudge`,
    json: () => ({ status: [0] }),
  },

  'GET /submission': {},
  'POST /submission': {
    json: ({ ids }) => ({ problemId: ids.problem, languageType: 0, code: 'int main(){}' }),
  },
  'PUT /submission/:id': {
    make: async ({ ids }) => ({
      path: `/submission/${ids.claimed}`,
      body: formOf('code', 'int main(){}', 'main.c'),
    }),
  },
  'GET /submission/:id': { path: ({ ids }) => `/submission/${ids.done}` },
  'GET /submission/:id/output/:task/:case': {
    path: ({ ids }) => `/submission/${ids.done}/output/0/0`,
  },
  'GET /submission/:id/rejudge': { path: ({ ids }) => `/submission/${ids.done}/rejudge` },
  'POST /submission/:id/rejudge': { path: ({ ids }) => `/submission/${ids.done}/rejudge` },

  'GET /languages': {},
  'POST /copycat': { json: ({ course, ids }) => ({ course, problemId: ids.problem }) },
  'GET /copycat': {
    path: ({ course, ids }) => `/copycat?course=${course}&problemId=${ids.problem}`,
  },
  'DELETE /copycat': { json: ({ course, ids }) => ({ course, problemId: ids.problem }) },
  'GET /copycat/:id/pair': {
    path: ({ ids }) => `/copycat/${ids.problem}/pair?left=${ids.done}&right=${ids.waiting}`,
  },

  'GET /runners': {},
  'POST /runners': { json: () => ({ name: 'rack' }) },
  'PATCH /runners/:id': {
    path: ({ ids }) => `/runners/${ids.lostRunner}`,
    json: () => ({ state: 'draining', name: 'x' }),
  },
  'DELETE /runners/:id': { path: ({ ids }) => `/runners/${ids.lostRunner}` },
  'GET /runners/queue': {},
  'POST /runners/requeue': { json: ({ ids }) => ({ status: 6, problemId: ids.problem }) },

  'GET /storage': {},
  'POST /storage/confirm': { json: () => ({ state: 'mismatch' }) },

  'POST /runner/register': { json: () => ({ name: 'host', slots: 1, version: '0.0.0', host }) },
  'POST /runner/heartbeat': {
    json: ({ ids }) => ({
      active: [ids.leasedJudgement],
      slots: 2,
      free: 1,
      load: 0.5,
      version: '1',
      host,
    }),
  },
  'POST /runner/jobs/claim': { json: ({ ids }) => ({ delivering: [ids.leasedJudgement] }) },
  'POST /runner/jobs/:id/progress': {
    path: ({ ids }) => `/runner/jobs/${ids.leasedJudgement}/progress`,
    json: ({ lease }) => ({ lease, phase: 'running', done: 1, total: 3 }),
  },
  'PUT /runner/jobs/:id/result': {
    path: ({ ids }) => `/runner/jobs/${ids.leasedJudgement}/result`,
    json: ({ lease }) => reportOf(lease),
  },
  'POST /runner/jobs/:id/release': {
    path: ({ ids }) => `/runner/jobs/${ids.leasedJudgement}/release`,
    json: ({ lease }) => ({ lease, drained: true, reason: null }),
  },
  'GET /runner/test-data/:version': { path: ({ ids }) => `/runner/test-data/${ids.version}` },

  'GET /audit': {},
  'GET /jobs/:jobId': { path: ({ ids }) => `/jobs/${ids.operation}` },
}

/** Every route as `METHOD /path`, in the order of the table. */
export const ROUTES = Object.keys(PARTS)

/** The call of a route about what a fixture holds. */
export const makeCall = async (route: string, ...about: Parameters<Of<void>>): Promise<Made> => {
  const parts = PARTS[route]
  if (!parts) throw new Error(`no call for ${route}`)
  if (parts.make) return parts.make(...about)
  const path = parts.path?.(...about) ?? route.slice(route.indexOf('/'))
  return parts.json ? { path, json: await parts.json(...about) } : { path }
}

/** What a role signs its calls with. */
export function signatureOf(fixture: Fixture, role: string): Pick<CallOptions, 'as' | 'token'> {
  if (role === 'guest') return {}
  if (role === 'runner') return { token: fixture.runnerToken }
  const person = Object.entries(fixture.people).find(([name]) => name === role)?.[1]
  if (!person) throw new Error(`nobody is ${role}`)
  return { as: person }
}

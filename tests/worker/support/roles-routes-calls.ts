/** How to make each call of the roles × routes table without a fault. */
import type * as z from 'zod'
import type { Route, SchemaOf } from '#contract/calls'
import { nowSeconds } from '../../../worker/lib/clock.ts'
import { reportOf } from './judge.ts'
import { codeOf } from './roles-routes-rows.ts'
import { moveLinkOf, type Fixture } from './roles-routes-fixture.ts'
import { runSql } from './sql.ts'
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

/** A prepared call; the role adds the caller's signature. */
export type Made = { path: string } & Pick<CallOptions, 'json' | 'body' | 'headers'>

/** A part of a call, made from a fixture. `caller` is null for guests and runners. */
type Of<Part> = (fixture: Fixture, caller: Person | null) => Part

/** The parts of a call. */
interface Parts {
  /** By default the route's own path, with its parameter from `PARAMETERS`. */
  path?: Of<string>
  json?: Of<unknown>
  /** Replaces path and body. */
  make?: Of<Promise<Made>>
}

type Body<R extends Route> = z.input<SchemaOf<R, 'body'>>

/** The routes with a JSON body: each needs a sample, whose type comes from the table of calls. */
type WithBody = { [R in Route]: [SchemaOf<R, 'body'>] extends [never] ? never : R }[Route]

const NEW_PASSWORD = 'correct horse battery'

function formOf(field: string, content: string, name: string): FormData {
  const form = new FormData()
  form.set(field, new File([content], name))
  return form
}

async function begunUpload({ ids, people }: Fixture) {
  const zip = await zipOf(FITTING_ENTRIES)
  const started = await people.teacher.post(`/problem/${ids.problem}/initiate-test-case-upload`, {
    length: zip.byteLength,
  })
  const { uploadId } = started.data
  return { zip, uploadId, part: `/problem/${ids.problem}/test-case-upload/${uploadId}/1` }
}

/** An upload whose parts the teacher has all sent. */
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
    scoreboardStatus: 0 as const,
  }
}

const host = { hostname: 'h', kernel: 'k', cpu: 'c', cores: 2, memoryKb: 1, cgroup: 'v2' } as const

/** The first parameter of a path, by the path before it. */
const PARAMETERS: Readonly<Record<string, Of<string | number | undefined>>> = {
  '/auth/sessions/': ({ ids, people }, caller) => ids.sessions.get((caller ?? people.spare).id),
  '/auth/tokens/': ({ ids, people }, caller) => ids.tokens.get((caller ?? people.spare).id),
  '/user/': ({ people }) => people.spare.username,
  '/profile/': ({ people }) => people.spare.username,
  '/course/': ({ course }) => course,
  '/file/': ({ ids }) => ids.file,
  '/homework/': ({ ids }) => ids.homework,
  '/problem/': ({ ids }) => ids.problem,
  '/problem/manage/': ({ ids }) => ids.problem,
  '/submission/': ({ ids }) => ids.done,
  '/run/': ({ ids }) => ids.run,
  '/runners/': ({ ids }) => ids.lostRunner,
  '/runner/jobs/': ({ ids }) => ids.leasedJudgement,
  '/runner/test-data/': ({ ids }) => ids.version,
  '/jobs/': ({ ids }) => ids.operation,
  '/question/': ({ ids }) => ids.question,
}

/** `METHOD /path` → parts of its call that do not follow from the route. */
const PARTS: Readonly<Partial<Record<Route, Parts>>> & {
  [R in WithBody]: { json: Of<Body<R> | Promise<Body<R>>> }
} = {
  'GET /setup': { path: () => '/setup?page=https://judge.test' },
  'POST /auth/session': {
    json: ({ people }) => ({ username: people.spare.username, password: PASSWORD }),
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
  'POST /auth/tokens': { json: () => ({ name: 'script', scopes: ['read'] }) },

  'POST /user': {
    json: () => {
      const username = uniqueName('newcomer')
      return { username, email: `${username}@example.test`, active: false }
    },
  },
  'PATCH /user/:username': { json: () => ({ displayedName: 'Somebody' }) },
  'POST /profile': { json: () => ({ displayedName: 'New name', bio: '' }) },

  'GET /search': { path: () => '/search?text=Problem' },
  'GET /course/:name/people': { path: ({ course }) => `/course/${course}/people?search=spare` },
  'POST /course': {
    json: ({ people }, caller) => {
      const teacher = caller?.username.startsWith('other') ? people.other : people.teacher
      return { course: uniqueName('New course '), teacher: teacher.username }
    },
  },
  'PUT /course': { json: ({ course }) => ({ course, newCourse: uniqueName('Renamed ') }) },
  'DELETE /course': { json: ({ course }) => ({ course }) },
  'PUT /course/:name': {
    json: ({ people }) => ({ TAs: [people.ta.username], students: [people.student.username] }),
  },
  'POST /course/:name/restore': { path: ({ deletedCourse }) => `/course/${deletedCourse}/restore` },
  'PATCH /course/:name/members': {
    json: ({ people }) => ({ add: [{ user: people.spare.username, role: 'student' }], remove: [] }),
  },

  'POST /course/:name/copy': {
    json: (fixture) => ({
      course: uniqueName('Copy '),
      homeworks: [{ id: fixture.ids.homework, start: nowSeconds(), end: nowSeconds() + 100 }],
    }),
  },
  'PUT /course/:name/labels': {
    json: ({ ids, mark }) => ({ labels: [{ id: ids.label, name: `Lab ${mark}`, shown: true }] }),
  },
  'PATCH /course/:name/labels/members': {
    json: ({ ids, people }) => ({
      members: [{ username: people.second.username, labels: [ids.label] }],
    }),
  },
  'PUT /course/:name/late-days': { json: () => ({ budgets: [] }) },
  'PATCH /course/:name/gradebook': {
    json: ({ people, ids }) => ({
      edits: [{ username: people.student.username, columnId: ids.column, points: 7.5 }],
      reason: 'Said it all',
    }),
  },
  'PUT /course/:name/gradebook/columns': {
    json: ({ ids }) => ({
      groups: [],
      columns: [{ id: ids.column, name: 'Oral', max: 100, group: null, weight: null }],
      total: { outOf: null, decimals: 1, forAssistants: true },
    }),
  },
  'GET /course/:name/gradebook/:columnId/:username': {
    path: ({ course, ids, people }) =>
      `/course/${course}/gradebook/${ids.column}/${people.student.username}`,
  },
  'PUT /course/:name/gradebook/:columnId/shown': {
    path: ({ course, ids }) => `/course/${course}/gradebook/${ids.column}/shown`,
    json: () => ({ shown: 'yes' }),
  },
  'PUT /course/:name/gradebook/:columnId/held': {
    path: ({ course, ids }) => `/course/${course}/gradebook/${ids.column}/held`,
    json: ({ people }) => ({ usernames: [people.student.username], held: false }),
  },
  'POST /course/:name/gradebook/:columnId/questions': {
    path: ({ course, ids }) => `/course/${course}/gradebook/${ids.column}/questions`,
    json: () => ({ markdown: 'I said more.' }),
  },
  'POST /question/:id/regrade': {
    path: ({ ids }) => `/question/${ids.regrade}/regrade`,
    json: () => ({ points: 8, reason: 'Heard again' }),
  },
  'GET /course/:name/marks/:username': {
    path: ({ course, people }) => `/course/${course}/marks/${people.student.username}`,
  },
  'POST /course/:name/join-codes': { json: () => ({}) },
  'PATCH /course/:name/join-codes/:codeId': {
    path: ({ course, ids }) => `/course/${course}/join-codes/${ids.joinCode}`,
    json: () => ({ approval: true }),
  },
  'POST /course/:name/invitations': {
    json: () => ({ emails: [`${uniqueName('ta')}@example.test`] }),
  },
  'PATCH /course/:name/join-requests': {
    json: ({ people }) => ({ approve: [people.spare.username] }),
  },
  'PUT /course/:name/webhook': { json: () => ({ url: 'https://hooks.example.com/judge' }) },
  'POST /join/look': { json: ({ ids }) => ({ code: codeOf(ids.joinCode) }) },
  'POST /join': { json: ({ ids }) => ({ code: codeOf(ids.otherJoinCode) }) },
  'POST /join/account': {
    json: ({ ids }) => {
      const username = uniqueName('joiner')
      const email = `${username}@example.test`
      return { code: codeOf(ids.joinCode), username, email, password: NEW_PASSWORD }
    },
  },
  'PUT /notices/seen': { json: ({ ids }) => ({ noticeId: ids.notice }) },
  'PUT /notices/settings': { json: () => ({ kinds: {}, mutedCourses: [], mails: true }) },
  'POST /notices/unsubscribe': {
    path: ({ mark }) => `/notices/unsubscribe?token=key-${mark}`,
  },

  'GET /ann/:annId': { path: ({ ids }) => `/ann/${ids.systemAnn}` },
  'GET /ann/:name/:annId': { path: ({ course, ids }) => `/ann/${course}/${ids.ann}` },
  'POST /ann': {
    json: ({ course }) => ({ title: 'News', markdown: '', courseName: course, pinned: true }),
  },
  'PUT /ann': {
    json: ({ ids }) => ({ annId: ids.ann, title: 'News', markdown: '', pinned: true }),
  },
  'DELETE /ann': { json: ({ ids }) => ({ annId: ids.ann }) },

  'POST /homework': { json: (fixture) => ({ ...homeworkOf(fixture), courseName: fixture.course }) },
  'PUT /homework/:id': { json: (fixture) => homeworkOf(fixture) },
  'POST /homework/:id/copy': {
    json: ({ course, mark }) => ({
      courseName: course,
      name: uniqueName(`Copy ${mark} `),
      start: nowSeconds(),
      end: nowSeconds() + 100,
    }),
  },
  'PUT /homework/:id/late-days': { json: () => ({ days: 1 }) },
  'POST /homework/:id/requests': {
    json: () => ({ due: nowSeconds() + 60_000, markdown: 'I was ill.' }),
  },
  'PUT /homework/:id/overrides': {
    json: ({ people }) => ({
      overrides: [{ username: people.student.username, graceMinutes: 10, reason: 'ill' }],
    }),
  },
  'DELETE /homework/:id/overrides': {
    json: ({ people }) => ({ usernames: [people.second.username, null] }),
  },
  'POST /homework/:id/kept-marks/confirm': {
    json: ({ people }) => ({ usernames: [people.student.username] }),
  },
  'PUT /homework/:id/points': {
    json: ({ people, ids }) => ({
      username: people.student.username,
      problemId: ids.problem,
      points: 12.5,
      comment: 'by hand',
    }),
  },
  'GET /calendar': { path: ({ links }) => `/calendar?token=${links.calendar}` },
  'POST /homework/:id/rejudge': { json: () => ({ status: [0] }) },

  'GET /problem': { path: ({ course }) => `/problem?course=${course}` },
  'POST /problem/manage': { json: ({ course }) => ({ course, ...validProblem() }) },
  'PUT /problem/manage/:id': { json: () => validProblem() },
  'POST /problem/:id/copy': { json: ({ course }) => ({ course }) },
  'POST /problem/:id/file': {
    make: async ({ ids }) => ({
      path: `/problem/${ids.problem}/file`,
      body: formOf('file', '%PDF-1.7', 'statement.pdf'),
    }),
  },
  'DELETE /problem/:id/file/:fileId': {
    path: ({ ids }) => `/problem/${ids.problem}/file/${ids.file}`,
  },
  'POST /problem/:id/initiate-test-case-upload': {
    json: () => ({ length: 1_000, partSize: 5_242_880 }),
  },
  'PUT /problem/:id/test-case-upload/:uploadId/:part': {
    make: async (fixture) => {
      const { zip, part } = await begunUpload(fixture)
      return { path: part, body: zip, headers: { 'Content-Length': String(zip.byteLength) } }
    },
  },
  'POST /problem/:id/complete-test-case-upload': { json: (fixture) => sentUpload(fixture) },
  'DELETE /problem/:id/test-case-upload/:uploadId': {
    make: async (fixture) => {
      const { uploadId } = await begunUpload(fixture)
      return { path: `/problem/${fixture.ids.problem}/test-case-upload/${uploadId}` }
    },
  },
  'POST /problem/:id/run': {
    json: () => ({ languageType: 0, code: 'int main(){}', inputs: ['1'] }),
  },
  'POST /problem/:id/rejudge': { json: () => ({ status: [0] }) },

  'GET /live': {
    make: async () => ({
      path: '/live',
      headers: { Upgrade: 'websocket', Origin: 'https://judge.test' },
    }),
  },

  'POST /submission': {
    json: ({ ids }) => ({ problemId: ids.problem, languageType: 0, code: 'int main(){}' }),
  },
  'PUT /submission/:id': {
    make: async ({ ids }) => ({
      path: `/submission/${ids.claimed}`,
      body: formOf('code', 'int main(){}', 'main.c'),
    }),
  },
  'POST /submission/:id/cancel': { path: ({ ids }) => `/submission/${ids.waiting}/cancel` },
  'GET /submission/:id/output/:task/:case': {
    path: ({ ids }) => `/submission/${ids.done}/output/0/0`,
  },

  'GET /problem/:id/mistakes/:mistake': {
    path: ({ ids }) => `/problem/${ids.problem}/mistakes/${ids.mistake}`,
  },
  'PUT /problem/:id/mistakes/merged': {
    json: ({ ids }) => ({ mistakes: [ids.otherMistake], into: ids.mistake }),
  },
  'POST /problem/:id/mistakes/:mistake/questions': {
    path: ({ ids }) => `/problem/${ids.problem}/mistakes/${ids.mistake}/questions`,
    json: async ({ ids }) => {
      // People who have solved the problem get no comment.
      await runSql`update problem_results set status_counts = '[0,2,0,0,0,0,0,0]'
        where problem_id = ${ids.problem}`
      return { markdown: 'Look at the first line.' }
    },
  },
  'POST /problem/:id/hints': {
    json: () => ({ markdown: 'Think of an empty list.', failed: { task: 0, case: 0 } }),
  },
  'PUT /problem/:id/hints/:hintId': {
    path: ({ ids }) => `/problem/${ids.problem}/hints/${ids.hint}`,
    json: () => ({ markdown: 'Think of an empty list.' }),
  },
  'DELETE /problem/:id/hints/:hintId': {
    path: ({ ids }) => `/problem/${ids.problem}/hints/${ids.hint}`,
  },
  'PUT /submission/:id/hints/:hintId': {
    path: ({ ids }) => `/submission/${ids.failed}/hints/${ids.hint}`,
    json: () => ({ helped: true }),
  },

  'POST /problem/:id/questions': { json: () => ({ markdown: 'What is N?' }) },
  'POST /submission/:id/questions': { json: () => ({ markdown: 'Why not *x*?', line: 1 }) },
  'POST /question/:id/messages': { json: () => ({ markdown: 'Thank you' }) },
  'POST /question/:id/decision': {
    path: ({ ids }) => `/question/${ids.request}/decision`,
    json: () => ({ due: nowSeconds() + 60_000 }),
  },
  'POST /question/:id/file': {
    make: async ({ ids }) => ({
      path: `/question/${ids.request}/file`,
      body: formOf('file', '%PDF-1.7', 'note.pdf'),
    }),
  },
  'GET /question/:id/file': { path: ({ ids }) => `/question/${ids.request}/file` },
  'PATCH /question/:id': { json: () => ({ state: 'resolved' }) },
  'PUT /question/:id/read': { json: ({ ids }) => ({ messageId: ids.message }) },
  'PUT /saved-replies': { json: () => ({ replies: ['See the notes.'] }) },

  'POST /copycat': { json: ({ course, ids }) => ({ course, problemId: ids.problem }) },
  'GET /copycat': {
    path: ({ course, ids }) => `/copycat?course=${course}&problemId=${ids.problem}`,
  },
  'DELETE /copycat': { json: ({ course, ids }) => ({ course, problemId: ids.problem }) },
  'GET /copycat/:id/pair': {
    path: ({ ids }) => `/copycat/${ids.problem}/pair?left=${ids.done}&right=${ids.waiting}`,
  },

  'POST /runners': { json: () => ({ name: 'rack' }) },
  'PATCH /runners/:id': { json: () => ({ state: 'draining', name: 'x' }) },
  'POST /runners/requeue': { json: ({ ids }) => ({ status: 6, problemId: ids.problem }) },

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
  'GET /runner/live': {
    make: async () => ({ path: '/runner/live', headers: { Upgrade: 'websocket' } }),
  },
  'POST /runner/jobs/claim': { json: () => ({ ahead: true }) },
  'POST /runner/jobs/:id/progress': {
    json: ({ lease }) => ({ lease, phase: 'running', done: 1, total: 3 }),
  },
  'PUT /runner/jobs/:id/result': { json: ({ lease }) => reportOf(lease) },
  'POST /runner/jobs/:id/release': {
    json: ({ lease }) => ({ lease, drained: true, reason: null }),
  },
}

/** The path of a route that has at most one parameter. */
function pathOf(route: string, ...about: Parameters<Of<void>>): string {
  const path = route.slice(route.indexOf('/'))
  const [before = '', after, more] = path.split(/:\w+/)
  if (after === undefined) return path
  const value = PARAMETERS[before]?.(...about)
  if (value === undefined || more !== undefined) throw new Error(`no path for ${route}`)
  return `${before}${value}${after}`
}

/** The call of a route about the things of a fixture. */
export async function makeCall(route: Route, ...about: Parameters<Of<void>>): Promise<Made> {
  const parts: Parts = PARTS[route] ?? {}
  if (parts.make) return parts.make(...about)
  const path = parts.path?.(...about) ?? pathOf(route, ...about)
  return parts.json ? { path, json: await parts.json(...about) } : { path }
}

/** The session or token by which a role makes its calls. */
export function signatureOf(fixture: Fixture, role: string): Pick<CallOptions, 'as' | 'token'> {
  if (role === 'guest') return {}
  if (role === 'runner') return { token: fixture.runnerToken }
  const person = Object.entries(fixture.people).find(([name]) => name === role)?.[1]
  if (!person) throw new Error(`nobody is ${role}`)
  return { as: person }
}

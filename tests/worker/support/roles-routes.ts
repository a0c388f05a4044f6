/**
 * The roles × routes table: what every route answers to everyone, for a call without fault about a course
 * that has a teacher, a teaching assistant and a student. `roles-routes.long.test.ts` makes every one of these calls and
 * fails for a route that is missing here; `worker/README.md` shows the table.
 */

/**
 * Who calls. `outsider`: a student of no course; `other`: the teacher of another course; `runner`: a judge host's
 * token, for calls about a job that it holds.
 */
export const ROLES = [
  'guest',
  'outsider',
  'student',
  'ta',
  'teacher',
  'other',
  'admin',
  'runner',
] as const
export type Role = (typeof ROLES)[number]

/** A row: the status for each role, in the order of `ROLES`. */
type Row = readonly [number, number, number, number, number, number, number, number]

const anyone: Row = [200, 200, 200, 200, 200, 200, 200, 200]
const signedIn: Row = [401, 200, 200, 200, 200, 200, 200, 401]
const members: Row = [401, 404, 200, 200, 200, 404, 200, 401]
const staff: Row = [401, 404, 403, 200, 200, 404, 200, 401]
const teachers: Row = [401, 404, 403, 403, 200, 404, 200, 401]
const admins: Row = [401, 403, 403, 403, 403, 403, 200, 401]
/** Staff of any course, for calls about the whole installation. */
const anyStaff: Row = [401, 403, 403, 200, 200, 200, 200, 401]
const runners: Row = [401, 401, 401, 401, 401, 401, 401, 200]

/** The teacher's alone. */
const ownOperation: Row = [401, 404, 404, 404, 200, 404, 404, 401]

/** The same row with another status of success. */
function answering(status: number, row: Row): Row {
  const [a, b, c, d, e, f, g, h] = row.map((code) => (code === 200 ? status : code))
  return [a ?? 0, b ?? 0, c ?? 0, d ?? 0, e ?? 0, f ?? 0, g ?? 0, h ?? 0]
}

/** `METHOD /path` → row, in the order of the contract. */
export const ROLES_ROUTES: Readonly<Record<string, Row>> = {
  'GET /health': anyone,
  'GET /openapi.json': anyone,
  'GET /docs': anyone,

  'GET /auth/me': signedIn,
  'POST /auth/session': anyone,
  'GET /auth/session': anyone,
  'DELETE /auth/session': anyone,
  'GET /auth/sessions': signedIn,
  'DELETE /auth/sessions/:id': signedIn,
  'POST /auth/activate': anyone,
  'POST /auth/change-password': signedIn,
  'POST /auth/confirm-password': signedIn,
  'POST /auth/check/username': anyone,
  'POST /auth/check/email': anyone,
  'POST /auth/password-recovery': anyone,
  'POST /auth/password-reset': anyone,
  'POST /auth/email': signedIn,
  'POST /auth/email/confirm': anyone,
  'POST /auth/email/move': signedIn,
  'POST /auth/batch-signup': teachers,
  // Who sent it; here the teacher.
  'GET /auth/batch-signup/:jobId': ownOperation,
  'GET /auth/me/export': signedIn,
  'GET /auth/tokens': signedIn,
  'POST /auth/tokens': signedIn,
  'DELETE /auth/tokens/:id': signedIn,

  'GET /user': admins,
  'POST /user': admins,
  'GET /user/summary': admins,
  'PATCH /user/:username': admins,
  'DELETE /user/:username': admins,
  'GET /profile/:username': signedIn,
  'POST /profile': signedIn,

  'GET /course': signedIn,
  // A student creates none; a teacher only those they teach themselves.
  'POST /course': [401, 403, 403, 403, 200, 200, 200, 401],
  'PUT /course': teachers,
  'DELETE /course': teachers,
  'GET /course/summary': admins,
  'GET /course/:name': members,
  'PUT /course/:name': teachers,
  // A deleted course is there only for who may restore it.
  'POST /course/:name/restore': [401, 404, 404, 404, 200, 404, 200, 401],
  'PATCH /course/:name/members': teachers,
  'GET /course/:name/scoreboard': staff,

  'GET /course/:name/ann': members,
  'GET /ann': anyone,
  'GET /ann/:annId': anyone,
  'GET /ann/:name/:annId': members,
  'POST /ann': staff,
  'PUT /ann': staff,
  'DELETE /ann': staff,

  'GET /course/:name/homework': members,
  'GET /homework': signedIn,
  'POST /homework': staff,
  'GET /homework/:id': members,
  'PUT /homework/:id': staff,
  'DELETE /homework/:id': staff,
  'POST /homework/:id/rejudge': answering(202, staff),

  'GET /problem': members,
  'GET /problem/:id': members,
  'GET /problem/:id/stats': members,
  'POST /problem/manage': staff,
  'GET /problem/manage/:id': staff,
  'PUT /problem/manage/:id': staff,
  'DELETE /problem/manage/:id': staff,
  // Into the teacher's own course, where the assistant is one as well.
  'POST /problem/:id/copy': staff,
  'POST /problem/:id/initiate-test-case-upload': staff,
  'PUT /problem/:id/test-case-upload/:uploadId/:part': staff,
  'POST /problem/:id/complete-test-case-upload': answering(201, staff),
  'DELETE /problem/:id/test-case-upload/:uploadId': staff,
  // To students there are no test data, whether there are any or not.
  'GET /problem/:id/testcase': [401, 404, 404, 200, 200, 404, 200, 401],
  'POST /problem/:id/rejudge': answering(202, staff),

  // The list is the caller's own without a course.
  'GET /submission': signedIn,
  'POST /submission': members,
  // The code of a submission comes from who announced it.
  'PUT /submission/:id': [401, 404, 200, 404, 404, 404, 404, 401],
  // The submitter and staff; another student of the course is tested apart in authorisation.test.ts.
  'GET /submission/:id': members,
  'GET /submission/:id/output/:task/:case': members,
  'GET /submission/:id/rejudge': staff,
  'POST /submission/:id/rejudge': staff,

  'GET /languages': signedIn,

  'POST /copycat': answering(202, staff),
  'GET /copycat': staff,
  'DELETE /copycat': staff,
  'GET /copycat/:id/pair': staff,

  'GET /runners': admins,
  'POST /runners': admins,
  'PATCH /runners/:id': admins,
  'DELETE /runners/:id': admins,
  'GET /runners/queue': anyStaff,
  // Names a problem of the course; whose staff one must be.
  'GET /storage': admins,
  'POST /storage/confirm': admins,
  'POST /runners/requeue': [401, 403, 403, 202, 202, 404, 202, 401],

  // With the registration token, which nobody of these holds.
  'POST /runner/register': answering(401, anyone),
  'POST /runner/heartbeat': runners,
  'POST /runner/jobs/claim': runners,
  'POST /runner/jobs/:id/progress': runners,
  'PUT /runner/jobs/:id/result': runners,
  'POST /runner/jobs/:id/release': runners,
  'GET /runner/test-data/:version': runners,

  'GET /audit': admins,
  // The teacher started it; nobody else is told about it.
  'GET /jobs/:jobId': ownOperation,
}

/** The table in Markdown, padded as prettier would. */
export function rolesRoutesMarkdown(): string {
  const rows = Object.entries(ROLES_ROUTES).map(([route, row]) => [
    `\`${route}\``,
    ...row.map(String),
  ])
  const lines = [['route', ...ROLES], ...rows]
  const widths = ['route', ...ROLES].map((_, column) =>
    Math.max(3, ...lines.map((line) => line[column]?.length ?? 0)),
  )
  const toLine = (cells: readonly string[], fill = ' ') =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0, fill)).join(' | ')} |`
  const [head = [], ...body] = lines
  return [head, head.map(() => ''), ...body]
    .map((cells, index) => toLine(cells, index === 1 ? '-' : ' '))
    .join('\n')
}

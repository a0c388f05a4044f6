/**
 * The roles × routes table: each route's answer to each role, for a correct call about a course with a teacher,
 * a teaching assistant and a student. It follows from the callers that the table of calls names.
 * `roles-routes.long.test.ts` makes every one of these calls; `worker/README.md` shows the table.
 */
import type { Who } from '#contract/calls/call'
import { CALLS, type Route } from '#contract/calls'

/**
 * The callers. `outsider`: a student of no course; `other`: the teacher of another course; `runner`: a judge host's
 * token, for calls about a job that the host holds.
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

const signedIn: Row = [401, 200, 200, 200, 200, 200, 200, 401]
const members: Row = [401, 404, 200, 200, 200, 404, 200, 401]

/** The answer to each role; 200 stands for the call's status of success. */
const ROWS: Record<Who, Row> = {
  anyone: [200, 200, 200, 200, 200, 200, 200, 200],
  session: signedIn,
  owner: signedIn,
  member: members,
  // The submitter and staff; authorisation.long.test.ts tests another student of the course.
  submitter: members,
  staff: [401, 404, 403, 200, 200, 404, 200, 401],
  teacher: [401, 404, 403, 403, 200, 404, 200, 401],
  admin: [401, 403, 403, 403, 403, 403, 200, 401],
  anyStaff: [401, 403, 403, 200, 200, 200, 200, 401],
  runner: [401, 401, 401, 401, 401, 401, 401, 200],
  // Only the registration token works, which none of these roles holds.
  registration: [401, 401, 401, 401, 401, 401, 401, 401],
  // Only the metrics token works.
  metrics: [401, 401, 401, 401, 401, 401, 401, 401],
}

/** Calls with other answers, each with its reason. */
const EXCEPTIONS: Readonly<Partial<Record<Route, Row>>> = {
  // The operation is a rejudge of the course; only their starter sees other operations.
  'GET /jobs/:jobId': [401, 404, 403, 200, 200, 404, 200, 401],
  // The run is the student's own, and staff cannot read it either.
  'GET /run/:id': [401, 404, 200, 404, 404, 404, 404, 401],
  // Students cannot create courses; teachers can only create those that they teach themselves.
  'POST /course': [401, 403, 403, 403, 200, 200, 200, 401],
  // Only people who may restore a deleted course can see it.
  'POST /course/:name/restore': [401, 404, 404, 404, 200, 404, 200, 401],
  // Students get 404 whether or not there are test data.
  'GET /problem/:id/testcase': [401, 404, 404, 200, 200, 404, 200, 401],
  // Students ask for their own dates; staff have none of their own.
  'PUT /homework/:id/late-days': [401, 404, 200, 403, 403, 404, 403, 401],
  'POST /homework/:id/requests': [401, 404, 200, 403, 403, 404, 403, 401],
  // Staff have no marks of their own to ask about.
  'POST /course/:name/gradebook/:columnId/questions': [401, 404, 200, 403, 403, 404, 403, 401],
  'POST /question/:id/file': [401, 404, 200, 403, 403, 404, 403, 401],
  // The teacher of the course has no membership to end, and an admin none of their own.
  'POST /course/:name/leave': [401, 404, 200, 200, 403, 404, 403, 401],
  // The code leads to the other teacher's course.
  'POST /join': [401, 200, 200, 200, 200, 409, 200, 401],
  // Only the submitter answers whether a hint helped.
  'PUT /submission/:id/hints/:hintId': [401, 404, 200, 403, 403, 404, 403, 401],
  // Only the submitter may send the code.
  'PUT /submission/:id': [401, 404, 200, 404, 404, 404, 404, 401],
  // The body names a problem of the course, so the caller must be its staff.
  'POST /runners/requeue': [401, 403, 403, 200, 200, 404, 200, 401],
}

/** `METHOD /path` → the status for each role, in the order of `ROLES`. */
export const ROLES_ROUTES = Object.fromEntries<readonly number[]>(
  CALLS.map(({ route, who, status = 200 }) => [
    route,
    (EXCEPTIONS[route] ?? ROWS[who]).map((code) => (code === 200 ? status : code)),
  ]),
) as Record<Route, readonly number[]>

/** The table in Markdown, padded like prettier's tables. */
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

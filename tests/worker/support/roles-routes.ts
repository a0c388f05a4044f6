/**
 * The roles × routes table: what every route answers to everyone, for a call without fault about a course
 * that has a teacher, a teaching assistant and a student. It follows from who may make a call, as the table of calls says.
 * `roles-routes.long.test.ts` makes every one of these calls; `worker/README.md` shows the table.
 */
import type { Who } from '#contract/calls/call'
import { CALLS, type Route } from '#contract/calls'

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

const signedIn: Row = [401, 200, 200, 200, 200, 200, 200, 401]
const members: Row = [401, 404, 200, 200, 200, 404, 200, 401]

/** What a call answers to each role; 200 stands for its status of success. */
const ROWS: Record<Who, Row> = {
  anyone: [200, 200, 200, 200, 200, 200, 200, 200],
  session: signedIn,
  owner: signedIn,
  member: members,
  // The submitter and staff; another student of the course is tested apart in authorisation.long.test.ts.
  submitter: members,
  staff: [401, 404, 403, 200, 200, 404, 200, 401],
  teacher: [401, 404, 403, 403, 200, 404, 200, 401],
  admin: [401, 403, 403, 403, 403, 403, 200, 401],
  anyStaff: [401, 403, 403, 200, 200, 200, 200, 401],
  runner: [401, 401, 401, 401, 401, 401, 401, 200],
  // The registration token, which nobody of these holds.
  registration: [401, 401, 401, 401, 401, 401, 401, 401],
  // Likewise the metrics token.
  metrics: [401, 401, 401, 401, 401, 401, 401, 401],
}

/** The calls that answer otherwise, each with its reason. */
const EXCEPTIONS: Readonly<Partial<Record<Route, Row>>> = {
  // A rejudge of the course; other operations are for who started them.
  'GET /jobs/:jobId': [401, 404, 403, 200, 200, 404, 200, 401],
  // The student's own; staff do not read it either.
  'GET /run/:id': [401, 404, 200, 404, 404, 404, 404, 401],
  // A student creates none; a teacher only those they teach themselves.
  'POST /course': [401, 403, 403, 403, 200, 200, 200, 401],
  // A deleted course is there only for who may restore it.
  'POST /course/:name/restore': [401, 404, 404, 404, 200, 404, 200, 401],
  // To students there are no test data, whether there are any or not.
  'GET /problem/:id/testcase': [401, 404, 404, 200, 200, 404, 200, 401],
  // The code of a submission comes from who announced it.
  'PUT /submission/:id': [401, 404, 200, 404, 404, 404, 404, 401],
  // Names a problem of the course; whose staff one must be.
  'POST /runners/requeue': [401, 403, 403, 200, 200, 404, 200, 401],
}

/** `METHOD /path` → the status for each role, in the order of `ROLES`. */
export const ROLES_ROUTES = Object.fromEntries<readonly number[]>(
  CALLS.map(({ route, who, status = 200 }) => [
    route,
    (EXCEPTIONS[route] ?? ROWS[who]).map((code) => (code === 200 ? status : code)),
  ]),
) as Record<Route, readonly number[]>

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

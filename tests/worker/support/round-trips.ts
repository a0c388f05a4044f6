/** Which round trips to D1 count, and how many an answer may take. */
import type { Trip } from '../../../scripts/bench/worker/recording-d1.ts'

/** Round trips that an answer may take after the look-up of its caller. */
export const MOST_TRIPS = 2

/** Calls that may take more; uploads, CSV and exports work in parts or as streams. */
export const EXEMPT_FROM_TRIPS = new Set([
  // Account, limits and session; in between the Worker hashes a password, which takes longer than twenty trips.
  'POST /auth/session',
  // The course, the limits, and the account that joins; in between the Worker hashes the password.
  'POST /join/account',
  'POST /auth/batch-signup',
  // What decides about marks is read first; the Worker works out which ones fall, and writes them with the change.
  'PUT /homework/:id/overrides',
  'DELETE /homework/:id/overrides',
  'PUT /course/:name/labels',
  'PATCH /course/:name/labels/members',
  'PUT /homework/:id/late-days',
  // Marks of a few people are computed, so that the answer has them with their totals.
  'PATCH /course/:name/gradebook',
  'POST /question/:id/regrade',
  // The problem, everybody's last failing tries, and how those went that stand for the groups of this page.
  'GET /problem/:id/mistakes',
  // The course, the student, and the marks.
  'GET /course/:name/gradebook/:columnId/:username',
  'GET /course/:name/marks/:username',
  // The course, the column with what may be done to it, and the change.
  'PUT /course/:name/gradebook/:columnId/shown',
  'PUT /course/:name/gradebook/:columnId/held',
  // The problem, the hint as it is, the cases that it is about, whose texts the bucket has, and the hint.
  'POST /problem/:id/hints',
  'PUT /problem/:id/hints/:hintId',
  // The same change of dates, after a look at the request's homework.
  'POST /question/:id/decision',
  // Groups are made in the Worker, because a statement that makes them reads two rows a person; then it reads their examples.
  'GET /problem/:id/mistakes',
  // Everybody's attempts would not fit the memory, so they come in pieces: one or more for each homework that shares late days.
  'GET /course/:name/late-days',
  'GET /homework/:id/scoreboard',
  'GET /course/:name/archive',
  'GET /course/:name/gradebook/file',
  'GET /homework/:id/programs',
  'GET /auth/me/export',
  'POST /problem/:id/initiate-test-case-upload',
  'PUT /problem/:id/test-case-upload/:uploadId/:part',
  'POST /problem/:id/complete-test-case-upload',
  'DELETE /problem/:id/test-case-upload/:uploadId',
])

/** Whether a round trip is the look-up of a session, an API token or a runner. */
function isLookUp({ statements }: Trip): boolean {
  return /^select .*from "(sessions|api_tokens|runners)".*"token_hash" = \?/s.test(
    statements[0]?.sql ?? '',
  )
}

/** Trips after the answer, which keep no caller waiting: mails of the driver `log`, the people to get a hint, and those whose marks are stale. */
function isAfterAnswer({ statements }: Trip): boolean {
  return statements.some(({ sql }) =>
    /logged_mails|^select people\.id |^select tries\.|^select distinct "stale_marks"/.test(sql),
  )
}

/** The statements of each round trip that counts. */
export function countedTrips(trips: Trip[]): string[][] {
  const [first] = trips
  return (first && isLookUp(first) ? trips.slice(1) : trips)
    .filter((trip) => !isAfterAnswer(trip))
    .map(({ statements }) => statements.map(({ sql }) => sql))
}

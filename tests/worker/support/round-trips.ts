/** Which round trips to D1 count, and how many an answer may take. */
import type { Trip } from '../../../scripts/bench/worker/recording-d1.ts'

/** Round trips that an answer may take after the look-up of who is calling. */
export const MOST_TRIPS = 2

/** Uploads, CSV and exports stream or work in chunks; they may take longer. */
export const EXEMPT_FROM_TRIPS = new Set([
  // The account, its limits, the session; in between a password is hashed, which takes longer than twenty trips.
  'POST /auth/session',
  'POST /auth/batch-signup',
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

/** What follows the answer, so that nobody waits for it: mails of the driver `log`, and who is to hear of a change. */
function isAfterAnswer({ statements }: Trip): boolean {
  return statements.some(({ sql }) => /logged_mails|^select people\.id /.test(sql))
}

/** The statements of each round trip that counts. */
export function countedTrips(trips: Trip[]): string[][] {
  const [first] = trips
  return (first && isLookUp(first) ? trips.slice(1) : trips)
    .filter((trip) => !isAfterAnswer(trip))
    .map(({ statements }) => statements.map(({ sql }) => sql))
}

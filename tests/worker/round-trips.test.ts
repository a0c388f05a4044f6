/** Every answer costs at most two round trips to D1 after the look-up of who is calling. */
import { describe, expect, test } from 'vitest'
import { CALLS, signatureOf } from './roles-routes-calls.ts'
import { createPlace } from './roles-routes-place.ts'
import { ROLES, ROLES_ROUTES } from './roles-routes.ts'
import { recordCall, type Trip } from './round-trips-recorder.ts'

const MOST = 2

/** Uploads, CSV and exports stream or work in chunks; they may take longer. */
const EXEMPT = new Set([
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

/** The driver `log` writes mails into the database, after the answer; what sends real ones does not. */
function isNoMail({ statements }: Trip): boolean {
  return !statements.some(({ sql }) => sql.includes('logged_mails'))
}

describe('round trips to D1', () => {
  test.each(Object.entries(ROLES_ROUTES).filter(([route]) => !EXEMPT.has(route)))(
    `%s takes at most ${MOST} after the session look-up, whoever calls`,
    async (route, row) => {
      const [method = ''] = route.split(' ')
      for (const [index, role] of ROLES.entries()) {
        const place = await createPlace()
        const signature = signatureOf(place, role)
        const call = CALLS[route]
        if (!call) throw new Error(`no call for ${route}`)
        const { path, ...made } = await call.make(place, signature.as ?? null)
        const { status, trips } = await recordCall(method, path, { ...made, ...signature })
        expect(status, role).toBe(row[index])
        const [first] = trips
        const own = (first && isLookUp(first) ? trips.slice(1) : trips).filter(isNoMail)
        const sent = own.map(({ statements }) => statements.map(({ sql }) => sql))
        expect(sent.length, `${role}: ${JSON.stringify(sent, null, 2)}`).toBeLessThanOrEqual(MOST)
      }
    },
  )
})

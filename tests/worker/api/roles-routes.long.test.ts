/** The roles × routes table, compared with the router, with the API's answers and with their cost. */
import { describe, expect, test } from 'vitest'
import { ROUTES } from '#contract/calls'
import { app } from '../../../worker/app.ts'
import readme from '../../../worker/README.md?raw'
import { makeCall, signatureOf } from '../support/roles-routes-calls.ts'
import { createFixture } from '../support/roles-routes-fixture.ts'
import { ROLES, ROLES_ROUTES, rolesRoutesMarkdown } from '../support/roles-routes.ts'
import { countedTrips, EXEMPT_FROM_TRIPS, MOST_TRIPS } from '../support/round-trips.ts'
import { recordCall } from '../support/round-trips-recorder.ts'

/** Every route of the router as `METHOD /path`; middleware is mounted for all methods, and does not count. */
const routes = [
  ...new Set(
    app.routes
      .filter(({ method }) => method !== 'ALL')
      .map(({ method, path }) => `${method} ${path.replace(/^\/api/, '')}`),
  ),
]

describe('the roles × routes table', () => {
  test('has a row for every route of the router, and no other [AZ1]', () => {
    expect(Object.keys(ROLES_ROUTES).toSorted()).toEqual(routes.toSorted())
  })

  test('stands in the README (`node tests/worker/support/roles-routes-readme.ts` writes it)', () => {
    expect(readme).toContain(rolesRoutesMarkdown())
  })

  test.each(ROUTES)(
    `%s answers each role as it says, within ${MOST_TRIPS} round trips after the session look-up [AZ1]`,
    async (route) => {
      const row = ROLES_ROUTES[route]
      const [method = ''] = route.split(' ')
      const found: Record<string, number> = {}
      for (const role of ROLES) {
        const fixture = await createFixture()
        const signature = signatureOf(fixture, role)
        const { path, ...options } = await makeCall(route, fixture, signature.as ?? null)
        const { status, trips } = await recordCall(method, path, { ...options, ...signature })
        found[role] = status
        if (EXEMPT_FROM_TRIPS.has(route)) continue
        const sent = countedTrips(trips)
        const shown = `${role}: ${JSON.stringify(sent, null, 2)}`
        expect(sent.length, shown).toBeLessThanOrEqual(MOST_TRIPS)
      }
      expect(found).toEqual(Object.fromEntries(ROLES.map((role, index) => [role, row[index]])))
    },
  )
})

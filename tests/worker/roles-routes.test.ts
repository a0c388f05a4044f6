/** The roles × routes table against the router, and against what the API answers. */
import { describe, expect, test } from 'vitest'
import { app } from '../../worker/app.ts'
import readme from '../../worker/README.md?raw'
import { CALLS, signatureOf } from './roles-routes-calls.ts'
import { createPlace } from './roles-routes-place.ts'
import { ROLES, ROLES_ROUTES, rolesRoutesMarkdown } from './roles-routes.ts'
import { fetchApi } from './world.ts'

/** Every route of the router as `METHOD /path`; middleware are mounted for all methods and name none. */
const routes = [
  ...new Set(
    app.routes
      .filter(({ method }) => method !== 'ALL')
      .map(({ method, path }) => `${method} ${path.replace(/^\/api/, '')}`),
  ),
]

describe('AZ1 the roles × routes table', () => {
  test('has a row for every route of the router, and no other', () => {
    expect(Object.keys(ROLES_ROUTES).toSorted()).toEqual(routes.toSorted())
    expect(Object.keys(CALLS).toSorted()).toEqual(routes.toSorted())
  })

  test('stands in the README (`node tests/worker/roles-routes-readme.ts` writes it)', () => {
    expect(readme).toContain(rolesRoutesMarkdown())
  })

  test.each(Object.entries(ROLES_ROUTES))('%s answers each role as it says', async (route, row) => {
    const [method = ''] = route.split(' ')
    const found: number[] = []
    for (const role of ROLES) {
      const place = await createPlace()
      const signature = signatureOf(place, role)
      const { path, ...made } = (await CALLS[route]?.make(place, signature.as ?? null)) ?? {
        path: '',
      }
      const response = await fetchApi(method, path, { ...made, ...signature })
      await response.body?.cancel()
      found.push(response.status)
    }
    expect(Object.fromEntries(ROLES.map((role, index) => [role, found[index]]))).toEqual(
      Object.fromEntries(ROLES.map((role, index) => [role, row[index]])),
    )
  })
})

/** The two GET calls that change something, as browsers and programs send them. */
import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test'
import { describe, expect, test } from 'vitest'
import { CALLS, type Route } from '#contract/calls'
import { app } from '../../../worker/app.ts'
import { makeCall } from '../support/roles-routes-calls.ts'
import { createFixture, type Fixture } from '../support/roles-routes-fixture.ts'
import { firstRow } from '../support/sql.ts'
import { workerEnv } from '../support/step-queue.ts'

const CHANGING = CALLS.filter(({ changes }) => changes).map(({ route }) => route)

/** Counts what they change: judgements and sessions. */
function state() {
  return firstRow`select (select count(*) from judgements) as judgements,
    (select count(*) from sessions) as sessions`
}

/** Sends exactly these headers as a teaching assistant; answers the outcome. */
async function sendAsTa(
  route: Route,
  headers: Record<string, string>,
  { method = 'GET', fixture }: { method?: string; fixture?: Fixture } = {},
) {
  const about = fixture ?? (await createFixture())
  const { ta } = about.people
  const { path } = await makeCall(route, about, ta)
  const before = await state()
  const context = createExecutionContext()
  const request = new Request(`https://judge.test/api${path}`, {
    method,
    headers: { Cookie: ta.cookie, ...headers },
  })
  const response = await app.fetch(request, workerEnv, context)
  await waitOnExecutionContext(context)
  const text = await response.text()
  const { code, message } = text === '' ? {} : JSON.parse(text)
  const hasChanged = JSON.stringify(await state()) !== JSON.stringify(before)
  return { status: response.status, code, message, hasChanged }
}

const SAME_ORIGIN = { 'Sec-Fetch-Site': 'same-origin' }
/** The headers of a script's call, from any site. */
const SCRIPT = { 'Sec-Fetch-Dest': 'empty', 'Sec-Fetch-Mode': 'cors' }
const REFUSED = { status: 403, code: 'unsafe_get', hasChanged: false }

describe.each(CHANGING)('%s', (route) => {
  test.each(['image', 'document', 'iframe', 'object', 'style', ''])(
    'from the app’s own pages is refused with the destination “%s”',
    async (destination) => {
      const headers = { ...SAME_ORIGIN, ...SCRIPT, 'Sec-Fetch-Dest': destination }
      expect(await sendAsTa(route, headers)).toMatchObject(REFUSED)
    },
  )

  // In Chromium a link with `download` and a prefetch have the same destination as a script's call.
  test.each([
    ['a download', 'navigate'],
    ['a prefetch', 'no-cors'],
  ])('as %s of the app’s own pages is refused', async (_, mode) => {
    const headers = { ...SAME_ORIGIN, ...SCRIPT, 'Sec-Fetch-Mode': mode }
    expect(await sendAsTa(route, headers)).toMatchObject(REFUSED)
  })

  test('is refused without a destination', async () => {
    expect(await sendAsTa(route, SAME_ORIGIN)).toMatchObject(REFUSED)
  })

  test('with a cookie alone is refused, and told which call to make instead', async () => {
    const { message, ...refusal } = await sendAsTa(route, {})
    expect(refusal).toEqual(REFUSED)
    expect(message).toContain('DELETE /auth/session')
    expect(message).toContain('POST /submission/{id}/rejudge')
  })

  test('typed into the browser’s address line is refused', async () => {
    const headers = { 'Sec-Fetch-Site': 'none', 'Sec-Fetch-Dest': 'document' }
    expect(await sendAsTa(route, headers)).toMatchObject({ ...REFUSED, code: 'cross_site' })
  })

  test('as HEAD is refused like a GET', async () => {
    const headers = { ...SAME_ORIGIN, 'Sec-Fetch-Dest': 'image' }
    expect(await sendAsTa(route, headers, { method: 'HEAD' })).toMatchObject({
      status: 403,
      hasChanged: false,
    })
  })

  test('from a script of the app’s own pages does what it says', async () => {
    const headers = { ...SAME_ORIGIN, ...SCRIPT }
    expect(await sendAsTa(route, headers)).toMatchObject({ status: 200, hasChanged: true })
  })

  test('from a script of another site is refused', async () => {
    const headers = { 'Sec-Fetch-Site': 'cross-site', ...SCRIPT }
    expect(await sendAsTa(route, headers)).toMatchObject({ ...REFUSED, code: 'cross_site' })
  })
})

test('with a bearer token needs none of these headers, and signs nobody out', async () => {
  const fixture = await createFixture()
  const { ta } = fixture.people
  const { data } = await ta.post('/auth/tokens', { name: 'script', scopes: ['manage'] })
  const headers = { Authorization: `Bearer ${data.token}` }
  const [signOut, rejudge] = [
    await sendAsTa('GET /auth/session', headers, { fixture }),
    await sendAsTa('GET /submission/:id/rejudge', headers, { fixture }),
  ]
  expect(signOut).toMatchObject({ status: 200, hasChanged: false })
  expect(rejudge).toMatchObject({ status: 200, hasChanged: true })
  expect((await ta.get('/auth/me')).status).toBe(200)
})

import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test'
import { describe, expect, test } from 'vitest'
import { CALLS, isWrite } from '#contract/calls'
import { app } from '../../../worker/app.ts'
import type { Env } from '../../../worker/env.ts'
import { makeCall } from '../support/roles-routes-calls.ts'
import { createFixture } from '../support/roles-routes-fixture.ts'
import { workerEnv } from '../support/step-queue.ts'
import { call, createCourse, createPerson, requestOf } from '../support/world.ts'

describe('calls that another site caused', () => {
  test('no unsafe call and neither of the two unsafe GETs passes, whatever the role [BR2]', async () => {
    const fixture = await createFixture()
    const { course } = fixture
    for (const made of CALLS) {
      const { route } = made
      const [method = ''] = route.split(' ')
      if (!isWrite(made) || made.fromAnywhere || route.includes(' /runner/')) continue
      const { admin: as } = fixture.people
      const { path, ...options } = await makeCall(route, fixture, as)
      for (const site of ['cross-site', 'same-site', 'none']) {
        const headers = { ...options.headers, 'Sec-Fetch-Site': site, Origin: 'https://evil.test' }
        const answer = await call(method, path, { ...options, as, headers })
        expect(answer, `${route} ${site}`).toMatchObject({ status: 403, code: 'cross_site' })
      }
    }
    expect((await fixture.people.admin.get('/auth/me')).status).toBe(200)
    const still = await fixture.people.admin.get(`/course/${course}`)
    expect(still.status).toBe(200)
  })

  test('a form of another site and a method override do nothing [BR2]', async () => {
    const { teacher, course } = await createCourse()
    const cross = { 'Sec-Fetch-Site': 'cross-site' }
    const text = { ...cross, 'Content-Type': 'text/plain' }
    const body = JSON.stringify({ course })
    const form = await call('POST', '/ann', { as: teacher, body, headers: text })
    expect(form.code).toBe('cross_site')
    const overriding = { 'X-HTTP-Method-Override': 'DELETE', 'X-Method-Override': 'DELETE' }
    await teacher.get(`/course/${course}?_method=DELETE`, overriding)
    expect((await teacher.get(`/course/${course}`)).status).toBe(200)
  })

  test('only the configured origin of the same site may call, and may read what it needs [BR2]', async () => {
    const person = await createPerson(2)
    const WEB_ORIGIN = 'https://web.judge.test'
    const before = Date.now()
    const from = (origin: string, site: string) => ({ Origin: origin, 'Sec-Fetch-Site': site })
    const ask = async (request: Request, bindings: Partial<Env>) => {
      const context = createExecutionContext()
      const response = await app.fetch(request, { ...workerEnv, ...bindings }, context)
      await waitOnExecutionContext(context)
      return response
    }
    const save = (headers: Record<string, string>, bindings: Partial<Env>) =>
      ask(requestOf('POST', '/profile', { as: person, json: { bio: 'x' }, headers }), bindings)
    const allowed = await save(from(WEB_ORIGIN, 'same-site'), { WEB_ORIGIN })
    expect(allowed.status).toBe(200)
    expect(allowed.headers.get('Access-Control-Allow-Origin')).toBe(WEB_ORIGIN)
    expect(allowed.headers.get('Access-Control-Allow-Credentials')).toBe('true')
    expect(allowed.headers.get('Access-Control-Expose-Headers')).toMatch(/ETag.*Date.*Retry-After/)
    const readAgain = (headers: Record<string, string>) =>
      ask(requestOf('GET', '/auth/me', { as: person, headers }), { WEB_ORIGIN })
    const read = await readAgain(from(WEB_ORIGIN, 'same-site'))
    const unchanged = await readAgain({
      ...from(WEB_ORIGIN, 'same-site'),
      'If-None-Match': read.headers.get('ETag') ?? '',
    })
    expect(unchanged.status).toBe(304)
    expect(unchanged.headers.get('Access-Control-Allow-Origin')).toBe(WEB_ORIGIN)
    for (const answer of [allowed, unchanged]) {
      const date = Date.parse(answer.headers.get('Date') ?? '')
      expect(date).toBeGreaterThan(before - 1_000)
      expect(date).toBeLessThanOrEqual(Date.now())
    }
    expect(unchanged.headers.get('Access-Control-Allow-Credentials')).toBe('true')
    const evil = await save(from('https://evil.judge.test', 'same-site'), { WEB_ORIGIN })
    expect(evil.status).toBe(403)
    expect(evil.headers.get('Access-Control-Allow-Origin')).not.toBe('https://evil.judge.test')
    const closed = await save(from(WEB_ORIGIN, 'same-site'), {})
    expect(closed.status).toBe(403)
    expect(closed.headers.get('Access-Control-Allow-Origin')).toBeNull()
  })
})

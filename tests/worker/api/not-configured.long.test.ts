/** A Worker with the bindings of `wrangler.toml` and no settings: calls that need a setting name it, and none has a fault. */
import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test'
import { expect, test } from 'vitest'
import { ROUTES } from '#contract/calls'
import { errorEnvelope } from '#contract/errors'
import { SETTINGS, settingFault } from '#contract/installation/settings'
import { app } from '../../../worker/app.ts'
import type { Env } from '../../../worker/env.ts'
import { makeCall, signatureOf } from '../support/roles-routes-calls.ts'
import { createFixture } from '../support/roles-routes-fixture.ts'
import { ROLES, ROLES_ROUTES } from '../support/roles-routes.ts'
import { workerEnv } from '../support/step-queue.ts'
import { requestOf } from '../support/world.ts'

const settings = new Set(Object.keys(SETTINGS))

/** The bindings without any setting. */
const bare = Object.fromEntries(
  Object.entries(workerEnv).filter(([name]) => !settings.has(name)),
) as unknown as Env

/** The calls that need a setting, each with the setting that it names. */
const LACKING: Readonly<Record<string, string>> = {
  'POST /auth/password-recovery': 'WEB_ORIGIN',
  'POST /auth/email': 'WEB_ORIGIN',
  'POST /course/:name/invitations': 'WEB_ORIGIN',
  'POST /setup/mail': 'MAIL_DRIVER',
  'POST /setup/alarms': 'ALARM_WEBHOOK_URL',
  'POST /runner/register': 'RUNNER_REGISTRATION_TOKEN',
  'GET /metrics': 'METRICS_TOKEN',
}

test.each(ROUTES)('%s', async (route) => {
  const [method = ''] = route.split(' ')
  const row = ROLES_ROUTES[route]
  // The last role that may make the call, or a guest if there is none.
  const role = ROLES.toReversed().find((_, index) => (row.at(-1 - index) ?? 0) < 300) ?? 'guest'
  const fixture = await createFixture()
  const signature = signatureOf(fixture, role)
  const { path, ...options } = await makeCall(route, fixture, signature.as ?? null)
  const context = createExecutionContext()
  const answer = await app.fetch(
    requestOf(method, path, { ...options, ...signature }),
    bare,
    context,
  )
  const text = new TextDecoder().decode(await answer.arrayBuffer())
  await waitOnExecutionContext(context)
  expect(answer.status, text).toBeLessThan(500)
  const lacks = LACKING[route]
  if (lacks === undefined) return expect(answer.status, text).toBeLessThan(300)
  const { code, message, data } = errorEnvelope.parse(JSON.parse(text))
  const [fault] = settingFault.array().parse(data)
  expect([answer.status, code, fault?.name]).toEqual([409, 'not_configured', lacks])
  expect(message).toContain(`Set ${lacks} to`)
})

/** The set driver sends mails after the answer, and callers never see its faults. */
import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test'
import { describe, expect, test } from 'vitest'
import { SETTINGS } from '#contract/installation/settings'
import { app } from '../../../worker/app.ts'
import { mailerOf, mailFaults } from '../../../worker/http/mail.ts'
import { activationLetter, resetLetter } from '../../../worker/lib/mail-letters.ts'
import type { Mail } from '../../../worker/lib/mail.ts'
import { lastMailTo } from '../support/mails.ts'
import { workerEnv } from '../support/step-queue.ts'
import { createPerson, requestOf, uniqueName } from '../support/world.ts'

const MAIL: Mail = {
  to: 'someone@example.test',
  subject: 'Hello',
  text: 'https://judge.test/#token=secret',
}

const NEW_PASSWORD = 'correct horse battery'

describe('the drivers', () => {
  test('log keeps a row', async () => {
    await mailerOf({ ...workerEnv, MAIL_DRIVER: 'log' }).send(MAIL)
    expect(await lastMailTo(MAIL.to)).toBe(MAIL.text)
  })

  test('a missing setting is named', () => {
    const from = 'judge@example.test'
    for (const [settings, names] of [
      [{ MAIL_DRIVER: undefined }, ['MAIL_DRIVER']],
      [{ MAIL_DRIVER: 'smtp' }, ['MAIL_DRIVER']],
      [{ MAIL_DRIVER: 'cloudflare' }, ['MAIL_FROM']],
      // A deploy with this driver adds the binding.
      [{ MAIL_DRIVER: 'cloudflare', MAIL_FROM: from }, ['MAIL_DRIVER']],
      [{ MAIL_DRIVER: 'http', MAIL_FROM: from }, ['MAIL_API_URL', 'MAIL_API_KEY']],
    ] as const) {
      const env = { ...workerEnv, ...settings }
      expect(mailFaults(env).map(({ name }) => name)).toEqual(names)
      expect(() => mailerOf(env)).toThrow(`Set ${names[0]} to`)
    }
  })
})

describe('links lead to the web app that is set up', () => {
  test('whatever host or origin the call says it came to', async () => {
    const forged: Record<string, string>[] = [
      { Host: 'evil.example.test' },
      { 'X-Forwarded-Host': 'evil.example.test', Forwarded: 'host=evil.example.test' },
      { Origin: 'https://evil.example.test', Referer: 'https://evil.example.test/' },
    ]
    for (const headers of forged) {
      const email = `${(await createPerson(2)).username}@example.test`
      const options = { json: { email }, headers }
      const context = createExecutionContext()
      const request = requestOf('POST', '/auth/password-recovery', options)
      const url = request.url.replace('judge.test', 'evil.example.test')
      expect((await app.fetch(new Request(url, request), workerEnv, context)).status).toBe(200)
      await waitOnExecutionContext(context)
      const text = await lastMailTo(email)
      expect(text).toContain('https://judge.test/password_reset#token=')
      expect(text).not.toContain('evil')
    }
  })

  test.each([
    undefined,
    '',
    'judge.test',
    'https://judge.test/',
    'https://judge.test/app',
    'ftp://x',
  ])(
    'and not at all when the setting is %j: the refusal names it, the admin gets the link of a new account',
    async (WEB_ORIGIN) => {
      const admin = await createPerson(0)
      const email = `${admin.username}@example.test`
      const send = async (path: string, json: object) => {
        const context = createExecutionContext()
        const request = requestOf('POST', path, { as: admin, json })
        const response = await app.fetch(request, { ...workerEnv, WEB_ORIGIN }, context)
        await waitOnExecutionContext(context)
        const { code, message, data } = await response.json<Record<string, unknown>>()
        return { status: response.status, code, message, data }
      }
      const [name, fault] = ['WEB_ORIGIN', WEB_ORIGIN ? 'wrong' : 'missing']
      expect(await send('/auth/password-recovery', { email })).toEqual({
        status: 409,
        code: 'not_configured',
        message: expect.stringContaining('Set WEB_ORIGIN to the origin of the web app'),
        data: [{ name, fault, fix: SETTINGS[name as 'WEB_ORIGIN'].fix }],
      })
      const username = uniqueName('made')
      const form = { username, email: `${username}@example.test` }
      const made = await send('/user', form)
      expect(made.status).toBe(200)
      const { activationLink } = made.data as { activationLink: string }
      const [, token] = activationLink.split('/password_reset#activate=')
      expect(await send('/auth/activate', { token, password: NEW_PASSWORD })).toMatchObject({
        status: 200,
      })
      const other = { username: `${username}b`, email: `b${form.email}`, password: NEW_PASSWORD }
      const { data } = await send('/user', other)
      expect(data).not.toHaveProperty('activationLink')
    },
  )
})

test('the secret of a letter stands behind #, where no server and no Referer sees it [AU7]', () => {
  const reset = resetLetter('https://judge.test', 'a@example.test', 'TOKEN')
  expect(reset.text).toContain('https://judge.test/password_reset#token=TOKEN')
  const activation = activationLetter('https://judge.test', 'a@example.test', 'name', 'TOKEN')
  expect(activation.text).toContain('https://judge.test/password_reset#activate=TOKEN')
  expect(activation.text).toContain('name')
})

/** A judge just after its deploy: the bindings of `wrangler.toml`, no variables, one admin. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import * as z from 'zod'
import { CALLS } from '#contract/calls'
import { errorEnvelope } from '#contract/errors'
import { settingFault } from '#contract/installation/settings'
import { SETUP_ITEMS } from '#contract/installation/setup'
import { ROLES } from '#contract/roles'
import { createApiClient, type CallOptions } from '../../scripts/api-client.ts'
import { signIn } from '../../scripts/test/browser.ts'
import { DEMO_PASSWORD } from '../../scripts/demo/accounts.ts'
import { axeFaults, fitsScreen } from '../support/axe.ts'
import { enter, fillNewPassword, newVisitor } from '../support/browser.ts'
import { afterThisFile } from '../support/clean-up.ts'
import { clientOf, startTestStack, type TestStack } from '../support/stack.ts'

let bare: TestStack

beforeAll(async () => {
  bare = await startTestStack({ runners: 0, variables: null })
})

/** An item of the set-up list, by its title. */
function itemOf(page: Page, title: string) {
  return page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: title }) })
}

test.each(
  ['english', 'chinese', 'taiwanese'].flatMap((locale) => [
    { locale, colorScheme: 'light' as const, width: 1280 },
    { locale, colorScheme: 'dark' as const, width: 390 },
  ]),
)('the first-run page: $locale, $colorScheme, $width px', async (look) => {
  const { locale, colorScheme, width } = look
  const page = await newVisitor(bare.url, { colorScheme, viewport: { width, height: 844 } })
  await page.addInitScript((name) => localStorage.setItem('locale', name), locale)
  await enter(page, 'admin')
  await page.goto('/admin/setup')
  const items = page.getByRole('main').locator('li[data-state]')
  await items.first().waitFor()
  expect(await items.count()).toBe(Object.keys(SETUP_ITEMS).length)
  const main = page.getByRole('main')
  for (const name of ['WEB_ORIGIN', 'MAIL_DRIVER', 'RUNNER_REGISTRATION_TOKEN'])
    await main.getByText(name).first().waitFor()
  expect(await axeFaults(page)).toEqual([])
  expect(await fitsScreen(page)).toBe(true)
})

test('an admin is led through what is missing, and hands over the link of the first teacher', async () => {
  const page = await newVisitor(bare.url)
  await signIn(page, 'admin')
  await page.getByRole('heading', { name: 'This judge is not ready yet' }).waitFor()
  await page.getByRole('link', { name: 'Set up this judge' }).click()
  await itemOf(page, 'Database').getByText('Done').waitFor()
  for (const title of ['Address', 'A judge host', 'First teacher', 'First course'])
    await itemOf(page, title).getByText('To do').waitFor()
  const mail = itemOf(page, 'Mail')
  await mail.getByText('Optional').waitFor()
  await mail.getByText('Set MAIL_DRIVER to cloudflare or http.').waitFor()
  expect(await mail.getByRole('button', { name: 'Send me a test mail' }).isDisabled()).toBe(true)
  await itemOf(page, 'CPU').getByRole('button', { name: 'Test the plan' }).click()
  await itemOf(page, 'CPU').getByText('three passwords were hashed').waitFor()
  await itemOf(page, 'CPU').getByText('Done').waitFor()

  await page.getByRole('link', { name: 'Go to the people' }).click()
  await page.getByRole('button', { name: 'New account' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Username').fill('prof')
  await dialog.getByLabel('Email').fill('prof@example.org')
  await dialog.getByLabel('Role').selectOption({ label: 'Teacher' })
  await dialog.getByRole('button', { name: 'Create account' }).click()
  await dialog.getByText('Activation link of prof').first().waitFor()
  const link = (await dialog.locator('pre').textContent()) ?? ''
  expect(link).toMatch(new RegExp(`^${bare.url}/password_reset#activate=`))

  const guest = await newVisitor(bare.url)
  await guest.goto(link)
  await fillNewPassword(guest, 'correct horse battery')
  await guest.getByRole('button', { name: 'Activate account' }).click()
  await guest.getByText('Your account is active.').waitFor()
  await signIn(guest, 'prof', 'correct horse battery')
  await guest.goto('/courses/new')
  await guest.getByLabel('Course name').fill('Algorithms')
  await guest.getByRole('button', { name: 'Create course' }).click()
  await guest.waitForURL('**/course/Algorithms/**')

  await bare.runCron()
  await page.goto('/admin/setup')
  for (const title of ['First teacher', 'First course', 'Minute task'])
    await itemOf(page, title).getByText('Done').waitFor()
})

const READS = ['/api/setup', '/api/homework', '/api/submission', '/api/course', '/api/overview']

test.each(READS)('what comes late on home moves nothing: %s', async (late) => {
  const page = await newVisitor(bare.url)
  await enter(page, 'admin')
  const { promise: rest, resolve: goOn } = Promise.withResolvers<void>()
  await page.route(
    (url) => url.pathname === late,
    async (route) => {
      await rest
      await route.continue()
    },
  )
  await page.addInitScript(() => {
    const tops: number[] = []
    Object.assign(globalThis, { tops })
    function look() {
      const titles = [...document.querySelectorAll('h2')]
      const title = titles.find(({ textContent }) => textContent === 'System announcements')
      if (title?.checkVisibility()) tops.push(title.getBoundingClientRect().top)
      requestAnimationFrame(look)
    }
    look()
  })
  // The page asks for waiting work in courses once it knows the courses.
  const others = [...READS, '/api/ann']
    .filter((path) => path !== '/api/overview' || late !== '/api/course')
    .filter((path) => path !== late)
    .map((path) => page.waitForResponse((response) => new URL(response.url()).pathname === path))
  await page.goto('/')
  await Promise.all(others)
  await page.getByText('Welcome, ').waitFor()
  goOn()
  await page.getByRole('heading', { name: 'This judge is not ready yet' }).waitFor()
  await page.getByRole('heading', { name: 'System announcements' }).waitFor()
  const tops = () => page.evaluate(() => [...new Set(Reflect.get(globalThis, 'tops'))])
  // The page records the title's position in its next frame.
  await expect.poll(tops).not.toHaveLength(0)
  expect(await tops()).toHaveLength(1)
})

test('every route answers below 500', async () => {
  const guest = createApiClient(bare.url)
  const first = await clientOf(bare.url, 'admin')
  // One person may not write as often as this test does.
  const names = ['admin', 'second-admin', 'third-admin']
  for (const username of names.slice(1)) {
    const email = `${username}@example.org`
    const json = { username, email, role: ROLES.admin, password: DEMO_PASSWORD }
    await first.call('POST', '/user', z.unknown(), { json })
  }
  const admins = await Promise.all(names.map((name) => clientOf(bare.url, name)))
  const failed: string[] = []
  for (const [index, { route }] of CALLS.entries()) {
    const [method = '', pattern = ''] = route.split(' ')
    const path = pattern.replaceAll(/:\w+/g, '1')
    const turn = index % names.length
    const admin = admins[turn] ?? first
    for (const [who, client] of Object.entries({ guest, admin })) {
      const answer = await client.send(method, path, method === 'GET' ? {} : { json: {} })
      await answer.body?.cancel()
      // A rate-limited call would prove nothing about the route.
      if (answer.status >= 500 || answer.status === 429)
        failed.push(`${route}, ${who}: ${answer.status}`)
    }
    // Some of these calls end the session.
    if (path.startsWith('/auth/session')) await admin.login(names[turn] ?? '', DEMO_PASSWORD)
  }
  expect(failed).toEqual([])
})

const host = { hostname: 'h', kernel: 'k', cpu: 'c', cores: 2, memoryKb: 1, cgroup: 'v2' }

test.each<[call: string, lacks: string, options?: CallOptions]>([
  ['POST /auth/password-recovery', 'WEB_ORIGIN', { json: { email: 'admin@example.org' } }],
  ['POST /auth/email', 'WEB_ORIGIN', { json: { email: 'other@example.org' } }],
  ['POST /setup/mail', 'MAIL_DRIVER'],
  [
    'POST /runner/register',
    'RUNNER_REGISTRATION_TOKEN',
    {
      json: { name: 'host', slots: 1, version: '0.0.0', host },
      headers: { Authorization: 'Bearer a-token-that-nobody-set' },
    },
  ],
  ['GET /metrics', 'METRICS_TOKEN', { headers: { Authorization: 'Bearer a-token' } }],
])('%s names the setting that it needs', async (call, lacks, options) => {
  const admin = await clientOf(bare.url, 'admin')
  const [method = '', path = ''] = call.split(' ')
  const answer = await admin.send(method, path, options)
  const { code, data } = errorEnvelope.parse(await answer.json())
  const [fault] = settingFault.array().parse(data)
  expect([answer.status, code, fault?.name]).toEqual([409, 'not_configured', lacks])
})

test('a test mail and a test of the alarms go out, or the page says why not', async () => {
  const received: string[] = []
  let status = 403
  const mailApi = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString()))
    request.on('end', () => {
      if (status === 200) received.push(body)
      response.writeHead(status).end()
    })
  })
  await new Promise<void>((resolve) => mailApi.listen(0, '127.0.0.1', resolve))
  afterThisFile(async () => void mailApi.close())
  const { port } = mailApi.address() as AddressInfo
  const stack = await startTestStack({
    runners: 0,
    variables: {
      MAIL_DRIVER: 'http',
      MAIL_FROM: 'judge@example.org',
      MAIL_API_URL: `http://127.0.0.1:${port}/emails`,
      MAIL_API_KEY: 'key',
      ALARM_EMAIL: 'operator@example.org',
    },
  })
  const page = await newVisitor(stack.url)
  await enter(page, 'admin')
  await page.goto('/admin/setup')
  await itemOf(page, 'Address').getByText('Done').waitFor()
  const mail = itemOf(page, 'Mail')
  const button = mail.getByRole('button', { name: 'Send me a test mail' })
  await button.click()
  await mail.getByText('The mail was refused: Error: The mail API answered 403').waitFor()
  await mail.getByText('Does not work').waitFor()
  status = 200
  await button.click()
  await mail.getByText('The mail is on its way. Look for the mail at admin@example.org.').waitFor()
  await mail.getByText('Done').waitFor()
  const alarms = itemOf(page, 'Alarms')
  await alarms.getByRole('button', { name: 'Send a test' }).click()
  await alarms.getByText('The mail is on its way.').waitFor()
  await alarms.getByText('Done').waitFor()
  expect(received.map((text) => JSON.parse(text) as unknown)).toMatchObject([
    { from: 'judge@example.org', to: 'admin@example.org' },
    { from: 'judge@example.org', to: 'operator@example.org', subject: 'Alarms arrive' },
  ])
})

test('signing in on a plan with too little CPU time says so', async () => {
  const page = await newVisitor(bare.url, { refused: [/^503 \/api\/auth\/session$/] })
  // Only Cloudflare can end a Worker in this way; this is its answer.
  await page.route('**/api/auth/session', (route) =>
    route.fulfill({
      status: 503,
      contentType: 'text/html',
      body: '<!DOCTYPE html><title>Worker exceeded resource limits | judge | Cloudflare</title><h1>Error 1102</h1>',
    }),
  )
  await page.goto('/')
  await page.getByLabel('Username or email').fill('admin')
  await page.getByLabel('Password', { exact: true }).fill(DEMO_PASSWORD)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByText('The operator of this judge needs the Workers Paid plan.').waitFor()
})

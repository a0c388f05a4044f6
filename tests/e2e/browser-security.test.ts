/** Protection from other people's pages and files: headers, calls from other sites, uploads opened by their address. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { readdirSync } from 'node:fs'
import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as z from 'zod'
import { announcement } from '#contract/announcements'
import { submissionDetail } from '#contract/submissions'
import type { ApiClient } from '../../scripts/api-client.ts'
import { signIn } from '../../scripts/test/browser.ts'
import { ROOT } from '../../scripts/root.ts'
import { browserOfFile, enter, newVisitor } from '../support/browser.ts'
import { clientOf, sharedJudge } from '../support/stack.ts'
import type { SharedJudge } from '../support/template.ts'

let judge: SharedJudge
let teacher: ApiClient
let evil: Server

beforeAll(async () => {
  judge = await sharedJudge()
  teacher = await clientOf(judge.url, 'teacher')
  // An attacker's page, on another port.
  evil = createServer((_, response) => {
    response.setHeader('Content-Type', 'text/html')
    response.end('<!doctype html><title>Elsewhere</title>')
  })
  await new Promise<void>((resolve) => evil.listen(0, '127.0.0.1', resolve))
})

afterAll(() => {
  evil?.close()
})

/** The directives of a content security policy. */
function policyOf(response: Response): Map<string, string> {
  const text = response.headers.get('Content-Security-Policy') ?? ''
  return new Map(
    text.split(';').map((directive) => {
      const [name = '', ...values] = directive.trim().split(/\s+/)
      return [name, values.join(' ')]
    }),
  )
}

test('every kind of answer carries every header [BR1]', async () => {
  const [script = ''] = readdirSync(`${ROOT}dist/web/assets`).filter((name) => name.endsWith('.js'))
  const kinds: [string, string, number][] = [
    ['/', 'text/html; charset=utf-8', 200],
    ['/course/Demo/problems', 'text/html; charset=utf-8', 200],
    [`/assets/${script}`, 'text/javascript; charset=utf-8', 200],
    ['/color-scheme.js', 'text/javascript; charset=utf-8', 200],
    ['/favicon.svg', 'image/svg+xml', 200],
    ['/api/health', 'application/json', 200],
    ['/api/docs', 'text/html; charset=utf-8', 200],
    ['/api/auth/me', 'application/json', 401],
    ['/api/nowhere', 'application/json', 404],
    ['/api/course', 'application/json', 401],
  ]
  for (const [path, type, status] of kinds) {
    const response = await fetch(`${judge.url}${path}`)
    await response.body?.cancel()
    const { headers } = response
    expect(response.status, path).toBe(status)
    expect(headers.get('Content-Type')?.toLowerCase(), path).toBe(type)
    expect(headers.get('X-Content-Type-Options'), path).toBe('nosniff')
    expect(headers.get('Referrer-Policy'), path).toMatch(
      /^(no-referrer|strict-origin-when-cross-origin)$/,
    )
    expect(headers.get('Cross-Origin-Opener-Policy'), path).toBe('same-origin')
    const [, seconds] =
      /max-age=(\d+); includeSubDomains/.exec(headers.get('Strict-Transport-Security') ?? '') ?? []
    expect(Number(seconds), path).toBeGreaterThanOrEqual(31_536_000)
    const policy = policyOf(response)
    const fallback = policy.get('default-src')
    expect(fallback, path).toMatch(/^'(self|none)'$/)
    expect(policy.get('script-src') ?? fallback, path).toMatch(/^'(self|none)'$/)
    expect(policy.get('object-src') ?? fallback, path).toBe("'none'")
    expect(policy.get('img-src') ?? fallback, path).toMatch(/^('none'|'self' data: blob:)$/)
    expect(policy.get('base-uri'), path).toBe("'none'")
    expect(policy.get('frame-ancestors'), path).toBe("'none'")
    expect(policy.get('form-action'), path).toMatch(/^'(self|none)'$/)
    if (path.startsWith('/api/') && path !== '/api/docs')
      expect(headers.get('Cache-Control'), path).toBe('no-store')
  }
})

/** The state that an attacker could change: the session, the number of judgements, the announcements. */
async function stateOf(context: BrowserContext) {
  const cookies = await context.cookies(judge.url)
  const { judgements } = await teacher.call(
    'GET',
    `/submission/${judge.ids.submission}`,
    submissionDetail,
  )
  const anns = await teacher.call('GET', '/course/Demo/ann', z.array(announcement))
  const session = cookies.find(({ name }) => name === '__Host-session')?.value
  const me = await fetch(`${judge.url}/api/auth/me`, {
    headers: { Cookie: `__Host-session=${session}` },
  })
  return {
    status: me.status,
    judgements: judgements.length,
    titles: anns.map(({ title }) => title),
  }
}

/** The body of the announcement that the attacker tries to post. */
const ANN = JSON.stringify({ title: 'Evil', markdown: 'x', courseName: 'Demo' })

/** Requests addresses as images and by fetch(), and posts to others, without being able to read an answer. */
async function callUnasked(page: Page, addresses: string[], posts: string[]): Promise<void> {
  await page.evaluate(
    async ({ addresses, ann, posts }) => {
      for (const address of addresses) {
        await new Promise((resolve) => {
          const image = new Image()
          image.addEventListener('load', resolve)
          image.addEventListener('error', resolve)
          image.src = address
        })
        await fetch(address, { mode: 'no-cors', credentials: 'include' }).catch(() => null)
      }
      for (const address of posts)
        for (const body of [ann, new URLSearchParams({ title: 'Evil', _method: 'DELETE' })])
          await fetch(address, {
            method: 'POST',
            mode: 'no-cors',
            credentials: 'include',
            headers: { 'Content-Type': 'text/plain' },
            body,
          }).catch(() => null)
    },
    { addresses, ann: ANN, posts },
  )
}

/** Sends a form whose only field, written out, looks like JSON. */
async function sendForm(page: Page, action: string, enctype: string): Promise<void> {
  await page.evaluate(
    ({ enctype, action, ann }) => {
      const form = document.createElement('form')
      Object.assign(form, { method: 'post', enctype, action })
      const field = document.createElement('input')
      Object.assign(field, { name: ann.slice(0, -1), value: '"}' })
      form.append(field)
      document.body.append(form)
      form.submit()
    },
    { enctype, action, ann: ANN },
  )
}

async function followLink(page: Page, address: string): Promise<void> {
  await page.evaluate((to) => {
    const link = document.createElement('a')
    link.href = to
    document.body.append(link)
    link.click()
  }, address)
}

/** Leaves a page for an address; true if the address refuses. */
async function isRefused(page: Page, from: string, address: string, leave: () => Promise<void>) {
  await page.goto(from)
  const answered = page.waitForResponse((response) => response.url() === address)
  await leave()
  expect((await answered).status()).toBe(403)
  await page.waitForURL(address)
}

/** Does everything that an attacker's page can do to an address without permission. */
async function attack(page: Page, from: string): Promise<void> {
  const api = `${judge.url}/api`
  const rejudge = `${api}/submission/${judge.ids.submission}/rejudge`
  const logout = `${api}/auth/session`
  const posts = [`${api}/ann`, rejudge, logout]
  await page.goto(from)
  await callUnasked(page, [rejudge, logout, `${api}/ann?_method=DELETE`], posts)
  for (const enctype of ['text/plain', 'multipart/form-data', 'application/x-www-form-urlencoded'])
    for (const action of posts)
      await isRefused(page, from, action, () => sendForm(page, action, enctype))
  for (const address of [rejudge, logout])
    await isRefused(page, from, address, () => followLink(page, address))
}

// For a browser, two ports of one host are one site, so it sends its cookies; another host name is another site.
test.each(['127.0.0.1', 'localhost'])(
  'a page at %s, another origin, changes nothing [BR2]',
  async (host) => {
    const browser = await browserOfFile()
    const context = await browser.newContext({ baseURL: judge.url })
    const page = await context.newPage()
    await signIn(page, 'teacher')
    const before = await stateOf(context)
    expect(before.status).toBe(200)
    const elsewhere = await context.newPage()
    const { port } = evil.address() as AddressInfo
    await attack(elsewhere, `http://${host}:${port}/`)
    expect(await stateOf(context)).toEqual(before)
    await page.reload()
    await page.getByText('Welcome, ').waitFor()
    await context.close()
  },
)

test('no service worker stands between, and nothing of the API is kept by the browser [BR3]', async () => {
  const page = await newVisitor(judge.url)
  await enter(page, 'student')
  await page.goto(`/course/Demo/submission/${judge.ids.submission}`)
  await page.locator('main h1').waitFor()
  const kept = await page.evaluate(async () => ({
    workers: (await navigator.serviceWorker.getRegistrations()).length,
    caches: (await caches.keys()).length,
  }))
  expect(kept).toEqual({ workers: 0, caches: 0 })
  const codes = await page.evaluate(() => JSON.stringify(Object.entries(localStorage)))
  expect(codes).not.toContain('scanf')
})

test('test data and outputs opened by their address are files or text, and run nothing [BR4]', async () => {
  const page = await newVisitor(judge.url)
  await signIn(page, 'teacher')
  const data = await page.request.get('/api/problem/1/testcase')
  expect(data.headers()['content-disposition']).toMatch(/^attachment/)
  const output = await page.goto(`/api/submission/${judge.ids.submission}/output/0/0`)
  expect(output?.headers()['content-type']).toMatch(/^(application\/json|text\/plain)/)
  for (const headers of [data.headers(), output?.headers() ?? {}]) {
    expect(headers['x-content-type-options']).toBe('nosniff')
    expect(headers['content-security-policy']).toMatch(/default-src 'none'.*sandbox/)
    expect(headers['cache-control']).toBe('no-store')
  }
  const download = page.waitForEvent('download')
  await page.goto('/api/problem/1/testcase').catch(() => null)
  expect((await download).suggestedFilename()).toMatch(/\.zip$/)
})

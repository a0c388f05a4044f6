/** The built web app in a real browser, with the API of a benchmark's stack. */
import { readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import type { BrowserContext, Page } from 'playwright-core'
import { ROOT } from '../root.ts'
import { send, type BenchStack } from './stack.ts'

/** The app's address and the size of its window. */
export const VIEW = { baseURL: 'https://judge.test', viewport: { width: 1366, height: 768 } }

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.woff2': 'font/woff2',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
}

/** Makes a browser whose calls the stack answers, with the built web app. */
export async function openApp(stack: BenchStack, context: BrowserContext, cookie: string) {
  await context.route('**/*', async (route) => {
    const { pathname, search } = new URL(route.request().url())
    if (pathname.startsWith('/api/')) {
      const answer = await send(
        stack,
        { path: pathname + search, cookie },
        [200, 204, 400, 401, 403, 404, 503],
      )
      const headers = Object.fromEntries(answer.headers)
      await route.fulfill({ status: answer.status, headers, body: await answer.text() })
      return
    }
    const name = extname(pathname) === '' ? '/index.html' : pathname
    const contentType = TYPES[extname(name)] ?? 'application/octet-stream'
    await route.fulfill({ contentType, body: readFileSync(join(ROOT, 'dist/web', name)) })
  })
}

/** Opens a page of the app that is not measured: so the browser has loaded what all pages share. */
export async function openWarm(context: BrowserContext): Promise<Page> {
  const page = await context.newPage()
  await page.goto('/settings')
  await page.getByRole('main').getByRole('heading').first().waitFor()
  await page.waitForLoadState('networkidle')
  return page
}

/** Goes to another page of the app, as a link does. */
export async function goInApp(page: Page, path: string): Promise<void> {
  await page.evaluate(
    `history.pushState({}, '', ${JSON.stringify(path)}); dispatchEvent(new PopStateEvent('popstate'))`,
  )
}

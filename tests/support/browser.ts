/** Visitors for the browser journeys. */
import type { Browser, Page } from 'playwright-core'

/** A fresh visitor on the app, with what went wrong in its scripts and against its content security policy. */
export async function newVisitor(
  browser: Browser,
  url: string,
): Promise<{ page: Page; errors: string[] }> {
  const context = await browser.newContext({ baseURL: url, viewport: { width: 1280, height: 900 } })
  const page = await context.newPage()
  const errors: string[] = []
  page.on('pageerror', (error) => errors.push(error.message))
  page.on('console', (message) => {
    const isPolicy = /content security policy/i.test(message.text())
    if (message.type() === 'error' && isPolicy) errors.push(message.text())
  })
  return { page, errors }
}

/** Forms in a browser: the body that a press sends, once the server has accepted it. */
import type { Page } from 'playwright-core'
import { expect } from 'vitest'

/** The address of a call below the API's base, without its query. */
function pathOf(url: string): string {
  return new URL(url).pathname.replace(/^\/api/, '')
}

/**
 * The body of the call that an action on the page makes. A change of a stored version must name that version.
 * @param call as `PUT /course`
 */
export async function sentWhen(
  page: Page,
  call: string,
  act: () => Promise<unknown>,
): Promise<unknown> {
  const [response] = await Promise.all([
    page.waitForResponse(
      (answer) => `${answer.request().method()} ${pathOf(answer.url())}` === call,
    ),
    act(),
  ])
  expect(response.ok(), `${call}: ${response.status()}`).toBe(true)
  const request = response.request()
  if (/^(PUT|PATCH|POST \/profile$)/.test(call) && !call.endsWith('/members'))
    expect(request.headers()).toHaveProperty('if-match')
  return request.postDataJSON()
}

/** The body of the call that the press of a button makes. */
export function sentBy(page: Page, call: string, press: string | RegExp): Promise<unknown> {
  return sentWhen(page, call, () =>
    page.getByRole('button', { name: press, exact: true }).last().click(),
  )
}

/** The query of the read that an action on the page makes. */
export async function askedWhen(
  page: Page,
  path: string,
  act: () => Promise<unknown>,
): Promise<Record<string, string>> {
  const [request] = await Promise.all([
    page.waitForRequest((call) => call.method() === 'GET' && pathOf(call.url()) === path),
    act(),
  ])
  return Object.fromEntries(new URL(request.url()).searchParams)
}

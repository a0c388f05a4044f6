/** A state of the app: its viewer, its page, the failing calls, and the actions that lead to it. */
import type { Page } from 'playwright-core'
import { ERRORS, type ErrorCode } from '#contract/errors'
import type { Viewer } from '../../../scripts/demo/pages.ts'
import type { SharedJudge } from '../../support/template.ts'

/** The first words of a server failure that is shown beside its control. */
export const FAILED = 'Oops! Our server failed to respond. Your saved work is safe.'

/** How a call fails: refused by the API, without an answer, or not yet answered. */
type Fault = ErrorCode | 'lost' | 'slow'

export interface AppState {
  name: string
  viewer: Viewer
  path: string | ((ids: SharedJudge['ids']) => string)
  /** Calls by method and path, as `GET /course`; a star stands for one segment. */
  faults?: Record<string, Fault>
  /** The screen that the state needs; default: either. */
  screen?: 'wide' | 'phone'
  /** Leads from the opened page to the state. */
  reach?: (tab: Page) => Promise<unknown>
  /** A text that appears in this state only. */
  shows: string | RegExp
}

/** Makes a call fail like a broken network or server; other calls are real. */
export async function failAt(tab: Page, call: string, fault: Fault): Promise<void> {
  const [method, path = ''] = call.split(' ')
  const pattern = new RegExp(`^/api${path.replaceAll('*', '[^/]+')}$`)
  await tab.route(
    (url) => pattern.test(url.pathname),
    async (route) => {
      if (route.request().method() !== method) return route.fallback()
      if (fault === 'slow') return
      if (fault === 'lost') return route.abort()
      const [status, message] = ERRORS[fault]
      return route.fulfill({ status, json: { status: 'err', code: fault, message, data: null } })
    },
  )
}

/** Brings a fresh tab into a state. */
export async function bringInto(
  tab: Page,
  state: AppState,
  ids: SharedJudge['ids'],
): Promise<void> {
  for (const [call, fault] of Object.entries(state.faults ?? {})) await failAt(tab, call, fault)
  await tab.goto(typeof state.path === 'string' ? state.path : state.path(ids))
  await tab.locator('main').first().waitFor()
  const shown = tab.getByText(state.shows).filter({ visible: true })
  if (state.reach) {
    await tab.waitForLoadState('networkidle')
    // Otherwise the test would not wait for the state.
    if ((await shown.count()) > 0) throw new Error(`${state.name}: its text is there before`)
    await state.reach(tab)
  }
  await shown.first().waitFor()
}

/** Presses a button. */
export const press = (name: string | RegExp) => (tab: Page) =>
  tab.getByRole('button', { name, exact: true }).first().click()

/** Fills a field. */
export const fill = (label: string | RegExp, text: string) => (tab: Page) =>
  tab.getByLabel(label, { exact: true }).first().fill(text)

/** Takes one step after the other. */
export const steps =
  (...all: ((tab: Page) => Promise<unknown>)[]) =>
  async (tab: Page) => {
    for (const step of all) await step(tab)
  }

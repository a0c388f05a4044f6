/** What a state of the app is: who comes to which page, what fails there, and what they do. */
import type { Page } from 'playwright-core'
import { ERRORS, type ErrorCode } from '#contract/errors'
import type { Viewer } from '../../../scripts/demo/pages.ts'
import type { SharedJudge } from '../../support/template.ts'

/** How a failure of the server begins where it is told beside its call. */
export const FAILED = 'Oops! Our server failed to respond. Your saved work is safe.'

/** How a call fails: refused by the API, without an answer, or not yet answered. */
type Fault = ErrorCode | 'lost' | 'slow'

export interface AppState {
  name: string
  viewer: Viewer
  path: string | ((ids: SharedJudge['ids']) => string)
  /** By method and path of the call, as `GET /course`; a star stands for one segment. */
  faults?: Record<string, Fault>
  /** The screen it needs; default: either. */
  screen?: 'wide' | 'phone'
  /** Leads from the opened page to the state. */
  reach?: (tab: Page) => Promise<unknown>
  /** A text that is seen in this state only. */
  shows: string | RegExp
}

/** Lets a call fail as if by the network or the server; whatever else the page calls is real. */
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
    // Else nothing would wait for the state.
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

/** One step after the other. */
export const steps =
  (...all: ((tab: Page) => Promise<unknown>)[]) =>
  async (tab: Page) => {
    for (const step of all) await step(tab)
  }

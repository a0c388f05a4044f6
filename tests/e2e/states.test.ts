/** States between pages: dialogs, menus, drawers, refusals, conflicts, a server that fails or cannot be reached. */
import { beforeAll, expect, test } from 'vitest'
import { VIEWERS, type Viewer } from '../../scripts/demo/pages.ts'
import { axeFaults, fitsScreen } from '../support/axe.ts'
import { newViewer } from '../support/demo-visitor.ts'
import { sharedJudge } from '../support/stack.ts'
import type { SharedJudge } from '../support/template.ts'
import { ADMIN_STATES } from './states/of-admins.ts'
import { GUEST_STATES } from './states/of-guests.ts'
import { JOINER_STATES } from './states/of-joiners.ts'
import { MARK_STATES } from './states/of-marks.ts'
import { STUDENT_STATES } from './states/of-students.ts'
import { TEACHER_STATES } from './states/of-teachers.ts'
import { bringInto, type AppState } from './states/state.ts'

/** `npm run test:full` looks at each state in both schemes, on every screen that the state is for. */
const IS_FULL = Reflect.get(import.meta, 'env').MODE === 'full'

const SCREENS = { wide: 1280, phone: 375 }
const LOOKS = [
  { colorScheme: 'light', screen: 'wide' },
  { colorScheme: 'dark', screen: 'phone' },
  { colorScheme: 'dark', screen: 'wide' },
  { colorScheme: 'light', screen: 'phone' },
] as const
type Look = (typeof LOOKS)[number]

const STATES: readonly AppState[] = [
  ...GUEST_STATES,
  ...STUDENT_STATES,
  ...TEACHER_STATES,
  ...ADMIN_STATES,
  ...JOINER_STATES,
  ...MARK_STATES,
]

let judge: SharedJudge

beforeAll(async () => {
  judge = await sharedJudge()
})

/** The looks in which a state is checked: one of them, in turn, or all. */
function looksOf(state: AppState, index: number): Look[] {
  const fitting = LOOKS.filter(({ screen }) => (state.screen ?? screen) === screen)
  return IS_FULL ? fitting : fitting.filter((_, at) => at === index % fitting.length)
}

/** The faults of all states that a viewer meets in a look, each after its state. */
async function faultsIn(viewer: Viewer, look: Look): Promise<string[]> {
  const { colorScheme, screen } = look
  const states = STATES.filter(
    (state, index) => state.viewer === viewer && looksOf(state, index).includes(look),
  )
  if (states.length === 0) return []
  const page = await newViewer(judge.url, viewer, {
    colorScheme,
    reducedMotion: 'reduce',
    viewport: { width: SCREENS[screen], height: 800 },
    // These states need failing calls.
    refused: [/^[45]\d\d \/api\//, /^net::ERR_FAILED/],
  })
  const faults: string[] = []
  for (const state of states) {
    // A form's kept text ends with its tab.
    const tab = await page.context().newPage()
    await bringInto(tab, state, judge.ids)
    const found = await axeFaults(tab)
    if (!(await fitsScreen(tab))) found.push('wider than the screen')
    const headings = await tab.locator('h1').count()
    if (headings !== 1) found.push(`${headings} headings of the page`)
    faults.push(...found.map((fault) => `${state.name}, ${colorScheme}, ${screen}: ${fault}`))
    await tab.close()
  }
  return faults
}

test('there are at least 60 of them', () => {
  expect(new Set(STATES.map(({ name }) => name)).size).toBeGreaterThanOrEqual(60)
  expect(STATES.length).toBe(new Set(STATES.map(({ name }) => name)).size)
})

test.each(VIEWERS.filter((viewer) => STATES.some((state) => state.viewer === viewer)))(
  'nothing for axe to find in any state: %s',
  async (viewer) => {
    const faults = await Promise.all(LOOKS.map((look) => faultsIn(viewer, look)))
    expect(faults.flat()).toEqual([])
  },
)

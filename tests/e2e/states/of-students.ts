/** States that students meet. */
import type { Page } from 'playwright-core'
import { FAILED, type AppState, fill, press, steps } from './state.ts'

const OFFLINE = /^Cannot reach the server\./

const submitPath = (problemId: number) => `/course/Demo/problem/${problemId}/submit`

/** Writes a program and presses a button. */
const write =
  (button: string, code = 'print(1)') =>
  async (tab: Page) => {
    await tab.locator('.cm-editor').waitFor()
    await tab.getByRole('main').getByLabel('Language').selectOption({ label: 'Python 3' })
    await tab.getByLabel('Source code', { exact: true }).first().fill(code)
    await press(button)(tab)
  }

const loseConnection = async (tab: Page) => {
  await tab.locator('main h1').waitFor()
  await tab.evaluate(() => window.dispatchEvent(new Event('offline')))
}

export const STUDENT_STATES: readonly AppState[] = [
  {
    name: 'account menu',
    viewer: 'student',
    path: '/',
    screen: 'wide',
    reach: press(/Account menu of/),
    shows: 'Sign out',
  },
  {
    name: 'drawer',
    viewer: 'student',
    path: '/course/Demo/problems',
    screen: 'phone',
    reach: press('Open the menu'),
    shows: 'Profile',
  },
  {
    name: 'palette',
    viewer: 'student',
    path: '/course/Demo/problems',
    reach: async (tab) => {
      await tab.locator('main h1').waitFor()
      await tab.keyboard.press('Control+k')
      await tab.getByRole('combobox', { name: 'Go to' }).fill('a + b')
    },
    shows: /Submit: /,
  },
  {
    name: 'home without homeworks',
    viewer: 'student',
    path: '/',
    faults: { 'GET /homework': 'internal' },
    shows: FAILED,
  },
  {
    name: 'page for others',
    viewer: 'student',
    path: '/admin/user',
    shows: 'This account has no access',
  },
  { name: 'no such page', viewer: 'student', path: '/nowhere', shows: 'Page not found' },
  { name: 'no such course', viewer: 'student', path: '/course/Nowhere', shows: 'Page not found' },
  {
    name: 'courses that cannot be read',
    viewer: 'student',
    path: '/courses',
    faults: { 'GET /course': 'internal' },
    shows: FAILED,
  },
  {
    name: 'courses that load',
    viewer: 'student',
    path: '/courses',
    faults: { 'GET /course': 'slow' },
    shows: 'Courses',
  },
  {
    name: 'course that cannot be read',
    viewer: 'student',
    path: '/course/Demo/problems',
    faults: { 'GET /course/*': 'internal' },
    shows: FAILED,
  },
  {
    name: 'problem that cannot be read',
    viewer: 'student',
    path: '/course/Demo/problem/1',
    faults: { 'GET /problem/*': 'internal' },
    shows: FAILED,
  },
  {
    name: 'problems, offline',
    viewer: 'student',
    path: '/course/Demo/problems',
    faults: { 'GET /health': 'lost' },
    reach: loseConnection,
    shows: OFFLINE,
  },
  {
    name: 'submissions that load while offline',
    viewer: 'student',
    path: '/course/Demo/submissions',
    faults: { 'GET /submission': 'lost', 'GET /health': 'lost' },
    shows: OFFLINE,
  },
  {
    name: 'signing out with code that was never submitted',
    viewer: 'student',
    path: submitPath(1),
    screen: 'wide',
    reach: async (tab) => {
      await tab.locator('.cm-editor').waitFor()
      await tab.getByLabel('Source code', { exact: true }).first().fill('print(2)')
      await press(/Account menu of/)(tab)
      await tab.getByRole('menuitem', { name: 'Sign out' }).click()
    },
    shows: 'Some code was never submitted',
  },
  {
    name: 'submit without code',
    viewer: 'student',
    path: submitPath(1),
    reach: async (tab) => {
      await tab.locator('.cm-editor').waitFor()
      await press('Submit')(tab)
    },
    shows: 'Please paste your source code to submit.',
  },
  {
    name: 'submit that the server fails',
    viewer: 'student',
    path: submitPath(2),
    faults: { 'POST /submission': 'internal' },
    reach: write('Submit'),
    shows: /Your code is kept here/,
  },
  {
    name: 'submit that is limited',
    viewer: 'student',
    path: submitPath(3),
    faults: { 'POST /submission': 'too_many_submissions' },
    reach: write('Submit'),
    shows: 'Too many submissions in a short time.',
  },
  {
    name: 'run that the server fails',
    viewer: 'student',
    path: submitPath(4),
    faults: { 'POST /problem/*/run': 'internal' },
    reach: write('Run samples'),
    shows: 'The action failed',
  },
  {
    name: 'samples that fail with a long line',
    viewer: 'student',
    path: submitPath(2),
    reach: write('Run samples', 'print("x" * 3000)'),
    shows: /x{3000}/,
  },
  {
    name: 'how a language is compiled',
    viewer: 'student',
    path: submitPath(5),
    faults: { 'GET /languages': 'internal' },
    reach: async (tab) => {
      await tab.getByRole('main').getByLabel('Language').selectOption({ label: 'Python 3' })
      await tab.getByRole('button', { name: 'Keys and help' }).click()
      await tab.getByText('How Python 3 is compiled and run').click()
    },
    shows: 'The versions could not be loaded.',
  },
  {
    name: 'submission that cannot be read',
    viewer: 'student',
    path: (ids) => `/course/Demo/submission/${ids.submission}`,
    faults: { 'GET /submission/*': 'internal' },
    shows: FAILED,
  },
  {
    name: 'question about a line',
    viewer: 'student',
    path: (ids) => `/course/Demo/submission/${ids.submission}`,
    reach: press('Ask about line 1'),
    shows: 'You can write Markdown. Ctrl+Enter sends.',
  },
  {
    name: 'question that is refused',
    viewer: 'student',
    path: '/course/Demo/problem/1',
    faults: { 'POST /problem/*/questions': 'too_many_requests' },
    reach: async (tab) => {
      await press('Ask a question')(tab)
      await tab.locator('form textarea').fill('Why?')
      await press('Send')(tab)
    },
    shows: 'Too many requests in a short time.',
  },
  {
    name: 'output of a case that cannot be read',
    viewer: 'student',
    path: (ids) => `/course/Demo/submission/${ids.submission}`,
    faults: { 'GET /submission/*/output/*/*': 'internal' },
    reach: async (tab) => {
      await tab.getByText(/^Subtask 0/).click()
      await press(/^Show the output of/)(tab)
    },
    shows: FAILED,
  },
  {
    name: 'no submission matches',
    viewer: 'student',
    path: '/course/Demo/submissions?status=4',
    shows: 'No submission matches.',
  },
  {
    name: 'passwords that differ',
    viewer: 'student',
    path: '/profile',
    reach: steps(
      fill(/^Current password/, 'demo-password'),
      fill(/^New password/, 'a new password 1'),
      fill(/^Repeat the new password/, 'a new password 2'),
      press('Change password'),
    ),
    shows: 'Password does not match.',
  },
  {
    name: 'profile that another tab has saved',
    viewer: 'student',
    path: '/profile',
    faults: {
      'POST /profile': 'stale_edit',
      'PUT /profile': 'stale_edit',
      'PATCH /profile': 'stale_edit',
    },
    reach: steps(fill(/^Display name/, 'Student of axe'), press('Save')),
    shows: 'Save my version anyway',
  },
  {
    name: 'new token',
    viewer: 'student',
    path: '/profile',
    reach: steps(press('New token'), press('Create token')),
    shows: 'Value is required',
  },
  {
    name: 'password asked for again',
    viewer: 'student',
    path: '/profile',
    faults: { 'POST /auth/email': 'password_required' },
    reach: steps(
      press('Change the email address'),
      fill(/^New email address/, 'student@example.com'),
      press('Send the link'),
    ),
    shows: 'Confirm your password',
  },
  {
    name: 'sessions that cannot be read',
    viewer: 'student',
    path: '/profile',
    faults: { 'GET /auth/sessions': 'internal', 'GET /auth/tokens': 'internal' },
    shows: FAILED,
  },
  {
    name: 'session that has ended',
    viewer: 'student',
    path: '/courses',
    faults: { 'GET /course': 'not_signed_in' },
    shows: 'Your session has ended',
  },
  {
    name: 'scoreboard that is hidden',
    viewer: 'student',
    path: (ids) => `/course/Demo/homeworks/${ids.homework}/stats`,
    shows: /Students do not see|Sum/,
  },
]

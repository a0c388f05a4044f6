/** States that teachers meet. */
import type { Page } from 'playwright-core'
import { FAILED, type AppState, failAt, fill, press, steps } from './state.ts'

const demo = (path: string) => `/course/Demo/${path}`

/** Opens the menu “More” and presses an entry. */
const inMenu = (name: string) => steps(press('More'), press(name))

/** Gives a file to a field. */
const give = (label: string | RegExp, name: string, text: string) => (tab: Page) =>
  tab
    .getByLabel(label, { exact: true })
    .first()
    .setInputFiles({ name, mimeType: 'application/octet-stream', buffer: Buffer.from(text) })

const giveCsv = (text: string) => async (tab: Page) => {
  await tab.getByText('Import members from a CSV file').click()
  await tab
    .locator('details input[type=file]')
    .setInputFiles({ name: 'members.csv', mimeType: 'text/csv', buffer: Buffer.from(text) })
}

export const TEACHER_STATES: readonly AppState[] = [
  {
    name: 'homework without values',
    viewer: 'teacher',
    path: demo('homeworks/new'),
    reach: press('Save'),
    shows: 'Value is required',
  },
  {
    name: 'list of a field',
    viewer: 'teacher',
    path: demo('homeworks/new'),
    reach: (tab) => tab.getByLabel('Problems', { exact: true }).first().click(),
    shows: /^#2 /,
  },
  {
    name: 'homework form whose list of problems cannot be read',
    viewer: 'teacher',
    path: demo('homeworks/new'),
    faults: { 'GET /problem': 'internal' },
    shows: FAILED,
  },
  {
    name: 'homework whose name is taken',
    viewer: 'teacher',
    path: (ids) => demo(`homeworks/${ids.homework}/edit`),
    faults: { 'PUT /homework/*': 'homework_exists' },
    reach: press('Save'),
    shows: 'This course already has a homework with this name.',
  },
  {
    name: 'homework that somebody else has saved',
    viewer: 'teacher',
    path: (ids) => demo(`homeworks/${ids.homework}/edit`),
    faults: { 'PUT /homework/*': 'stale_edit' },
    reach: press('Save'),
    shows: 'Save my version anyway',
  },
  {
    name: 'homework that cannot be saved',
    viewer: 'teacher',
    path: demo('homeworks/new'),
    faults: { 'POST /homework': 'lost', 'GET /health': 'lost' },
    reach: steps(fill(/^Name/, 'Lost'), press('Save')),
    shows: 'The server did not answer.',
  },
  {
    name: 'deletion of a homework',
    viewer: 'teacher',
    path: (ids) => demo(`homeworks/${ids.homework}/edit`),
    reach: press('Delete'),
    shows: 'Type the name to confirm',
  },
  {
    name: 'menu of a problem',
    viewer: 'teacher',
    path: demo('problem/1'),
    reach: press('More'),
    shows: 'Copy detection',
  },
  {
    name: 'rejudge',
    viewer: 'teacher',
    path: demo('problem/1'),
    reach: inMenu('Rejudge all'),
    shows: 'Rejudge submissions',
  },
  {
    name: 'rejudge that the server fails',
    viewer: 'teacher',
    path: demo('problem/1'),
    faults: { 'POST /problem/*/rejudge': 'internal' },
    reach: steps(inMenu('Rejudge all'), press('Rejudge')),
    shows: FAILED,
  },
  {
    name: 'deletion of a problem that is refused',
    viewer: 'teacher',
    path: demo('problem/1'),
    faults: { 'DELETE /problem/manage/*': 'forbidden' },
    reach: async (tab) => {
      await inMenu('Delete')(tab)
      await tab.getByLabel('Type the name to confirm').fill('A + B')
      await tab.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    },
    shows: 'You are not allowed to do this.',
  },
  {
    name: 'copy of a problem',
    viewer: 'teacher',
    path: demo('problem/1'),
    reach: async (tab) => {
      await inMenu('Copy to a course')(tab)
      await tab.getByRole('combobox', { name: 'Course' }).click()
      await tab.getByRole('option', { name: 'Demo' }).waitFor()
    },
    shows: /a hidden copy of “A \+ B”/,
  },
  {
    name: 'copy of a problem into no course of theirs',
    viewer: 'teacher',
    path: demo('problem/1'),
    reach: async (tab) => {
      await inMenu('Copy to a course')(tab)
      await tab.getByRole('combobox', { name: 'Course' }).fill('none of that name')
    },
    shows: 'You are not on the staff of a course with this name.',
  },
  {
    name: 'problem without values',
    viewer: 'teacher',
    path: demo('problem/new'),
    reach: press('Save'),
    shows: 'Some fields are invalid.',
  },
  {
    name: 'zip that is none',
    viewer: 'teacher',
    path: demo('problem/new'),
    reach: give('Test data zip', 'tests.zip', 'no zip'),
    shows: 'This zip cannot be used',
  },
  {
    name: 'cases typed by hand',
    viewer: 'teacher',
    path: demo('problem/1/edit'),
    reach: async (tab) => {
      await tab.getByText('Type or paste').first().click()
      await tab.getByText('Make the outputs with a solution').click()
    },
    shows: 'Language of the solution',
  },
  {
    name: 'problem that somebody else has saved',
    viewer: 'teacher',
    path: demo('problem/1/edit'),
    faults: { 'PUT /problem/manage/*': 'stale_edit' },
    reach: press('Save'),
    shows: 'Save my version anyway',
  },
  {
    name: 'problem that would show its tests',
    viewer: 'teacher',
    path: demo('problem/1/edit'),
    faults: { 'PUT /problem/manage/*': 'reveals_tests' },
    reach: press('Save'),
    shows: 'Not saved yet: may students see these tests?',
  },
  {
    name: 'interactive problem',
    viewer: 'teacher',
    path: demo('problem/new'),
    reach: async (tab) => {
      await tab.getByRole('combobox', { name: 'Comparison' }).click()
      await tab.getByRole('option', { name: 'Interactive' }).click()
    },
    shows: 'Source of the interactor',
  },
  {
    name: 'statement preview',
    viewer: 'teacher',
    path: demo('announcements/new'),
    reach: (tab) => tab.getByLabel('Description').first().fill('# Heading\n\n- [x] done\n\n$$x$$'),
    shows: 'Heading',
  },
  {
    name: 'announcement without a title',
    viewer: 'teacher',
    path: demo('announcements/new'),
    reach: press('Save'),
    shows: 'Value is required',
  },
  {
    name: 'announcement that cannot be pinned',
    viewer: 'teacher',
    path: (ids) => demo(`announcements/${ids.announcement}`),
    faults: { 'PUT /ann': 'stale_edit' },
    reach: press(/^(Pin to the top|Unpin)$/),
    shows: 'Someone else has changed this since you opened it.',
  },
  {
    name: 'a failure behind what is shown',
    viewer: 'teacher',
    path: (ids) => demo(`announcements/${ids.announcement}`),
    faults: { 'PUT /ann': 'stale_edit' },
    reach: async (tab) => {
      const pin = tab.getByRole('button', { name: /^(Pin to the top|Unpin)$/ })
      await pin.waitFor()
      await failAt(tab, 'GET /ann/*/*', 'internal')
      await pin.click()
    },
    shows: /^Oops! Our server failed to respond\.$/,
  },
  {
    name: 'deletion of an announcement',
    viewer: 'teacher',
    path: (ids) => demo(`announcements/${ids.announcement}`),
    reach: press('Delete'),
    shows: /^Delete “.*” for good\?/,
  },
  {
    name: 'unknown members',
    viewer: 'teacher',
    path: demo('members'),
    reach: steps(fill('Add people', 'nobody-of-that-name'), press('Add')),
    shows: /nobody-of-that-name/,
  },
  {
    name: 'rows of a CSV file with faults',
    viewer: 'teacher',
    path: demo('members'),
    reach: giveCsv('username,email,displayed name,password\nx y,nothing,,1\n'),
    shows: 'Outcome',
  },
  {
    name: 'columns of a CSV file that nobody knows',
    viewer: 'teacher',
    path: demo('members'),
    reach: giveCsv('a;b\nc;d\n'),
    shows: /^Choose the columns for/,
  },
  {
    name: 'course whose name is taken',
    viewer: 'teacher',
    path: demo('settings'),
    faults: {
      'PUT /course': 'course_exists',
      'PUT /course/*': 'course_exists',
      'PATCH /course/*': 'course_exists',
    },
    reach: steps(fill(/^Course name/, 'Demo 2'), press('Save')),
    shows: 'A course with this name already exists.',
  },
  {
    name: 'deletion of a course',
    viewer: 'teacher',
    path: demo('settings'),
    reach: press('Delete course'),
    shows: 'Type the name to confirm',
  },
  {
    name: 'new course that the server fails',
    viewer: 'teacher',
    path: '/courses/new',
    faults: { 'POST /course': 'internal' },
    reach: steps(fill(/^Course name/, 'Never made'), press('Create course')),
    shows: 'Unknown error occurred :(',
  },
  {
    name: 'saved replies',
    viewer: 'teacher',
    path: demo('questions'),
    reach: steps(press('Saved replies'), press('Add a reply')),
    shows: 'Add a reply',
  },
  {
    name: 'answer that is refused',
    viewer: 'teacher',
    path: (ids) => demo(`question/${ids.question}`),
    faults: { 'POST /question/*/messages': 'too_many_requests' },
    reach: async (tab) => {
      await press('Reply')(tab)
      await tab.locator('form textarea').fill('No.')
      await press(/^(Reply|Send)$/)(tab)
    },
    shows: 'Too many requests in a short time.',
  },
  {
    name: 'copies that cannot be read',
    viewer: 'teacher',
    path: (ids) => demo(`problem/${ids.copiedProblem}/copycat`),
    faults: { 'GET /copycat': 'internal', 'GET /copycat/*': 'internal' },
    shows: FAILED,
  },
  {
    name: 'two programs side by side',
    viewer: 'teacher',
    path: (ids) => demo(`problem/${ids.copiedProblem}/copycat`),
    reach: (tab) =>
      tab
        .getByRole('link', { name: /^Compare / })
        .first()
        .click(),
    shows: /Part 1: /,
  },
  {
    name: 'statistics that cannot be read',
    viewer: 'teacher',
    path: demo('problem/1/stats'),
    faults: { 'GET /problem/*/stats': 'internal' },
    shows: FAILED,
  },
]

/** States of the gradebook, of files of other systems, and of a student's own marks. */
import type { Page } from 'playwright-core'
import { FAILED, type AppState, fill, press, steps } from './state.ts'

const GRADEBOOK = '/course/Demo/gradebook'
const SETTINGS = `${GRADEBOOK}/settings`
const FILES = `${GRADEBOOK}/files`
const MARKS = '/course/Demo/marks'

/** Presses keys, one after the other, with the grid's first cell active. */
const keys =
  (...all: string[]) =>
  async (tab: Page) => {
    await tab.getByRole('grid').focus()
    for (const key of all) await tab.keyboard.press(key)
  }

/** Pastes as a spreadsheet would. */
const paste = (text: string) => async (tab: Page) => {
  await tab.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await tab.bringToFront()
  await tab.getByRole('grid').focus()
  await tab.evaluate((copied) => navigator.clipboard.writeText(copied), text)
  await tab.keyboard.press('Control+v')
}

const openHead = (name: string) => (tab: Page) =>
  tab
    .getByRole('columnheader', { name: new RegExp(`^${name}`) })
    .first()
    .click()

const give = (name: string, text: string) => (tab: Page) =>
  tab
    .locator('main input[type=file]')
    .setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text) })

const CANVAS = [
  'Student,ID,SIS User ID,SIS Login ID,Section,First steps (1)',
  '    Points Possible,,,,,150.00',
  'Student,301,,student,Lab,1.00',
  'Nobody,302,,nobody,Lab,1.00',
  '',
].join('\n')

const openMark = (tab: Page) => tab.locator('main summary').first().click()

export const MARK_STATES: readonly AppState[] = [
  {
    name: 'marks that cannot be read',
    viewer: 'student',
    path: MARKS,
    faults: { 'GET /course/*/marks': 'internal' },
    shows: /Something went wrong/,
  },
  {
    name: 'a mark explained',
    viewer: 'student',
    path: MARKS,
    reach: openMark,
    shows: /came in time with \d+ points/,
  },
  {
    name: 'a question about a mark that cannot be sent',
    viewer: 'student',
    path: MARKS,
    faults: { 'POST /course/*/gradebook/*/questions': 'internal' },
    reach: steps(
      openMark,
      press('Ask about this mark: First steps'),
      fill('Your question about the mark in First steps', 'Why?'),
      press('Send'),
    ),
    shows: FAILED,
  },
  {
    name: 'marks of a student that cannot be read',
    viewer: 'ta',
    path: `${MARKS}/student`,
    faults: { 'GET /course/*/marks/*': 'internal' },
    shows: /Something went wrong/,
  },
  {
    name: 'columns of a gradebook that cannot be read',
    viewer: 'ta',
    path: GRADEBOOK,
    screen: 'wide',
    faults: { 'GET /course/*/gradebook/columns': 'internal' },
    shows: /Something went wrong/,
  },
  {
    name: 'marks of a gradebook that cannot be read',
    viewer: 'ta',
    path: GRADEBOOK,
    screen: 'wide',
    faults: { 'GET /course/*/gradebook': 'internal' },
    shows: FAILED,
  },
  {
    name: 'why a mark is so',
    viewer: 'ta',
    path: GRADEBOOK,
    screen: 'wide',
    reach: (tab) => tab.getByRole('gridcell').first().click(),
    shows: 'See the student’s page',
  },
  {
    name: 'a mark that cannot be read',
    viewer: 'ta',
    path: GRADEBOOK,
    screen: 'wide',
    faults: { 'GET /course/*/gradebook/*/*': 'internal' },
    reach: (tab) => tab.getByRole('gridcell').first().click(),
    shows: FAILED,
  },
  {
    name: 'a mark that cannot be saved',
    viewer: 'ta',
    path: GRADEBOOK,
    screen: 'wide',
    faults: { 'PATCH /course/*/gradebook': 'internal' },
    reach: keys('7', 'Enter'),
    shows: /^The change was not saved\./,
  },
  {
    name: 'a text that is no mark',
    viewer: 'ta',
    path: GRADEBOOK,
    screen: 'wide',
    reach: keys('x', 'Enter'),
    shows: '1 cell is not a mark. Correct the cell first; nothing is saved until then.',
  },
  {
    name: 'a block that is pasted',
    viewer: 'ta',
    path: GRADEBOOK,
    screen: 'wide',
    reach: paste('1\n2\n3\n'),
    shows: '3 marks change. Students: 3.',
  },
  {
    name: 'the menu of a column',
    viewer: 'ta',
    path: GRADEBOOK,
    screen: 'wide',
    reach: openHead('First steps'),
    shows: 'Show to students…',
  },
  {
    name: 'who sees a column',
    viewer: 'teacher',
    path: GRADEBOOK,
    screen: 'wide',
    reach: steps(openHead('First steps'), (tab) =>
      tab.getByRole('menuitem', { name: 'Show to students…' }).click(),
    ),
    shows: 'These marks are',
  },
  {
    name: 'no student of this name',
    viewer: 'ta',
    path: GRADEBOOK,
    screen: 'wide',
    reach: fill('Find a student', 'zzz'),
    shows: 'No student has this name.',
  },
  {
    name: 'a group without a name',
    viewer: 'teacher',
    path: SETTINGS,
    reach: steps(press('Add a group'), press('Save')),
    shows: 'Value is required',
  },
  {
    name: 'a manual column in a group',
    viewer: 'teacher',
    path: SETTINGS,
    reach: steps(press('Add a group'), press('Add a column')),
    shows: 'Extra credit: the group only adds to the total',
  },
  {
    name: 'rules of a gradebook that somebody else has saved',
    viewer: 'teacher',
    path: SETTINGS,
    faults: { 'PUT /course/*/gradebook/columns': 'stale_edit' },
    reach: steps(
      (tab) => tab.getByLabel('Teaching assistants see the total').click(),
      press('Save'),
    ),
    shows: 'Save my version anyway',
  },
  {
    name: 'the total shown to students',
    viewer: 'teacher',
    path: SETTINGS,
    reach: press('Show the total to students'),
    shows: 'Each student sees their total and how it is made, and gets a notice.',
  },
  {
    name: 'a file that is no gradebook',
    viewer: 'ta',
    path: FILES,
    reach: give('marks.csv', ''),
    shows: 'marks.csv is empty. Export the gradebook again.',
  },
  {
    name: 'a gradebook of Canvas',
    viewer: 'ta',
    path: FILES,
    reach: give('marks.csv', CANVAS),
    shows: /^marks\.csv is a gradebook of Canvas\./,
  },
  {
    name: 'marks that are read from a file',
    viewer: 'ta',
    path: FILES,
    reach: steps(give('marks.csv', CANVAS), (tab) =>
      tab.getByText('Read marks from the file', { exact: true }).click(),
    ),
    shows: 'Reason (optional). The students read it.',
  },
  {
    name: 'marks for a system that takes no file',
    viewer: 'ta',
    path: FILES,
    reach: (tab) =>
      tab
        .getByLabel('In this gradebook', { exact: true })
        .first()
        .selectOption({ label: 'First steps' }),
    shows: 'Student 2',
  },
]

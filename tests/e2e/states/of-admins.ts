/** States that admins meet. */
import { FAILED, type AppState, fill, press, steps } from './state.ts'

export const ADMIN_STATES: readonly AppState[] = [
  {
    name: 'dashboard that cannot be read',
    viewer: 'admin',
    path: '/admin/dashboard',
    faults: {
      'GET /user/summary': 'internal',
      'GET /course/summary': 'internal',
      'GET /queue': 'internal',
      'GET /runners': 'internal',
    },
    shows: FAILED,
  },
  {
    name: 'new judge host',
    viewer: 'admin',
    path: '/admin/dashboard',
    reach: press('Add judge host'),
    shows: 'The name shown in this list.',
  },
  {
    name: 'slots of a judge host',
    viewer: 'admin',
    path: '/admin/dashboard',
    reach: press(/^Limit slots of/),
    shows: 'Slots at most',
  },
  {
    name: 'people that cannot be read',
    viewer: 'admin',
    path: '/admin/user',
    faults: { 'GET /user': 'internal' },
    shows: FAILED,
  },
  {
    name: 'new account whose name is taken',
    viewer: 'admin',
    path: '/admin/user',
    reach: steps(
      press('New account'),
      fill(/^Username/, 'student'),
      fill(/^Email/, 'new@example.org'),
      press('Create account'),
    ),
    shows: 'This username is taken.',
  },
  {
    name: 'account that is changed',
    viewer: 'admin',
    path: '/admin/user',
    reach: press('Edit student'),
    shows: 'Only active accounts can sign in.',
  },
  {
    name: 'erasure of a person',
    viewer: 'admin',
    path: '/admin/user',
    reach: press('Erase student2'),
    shows: /^This erases the account/,
  },
  {
    name: 'audit log that cannot be read',
    viewer: 'admin',
    path: '/admin/audit',
    faults: { 'GET /audit': 'internal' },
    shows: FAILED,
  },
  {
    name: 'set-up that cannot be read',
    viewer: 'admin',
    path: '/admin/setup',
    faults: { 'GET /setup': 'internal' },
    shows: FAILED,
  },
  {
    name: 'page of the administration whose code cannot be loaded',
    viewer: 'admin',
    path: '/admin/setup',
    reach: async (tab) => {
      await tab.locator('main h1').waitFor()
      await tab.route(/assets\/\w+-page-/, (route) => route.abort())
      await tab.getByRole('link', { name: 'People' }).first().click()
    },
    shows: 'A part of this page failed.',
  },
]

/** States that guests meet, and states of the frame around every page. */
import { FAILED, type AppState, fill, press, steps } from './state.ts'

const WRONG = 'Oops! Something went wrong, please refresh the page to try again.'
const signIn = steps(
  fill('Username or email', 'student'),
  fill('Password', 'not the password'),
  press('Sign in'),
)

export const GUEST_STATES: readonly AppState[] = [
  {
    name: 'sign-in without values',
    viewer: 'guest',
    path: '/',
    reach: press('Sign in'),
    shows: 'Value is required',
  },
  {
    name: 'sign-in refused',
    viewer: 'guest',
    path: '/',
    faults: { 'POST /auth/session': 'login_failed' },
    reach: signIn,
    shows: 'Login Failed: Your username/email or password is incorrect.',
  },
  {
    name: 'sign-in that the server fails',
    viewer: 'guest',
    path: '/',
    faults: { 'POST /auth/session': 'internal' },
    reach: signIn,
    shows: /^Unknown Error/,
  },
  {
    name: 'sign-in that waits for its turn',
    viewer: 'guest',
    path: '/',
    faults: { 'POST /auth/session': 'slow' },
    reach: signIn,
    shows: 'Signing you in. One moment, please.',
  },
  {
    name: 'asked to sign in first',
    viewer: 'guest',
    path: '/courses',
    shows: 'Please sign in to see that page.',
  },
  {
    name: 'drawer of a guest',
    viewer: 'guest',
    path: '/about',
    screen: 'phone',
    reach: press('Open the menu'),
    shows: 'Menu',
  },
  {
    name: 'home without its announcements',
    viewer: 'guest',
    path: '/',
    faults: { 'GET /ann': 'internal' },
    shows: FAILED,
  },
  {
    name: 'the session cannot be read',
    viewer: 'guest',
    path: '/about',
    faults: { 'GET /auth/me': 'internal' },
    shows: 'Oops! Our server failed to respond.',
  },
  {
    name: 'about without the server',
    viewer: 'guest',
    path: '/about',
    faults: { 'GET /health': 'internal' },
    shows: WRONG,
  },
  {
    name: 'offline, home of a guest',
    viewer: 'guest',
    path: '/',
    faults: { 'GET /ann': 'lost', 'GET /health': 'lost' },
    shows: /^Cannot reach the server\./,
  },
  {
    name: 'password reset without an address',
    viewer: 'guest',
    path: '/password_reset',
    reach: press('Send the link'),
    shows: 'Value is required',
  },
  {
    name: 'password reset of nobody',
    viewer: 'guest',
    path: '/password_reset',
    faults: { 'POST /auth/password-recovery': 'unknown_email' },
    reach: steps(fill(/^Registered email/, 'nobody@example.org'), press('Send the link')),
    shows: 'No account with this email can be found.',
  },
  {
    name: 'a system announcement that is gone',
    viewer: 'guest',
    path: '/announcements/nothing',
    shows: 'Page not found',
  },
  {
    name: 'a system announcement that cannot be read',
    viewer: 'guest',
    path: (ids) => `/announcements/${ids.systemAnnouncement}`,
    faults: { 'GET /ann/*': 'internal' },
    shows: WRONG,
  },
]

/** States of joining, of notices and of a course's webhook. */
import { FAILED, type AppState, fill, press, steps } from './state.ts'

const MEMBERS = '/course/Demo/members'
const sendInvitations = press('Send invitations')

export const JOINER_STATES: readonly AppState[] = [
  {
    name: 'a code that is none',
    viewer: 'guest',
    path: '/join',
    reach: steps(fill(/^Course code/, 'ABC'), press('Show the course')),
    shows: /^This is no course code/,
  },
  {
    name: 'a code that does not exist',
    viewer: 'guest',
    path: '/join#2345-6789-ABCD',
    shows: /^This code does not exist or was closed/,
  },
  {
    name: 'a code that cannot be read',
    viewer: 'guest',
    path: '/join#2345-6789-ABCD',
    faults: { 'POST /join/look': 'internal' },
    shows: /Something went wrong/,
  },
  {
    name: 'notices that cannot be read',
    viewer: 'student',
    path: '/notices',
    faults: { 'GET /notices': 'internal' },
    shows: /Something went wrong/,
  },
  {
    name: 'notice settings that cannot be read',
    viewer: 'student',
    path: '/notices',
    faults: { 'GET /notices/settings': 'internal' },
    shows: /Something went wrong/,
  },
  {
    name: 'a course that cannot be left',
    viewer: 'student',
    path: MEMBERS,
    faults: { 'POST /course/*/leave': 'internal' },
    reach: steps(press('Leave this course'), (tab) =>
      tab.getByRole('dialog').getByRole('button', { name: 'Leave this course' }).click(),
    ),
    shows: FAILED,
  },
  {
    name: 'too many codes',
    viewer: 'teacher',
    path: MEMBERS,
    faults: { 'POST /course/*/join-codes': 'too_many_join_codes' },
    reach: press('New code'),
    shows: 'This course has too many codes and invitations. Close old ones first.',
  },
  {
    name: 'a code for a domain that is none',
    viewer: 'teacher',
    path: MEMBERS,
    reach: steps(
      press('New code with limits'),
      fill('Email domains', 'nowhere'),
      press('Make and show'),
    ),
    shows: 'Value is not valid',
  },
  {
    name: 'an invitation to no address',
    viewer: 'teacher',
    path: MEMBERS,
    reach: steps(
      (tab) => tab.getByText('Invite teaching assistants by email').click(),
      fill('Email addresses', 'somebody'),
      sendInvitations,
    ),
    shows: 'These are no email addresses: somebody.',
  },
  {
    name: 'invitations where no mail is sent',
    viewer: 'teacher',
    path: MEMBERS,
    faults: { 'POST /course/*/invitations': 'not_configured' },
    reach: steps(
      (tab) => tab.getByText('Invite teaching assistants by email').click(),
      fill('Email addresses', 'somebody@example.org'),
      sendInvitations,
    ),
    shows: 'This feature is not configured on this installation.',
  },
  {
    name: 'codes that cannot be read',
    viewer: 'teacher',
    path: MEMBERS,
    faults: { 'GET /course/*/joining': 'internal' },
    shows: FAILED,
  },
  {
    name: 'a webhook with a bad address',
    viewer: 'teacher',
    path: '/course/Demo/settings',
    reach: steps(fill('Address', 'http://10.0.0.1/'), press('Set up the webhook')),
    shows: 'This is no https address with a public name.',
  },
]

/** The calls about people, sessions and tokens. */
import * as z from 'zod'
import * as auth from '#contract/people/auth'
import type { Rows } from '#contract/calls/call'
import { idInPath } from '#contract/fields'
import { BODY_LIMITS } from '#contract/limits'
import * as tokens from '#contract/people/tokens'
import * as users from '#contract/people/users'

/** The rows of these calls in the table of calls. */
export const PEOPLE_CALLS = {
  'GET /auth/me': {
    who: 'session',
    unconfirmed: true,
    tellsGuests: true,
    summary: 'The signed-in person. With `Prefer: handling=lenient`, null instead of the 401.',
    data: auth.me,
  },
  'POST /auth/session': {
    who: 'anyone',
    summary: 'Signs in with username or e-mail; sets the session cookie.',
    body: auth.loginBody,
    errors: ['login_failed', 'invalid_user', 'too_many_logins'],
  },
  'DELETE /auth/session': { who: 'anyone', summary: 'Signs out.' },
  'GET /auth/session': {
    who: 'anyone',
    changes: true,
    summary: 'Signs out; the older form.',
  },
  'GET /auth/sessions': {
    who: 'session',
    unconfirmed: true,
    scope: null,
    summary: 'One’s own live sessions.',
    data: z.array(auth.sessionItem),
  },
  'DELETE /auth/sessions/:id': {
    who: 'owner',
    unconfirmed: true,
    scope: null,
    summary: 'Ends one of one’s own sessions.',
    params: idInPath,
    errors: ['session_not_found'],
  },
  'POST /auth/activate': {
    who: 'anyone',
    summary: 'Activates an account by the token of a mailed link.',
    body: auth.activateBody,
    errors: ['bad_link', 'email_exists'],
  },
  'POST /auth/change-password': {
    who: 'session',
    unconfirmed: true,
    scope: null,
    summary: 'Changes one’s own password; every session of that person ends.',
    body: auth.changePasswordBody,
    errors: ['wrong_password'],
  },
  'POST /auth/confirm-password': {
    who: 'session',
    unconfirmed: true,
    scope: null,
    summary:
      'Confirms one’s own password for ten minutes. Calls that need it make API tokens, add judge hosts, change e-mail addresses or roles, or erase people.',
    body: auth.confirmPasswordBody,
    errors: ['wrong_password'],
  },
  'POST /auth/check/username': {
    who: 'anyone',
    summary: 'Whether a username is free.',
    body: auth.checkUsernameBody,
    data: auth.checkResult,
  },
  'POST /auth/check/email': {
    who: 'anyone',
    summary: 'Whether an e-mail address is free: nobody has confirmed it.',
    body: auth.checkEmailBody,
    data: auth.checkResult,
  },
  'POST /auth/password-recovery': {
    who: 'anyone',
    summary: 'Mails a link with which a new password can be set.',
    body: auth.recoveryBody,
    errors: ['not_configured', 'unknown_email'],
  },
  'POST /auth/password-reset': {
    who: 'anyone',
    summary: 'Sets a new password by the token of a mailed link.',
    body: auth.resetBody,
    errors: ['bad_link', 'email_exists'],
  },
  'POST /auth/email': {
    who: 'session',
    unconfirmed: true,
    scope: null,
    summary:
      'Mails a link that confirms one’s own e-mail address, or a new one that is to take its place.',
    body: auth.askEmailBody,
    errors: [
      'password_required',
      'not_configured',
      'email_confirmed',
      'email_exists',
      'join_domain',
    ],
  },
  'POST /auth/email/confirm': {
    who: 'anyone',
    summary:
      'Confirms the e-mail address of an account and sets its password by the token of a mailed link.',
    body: auth.confirmEmailBody,
    errors: ['bad_link', 'email_exists'],
  },
  'POST /auth/email/move': {
    who: 'session',
    unconfirmed: true,
    scope: null,
    summary: 'Moves one’s own account to the e-mail address that got the mailed link.',
    body: auth.moveEmailBody,
    errors: ['bad_link', 'email_exists'],
  },
  'POST /auth/batch-signup': {
    who: 'teacher',
    about: 'signup',
    scope: 'admin',
    summary:
      'Creates, updates and enrols people from CSV, all or nothing, 50 rows at most; without a course for admins only. With `dryRun` it checks up to 5,000 rows and stores none.',
    body: auth.batchSignupBody,
    bodyBytes: BODY_LIMITS.longFormBytes,
    data: auth.batchSignupResult,
    errors: ['password_required', 'bad_csv', 'not_configured'],
  },
  'GET /auth/me/export': {
    who: 'session',
    unconfirmed: true,
    scope: null,
    summary: 'Everything that is stored about oneself.',
    file: 'application/json',
  },
  'GET /auth/tokens': {
    who: 'session',
    scope: null,
    summary: 'One’s own API tokens, without their secrets.',
    data: z.array(tokens.tokenItem),
  },
  'POST /auth/tokens': {
    who: 'session',
    scope: null,
    summary: 'Makes an API token; its secret is shown this once.',
    body: tokens.newToken,
    data: tokens.createdToken,
    errors: ['password_required', 'too_many_tokens'],
  },
  'DELETE /auth/tokens/:id': {
    who: 'owner',
    scope: null,
    summary: 'Revokes one of one’s own API tokens.',
    params: idInPath,
    errors: ['token_not_found'],
  },
  'GET /user': {
    who: 'admin',
    right: 'users.manage',
    summary: 'People, searched by a part of a name or address.',
    query: users.userListParams,
    data: users.userList,
  },
  'POST /user': {
    who: 'admin',
    right: 'users.manage',
    summary:
      'Creates an account. Without a password, a link to activate it is mailed; where no mail can be sent, the answer holds the link.',
    body: users.newUser,
    data: users.savedUser,
    errors: ['password_required', 'username_exists', 'email_exists'],
  },
  'GET /user/summary': {
    who: 'admin',
    right: 'users.manage',
    summary: 'How many people there are of each role.',
    data: users.userSummary,
  },
  'PATCH /user/:username': {
    who: 'admin',
    about: 'person',
    right: 'users.manage',
    summary: 'Changes an account.',
    body: users.userChange,
    data: users.savedUser,
    errors: [
      'password_required',
      'user_not_found',
      'email_exists',
      'email_unconfirmed',
      'last_admin',
      'stale_edit',
    ],
  },
  'DELETE /user/:username': {
    who: 'admin',
    about: 'person',
    right: 'users.manage',
    summary: 'Erases a person; results stay without a name.',
    errors: ['password_required', 'user_not_found', 'last_admin', 'user_teaches'],
  },
  'DELETE /user/:username/sessions': {
    who: 'admin',
    about: 'person',
    right: 'users.manage',
    summary:
      'Signs a person out everywhere: ends their sessions, with their sockets, and API tokens. The account stays open.',
    errors: ['user_not_found'],
  },
  'GET /profile/:username': {
    who: 'session',
    unconfirmed: true,
    about: 'person',
    summary: 'A person’s profile.',
    data: users.profile,
    errors: ['user_not_found'],
  },
  'POST /profile': {
    who: 'session',
    unconfirmed: true,
    summary: 'Changes one’s own profile.',
    body: users.profileChange,
    errors: ['stale_edit'],
  },
} satisfies Rows

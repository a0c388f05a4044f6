/** The texts of mails. The token stands behind `#` in links, so that no server and no Referer sees it. */
import type { Mail } from './mail.ts'

/** The name before the token in a link; it tells the page what the token does. */
type LinkName = 'token' | 'activate' | 'confirm' | 'move'

/** A link to the web app's page that takes tokens. @param origin empty: a path */
export function linkTo(origin: string, purpose: LinkName, token: string): string {
  return `${origin}/password_reset#${purpose}=${token}`
}

/** Shows an admin that mail leaves and arrives. */
export function trialLetter(to: string): Mail {
  return {
    to,
    subject: 'Mail works',
    text: 'You asked for this test mail on the set-up page of the judge.',
  }
}

/** Lets a person set a new password. */
export function resetLetter(origin: string, to: string, token: string): Mail {
  return {
    to,
    subject: 'Reset your password',
    text: [
      'Someone asked to reset the password of your account.',
      'This link works once and for 10 minutes:',
      linkTo(origin, 'token', token),
      'If this was not you, ignore this mail: your password stays the same.',
    ].join('\n\n'),
  }
}

/** Lets the owner of a new account sign in for the first time. */
export function activationLetter(
  origin: string,
  to: string,
  username: string,
  token: string,
): Mail {
  return {
    to,
    subject: 'Activate your account',
    text: [
      `An account was created for you. Your username is ${username}.`,
      'This link activates the account. The link works once and for 7 days:',
      linkTo(origin, 'activate', token),
      'If the link has expired, ask for a new one with "Forgot your password?" on the sign-in page.',
    ].join('\n\n'),
  }
}

/** Tells the owner that an admin has vouched for the e-mail, which ended the account's first password. */
export function vouchedLetter(origin: string, to: string, username: string, token: string): Mail {
  return {
    to,
    subject: 'Choose a new password',
    text: [
      `An admin has vouched for the e-mail address of your account ${username}. The first password of the account no longer works.`,
      'This link sets a new password. The link works once and for 7 days:',
      linkTo(origin, 'activate', token),
      'If the link has expired, ask for a new one with "Forgot your password?" on the sign-in page.',
    ].join('\n\n'),
  }
}

/** An account that claims an unconfirmed e-mail, with a token to set its password. */
interface ClaimingAccount {
  username: string
  active: boolean
  token: string
}

/** Lists the accounts that claim an address, for its owner who asked for recovery. */
export function claimsLetter(origin: string, to: string, accounts: ClaimingAccount[]): Mail {
  return {
    to,
    subject: 'Reset your password',
    text: [
      'Someone asked to reset the password of the account with this address. The address is not confirmed yet.',
      'Each link sets a new password and confirms that the address and the account are yours. Each link works once and for 10 minutes:',
      ...accounts.map(
        ({ username, active, token }) =>
          `${username}: ${linkTo(origin, active ? 'token' : 'activate', token)}`,
      ),
      'Use a link only for your own account. If this was not you, ignore this mail.',
    ].join('\n\n'),
  }
}

/** Asks the owner of an address to confirm it. */
export function confirmLetter(origin: string, to: string, username: string, token: string): Mail {
  return {
    to,
    subject: 'Confirm your e-mail address',
    text: [
      `The account ${username} uses this address. If the account is yours, confirm the address and choose a new password. The old password then stops working.`,
      'This link works once and for 7 days:',
      linkTo(origin, 'confirm', token),
      'If the account is not yours, ignore this mail: the address stays unconfirmed.',
    ].join('\n\n'),
  }
}

/** Asks the owner of a new address to confirm the change. */
export function moveLetter(origin: string, to: string, username: string, token: string): Mail {
  return {
    to,
    subject: 'Confirm your new e-mail address',
    text: [
      `You asked to use this e-mail address for your account ${username}.`,
      'Open this link in the browser where you are signed in. The link works once and for one day:',
      linkTo(origin, 'move', token),
      'If you did not ask, ignore this mail.',
    ].join('\n\n'),
  }
}

/** Tells the old address that the account has moved. */
export function movedLetter(to: string, username: string): Mail {
  return {
    to,
    subject: 'Your e-mail address was changed',
    text: [
      `The account ${username} now has another e-mail address. Mails go there, and this address no longer finds the account.`,
      'If you did not change it, tell an admin of this judge.',
    ].join('\n\n'),
  }
}

/** Asks the person who made an account by joining a course to confirm its address. */
export function welcomeLetter(origin: string, to: string, username: string, token: string): Mail {
  return {
    to,
    subject: 'Confirm your e-mail address',
    text: [
      `You made the account ${username}. Confirm within 7 days that this address is yours; afterwards the account waits until you do.`,
      'Open this link in the browser where you are signed in. In another browser you also choose a new password. The link works once and for 7 days:',
      linkTo(origin, 'confirm', token),
      'If the account is not yours, ignore this mail: the address stays unconfirmed.',
    ].join('\n\n'),
  }
}

/** Invites a person to become a teaching assistant. */
export function invitationLetter(
  origin: string,
  to: string,
  { course, by, code }: { course: string; by: string; code: string },
): Mail {
  return {
    to,
    subject: `Invitation to the course ${course}`,
    text: [
      `${by} invites you to become a teaching assistant of the course ${course}.`,
      'Open this link to accept. The link works once and for 7 days:',
      `${origin}/join#${code}`,
      'If you do not want this, ignore this mail.',
    ].join('\n\n'),
  }
}

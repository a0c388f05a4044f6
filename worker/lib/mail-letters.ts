/** What the product writes to people. The secret stands behind `#`, so that no server and no Referer sees it. */
import type { Mail } from './mail.ts'

/** The link of a mail. `purpose` says what the page does with the token. */
function linkTo(origin: string, purpose: 'token' | 'activate', token: string): string {
  return `${origin}/password_reset#${purpose}=${token}`
}

/** To somebody who cannot sign in any more. */
export function resetLetter(origin: string, to: string, token: string): Mail {
  return {
    to,
    subject: 'Reset your password',
    text: [
      'Somebody, most likely you, asked to reset the password of your account.',
      'This link works once and for 10 minutes:',
      linkTo(origin, 'token', token),
      'If it was not you, there is nothing to do: your password stays as it is.',
    ].join('\n\n'),
  }
}

/** To the owner of an account that waits for its first sign-in. */
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
      `An account was made for you. Your username is ${username}.`,
      'This link activates it; it works once and for 7 days:',
      linkTo(origin, 'activate', token),
      'When it is too old, ask for a new one with "forgot password" on the sign-in page.',
    ].join('\n\n'),
  }
}

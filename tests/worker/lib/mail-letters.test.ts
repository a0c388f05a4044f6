/** Each mail's text: the recipient, the account, where its link leads, and how long the link works. */
import { expect, test } from 'vitest'
import { LINK_SECONDS } from '../../../worker/db/lifetimes.ts'
import * as letters from '../../../worker/lib/mail-letters.ts'

const ORIGIN = 'https://judge.test'
const TO = 'ada@example.test'

/** How long a letter says that its link works, in seconds. */
function secondsIn(text: string): number {
  const [, count = '', unit = ''] = /works once and for (\w+) (minutes|days?)/.exec(text) ?? []
  return (count === 'one' ? 1 : Number(count)) * (unit === 'minutes' ? 60 : 86_400)
}

test.each([
  [
    'Reset your password',
    letters.resetLetter(ORIGIN, TO, 'secret'),
    'token',
    LINK_SECONDS.reset,
    false,
  ],
  [
    'Activate your account',
    letters.activationLetter(ORIGIN, TO, 'ada', 'secret'),
    'activate',
    LINK_SECONDS.activate,
    true,
  ],
  [
    'Choose a new password',
    letters.vouchedLetter(ORIGIN, TO, 'ada', 'secret'),
    'activate',
    LINK_SECONDS.activate,
    true,
  ],
  [
    'Confirm your e-mail address',
    letters.confirmLetter(ORIGIN, TO, 'ada', 'secret'),
    'confirm',
    LINK_SECONDS.confirm,
    true,
  ],
  [
    'Confirm your new e-mail address',
    letters.moveLetter(ORIGIN, TO, 'ada', 'secret'),
    'move',
    LINK_SECONDS.move,
    true,
  ],
] as const)(
  '“%s” has its link, how long it works, and whose it is',
  (subject, mail, purpose, seconds, isNamed) => {
    expect(mail).toMatchObject({ to: TO, subject })
    expect(mail.text.split('\n\n')).toContain(`${ORIGIN}/password_reset#${purpose}=secret`)
    expect(secondsIn(mail.text)).toBe(seconds)
    expect(/\bada\b/.test(mail.text)).toBe(isNamed)
  },
)

test('a mail for all who claim an address has a line for each, with the link that the account needs', () => {
  const accounts = [
    { username: 'ada', active: true, token: 'one' },
    { username: 'bob', active: false, token: 'two' },
  ]
  const mail = letters.claimsLetter(ORIGIN, TO, accounts)
  expect(mail).toMatchObject({ to: TO, subject: 'Reset your password' })
  const lines = mail.text.split('\n\n').filter((line) => line.includes('#'))
  expect(lines).toEqual([
    `ada: ${ORIGIN}/password_reset#token=one`,
    `bob: ${ORIGIN}/password_reset#activate=two`,
  ])
  expect(secondsIn(mail.text)).toBe(LINK_SECONDS.reset)
})

test('the old address is told of the account, without a link', () => {
  const mail = letters.movedLetter(TO, 'ada')
  expect(mail.to).toBe(TO)
  expect(mail.text).toContain('The account ada ')
  expect(mail.text).not.toContain('#')
  expect(letters.trialLetter(TO)).toMatchObject({ to: TO, subject: 'Mail works' })
})

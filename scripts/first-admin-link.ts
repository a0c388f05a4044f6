/** The first admin's account and the link that activates it. */
import { createHash, randomBytes } from 'node:crypto'
import { firstAdminStatements } from '../worker/db/first-admin.ts'
import { messageOf, PlainError } from './plain-error.ts'

/**
 * A new link, and the statements that make it work. The statements change nothing once an admin is active.
 * @param origin of the web app
 * @throws PlainError for a username or e-mail that the product would refuse
 */
export function firstAdminLink(
  origin: string,
  username: string,
  email: string,
): { statements: string[]; link: string } {
  const token = randomBytes(32).toString('base64url')
  const tokenHash = createHash('sha256').update(token).digest('hex')
  try {
    return {
      statements: firstAdminStatements({
        username,
        email,
        tokenHash,
        now: Math.floor(Date.now() / 1_000),
      }),
      link: `${origin.replace(/\/+$/, '')}/password_reset#activate=${token}`,
    }
  } catch (error) {
    throw new PlainError(`This username or e-mail does not work: ${messageOf(error)}`)
  }
}

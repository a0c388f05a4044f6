/**
 * The first admin of an installation: makes the account and prints the link that activates it.
 * `node scripts/first-admin.ts --origin https://judge.example.org --username admin --email me@example.org`
 * Whoever may run wrangler against the database may do this; the link works once and for 7 days.
 */
import { createHash, randomBytes } from 'node:crypto'
import { parseArgs } from 'node:util'
import { firstAdminStatements } from '../worker/db/first-admin.ts'
import { messageOf, PlainError, runCommand } from './plain-error.ts'
import { runWrangler } from './wrangler.ts'

const USAGE =
  'node scripts/first-admin.ts --origin https://judge.example.org --username admin --email me@example.org [--local --persist-to FOLDER]'

/** The statements for these arguments; a username or e-mail that the product would refuse is told here. */
function statementsFor(username: string, email: string, tokenHash: string): string[] {
  try {
    return firstAdminStatements({
      username,
      email,
      tokenHash,
      now: Math.floor(Date.now() / 1_000),
    })
  } catch (error) {
    throw new PlainError(`This username or e-mail does not work: ${messageOf(error)}`)
  }
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      origin: { type: 'string' },
      username: { type: 'string' },
      email: { type: 'string' },
      local: { type: 'boolean', default: false },
      'persist-to': { type: 'string' },
    },
  })
  const { origin, username, email } = values
  if (!origin || !username || !email) throw new PlainError(USAGE)
  const token = randomBytes(32).toString('base64url')
  const tokenHash = createHash('sha256').update(token).digest('hex')
  const where = values.local ? ['--local'] : ['--remote']
  if (values['persist-to']) where.push('--persist-to', values['persist-to'])
  for (const statement of statementsFor(username, email, tokenHash))
    await runWrangler('Adding the first admin', [
      'd1',
      'execute',
      'DB',
      ...where,
      '--yes',
      '--command',
      statement.replace(/\s+/g, ' '),
    ])
  console.log(`Open this link and choose a password (it works once, for 7 days):
${origin.replace(/\/+$/, '')}/password_reset#activate=${token}
If an admin is active already, nothing was changed and the link does not work.`)
}

await runCommand(main)

/**
 * The first admin of an installation: makes the account and prints the link that activates it.
 * `node scripts/first-admin.ts --origin https://judge.example.org --username admin --email me@example.org`
 * It needs the right to run wrangler against the database. The link works once, for 7 days.
 */
import { parseArgs } from 'node:util'
import { firstAdminLink } from './first-admin-link.ts'
import { PlainError, runCommand } from './plain-error.ts'
import { runWrangler } from './process/wrangler.ts'

const USAGE =
  'node scripts/first-admin.ts --origin https://judge.example.org --username admin --email me@example.org [--local --persist-to FOLDER]'

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
  const { statements, link } = firstAdminLink(origin, username, email)
  const where = values.local ? ['--local'] : ['--remote']
  if (values['persist-to']) where.push('--persist-to', values['persist-to'])
  for (const statement of statements)
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
${link}
If an admin is active already, nothing was changed and the link does not work.`)
}

await runCommand(main)

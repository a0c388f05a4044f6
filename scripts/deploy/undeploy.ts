/**
 * `npm run undeploy [-- --env staging] [--yes-delete NAME]`: lists the parts of an installation and deletes them, once the
 * installation's name is typed. This cannot be undone.
 */
import { join } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { parseArgs } from 'node:util'
import * as z from 'zod'
import { messageOf, PlainError, runCommand } from '../plain-error.ts'
import { ROOT } from '../root.ts'
import { findAccount, findResources, requireJurisdiction } from './account.ts'
import { ApiError, cloudflareOf, type Cloudflare } from './cloudflare.ts'
import { findDomain } from './domain.ts'
import { namesOf, type Names } from './names.ts'
import { requireOwn } from './ownership.ts'
import { readSettings, type Settings } from './settings-file.ts'

const USAGE = 'npm run undeploy [-- --env NAME] [--yes-delete NAME]'

interface Part {
  what: string
  path: string
}

/** The existing parts of an installation, in the order in which they must be deleted. */
export async function findParts(
  cloudflare: Cloudflare,
  names: Names,
  settings: Settings,
): Promise<Part[]> {
  const account = await findAccount(cloudflare, settings.CLOUDFLARE_ACCOUNT_ID)
  const below = `/accounts/${account}`
  const existing = await findResources(cloudflare, account, names)
  requireJurisdiction(names, existing, settings)
  await requireOwn(cloudflare, account, names, existing)
  const { DOMAIN: hostname } = settings
  const domain = hostname && (await findDomain(cloudflare, account, hostname))
  const queues = [existing.judgeQueue, existing.stepQueue, existing.deadLetterQueue].filter(
    (queue) => queue !== null,
  )
  return [
    ...(domain && domain.service === names.worker
      ? [{ what: `the domain ${hostname}`, path: `${below}/workers/domains/${domain.id}` }]
      : []),
    ...(existing.secrets
      ? [
          {
            what: `the Worker ${names.worker}`,
            path: `${below}/workers/scripts/${names.worker}?force=true`,
          },
        ]
      : []),
    ...queues.map(({ queue_id, queue_name }) => ({
      what: `the queue ${queue_name}`,
      path: `${below}/queues/${queue_id}`,
    })),
    ...(existing.bucket
      ? [
          {
            what: `the bucket ${names.bucket} (test data, kept outputs)`,
            path: `${below}/r2/buckets/${names.bucket}`,
          },
        ]
      : []),
    ...(existing.database
      ? [
          {
            what: `the database ${names.database} (all courses, people and submissions)`,
            path: `${below}/d1/database/${existing.database.uuid}`,
          },
        ]
      : []),
  ]
}

/** @throws PlainError when the bucket holds objects, which only the dashboard can delete all at once */
export async function deleteParts(
  cloudflare: Cloudflare,
  parts: readonly Part[],
  log: (line: string) => void,
): Promise<void> {
  for (const { what, path } of parts) {
    log(`Deleting ${what}`)
    try {
      await cloudflare.call('DELETE', path, z.unknown())
    } catch (error) {
      if (error instanceof ApiError && error.status === 409 && path.includes('/r2/'))
        throw new PlainError(
          'The bucket is not empty: empty it on the dashboard (R2 › the bucket › Settings › Empty bucket) and run the command again.',
        )
      throw error
    }
  }
}

async function main(): Promise<void> {
  const { env, 'yes-delete': yes } = readArguments()
  const names = namesOf(env)
  const settings = readSettings(join(ROOT, names.settingsFile), names.settingsFile)
  const cloudflare = cloudflareOf(settings)
  const parts = await findParts(cloudflare, names, settings)
  if (parts.length === 0) return console.log(`Nothing of ${names.worker} exists.`)
  console.log(`This deletes for good:\n${parts.map(({ what }) => `- ${what}`).join('\n')}`)
  const typed = yes ?? (await askForName(names.worker))
  if (typed !== names.worker) throw new PlainError('The name differs; nothing was deleted.')
  await deleteParts(cloudflare, parts, (line) => console.log(line))
}

function readArguments() {
  try {
    return parseArgs({ options: { env: { type: 'string' }, 'yes-delete': { type: 'string' } } })
      .values
  } catch (error) {
    throw new PlainError(`${messageOf(error)}\n${USAGE}`)
  }
}

/** @throws PlainError without a terminal */
async function askForName(name: string): Promise<string> {
  if (!process.stdin.isTTY)
    throw new PlainError(
      `Without a terminal, confirm with --yes-delete ${name}; nothing was deleted.`,
    )
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  try {
    return (await terminal.question(`Type ${name} to delete all of it: `)).trim()
  } finally {
    terminal.close()
  }
}

if (import.meta.main) await runCommand(main)

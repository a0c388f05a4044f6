/**
 * `npm run deploy [-- --env staging] [--dry-run]`: a course's judge on Cloudflare, from `deploy.env`. Docs:
 * docs/deploying.md. It asks nothing, so it runs in CI as it does at a terminal.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { buildWeb } from '../build-web.ts'
import { messageOf, PlainError, runCommand } from '../plain-error.ts'
import { ROOT } from '../root.ts'
import { openCloudflare } from './cloudflare.ts'
import { dryCloudflare } from './dry-run.ts'
import { deployInstallation, type Deployed, type DeployTools } from './installation.ts'
import { namesOf, type Names } from './names.ts'
import { addSetting, readSettings, type Settings } from './settings-file.ts'
import { uploadArguments, uploadWorker } from './upload.ts'

const USAGE = 'npm run deploy [-- --env NAME] [--dry-run]'

/** Reads the command line; both commands have `--env`. */
function readArguments() {
  try {
    return parseArgs({
      options: { env: { type: 'string' }, 'dry-run': { type: 'boolean', default: false } },
    }).values
  } catch (error) {
    throw new PlainError(`${messageOf(error)}\n${USAGE}`)
  }
}

/** What to do next, for the terminal. */
function nextSteps({ address, adminLink, registrationToken, account, judgeQueueId }: Deployed) {
  return [
    `\nThe judge is at ${address}`,
    adminLink
      ? `\nOpen this link and choose the first admin's password (it works once, for 7 days):\n${adminLink}`
      : '\nAn admin is active and lets others in.',
    `\nA judge host needs (docs/operating-runners.md):
SERVER_URL=${address} RUNNER_REGISTRATION_TOKEN=${registrationToken ?? '(the one of the first deploy)'}
and for tickets from the queue: QUEUES_ACCOUNT_ID=${account} QUEUE_ID=${judgeQueueId} QUEUES_API_TOKEN=(a token with “Account · Queues · Edit”)`,
  ].join('\n')
}

function realTools(settings: Settings, file: string): DeployTools {
  return {
    cloudflare: openCloudflare(settings.CLOUDFLARE_API_TOKEN ?? ''),
    log: (line) => console.log(line),
    async upload(upload) {
      await buildWeb()
      await uploadWorker(upload)
    },
    keep: (name, value) => addSetting(file, name, value),
  }
}

/** Shows what a deploy to an empty account does. Missing settings do not stop it, so that it can be tried first. */
async function dryRun(names: Names, file: string): Promise<void> {
  const log = (line: string) => console.log(line)
  let settings: Settings = {}
  try {
    settings = readSettings(file, names.settingsFile)
  } catch (error) {
    log(`A deploy would stop: ${messageOf(error)}\n`)
    settings = { ADMIN_USERNAME: 'admin', ADMIN_EMAIL: 'admin@example.org' }
  }
  await deployInstallation(names, settings, {
    cloudflare: dryCloudflare(log),
    log: (line) => log(`# ${line}`),
    async upload({ config, secrets }) {
      log(`vite build\nwrangler ${uploadArguments('CONFIGURATION', 'SECRETS').join(' ')}`)
      log(`# CONFIGURATION\n${JSON.stringify(config, null, 2)}`)
      log(`# SECRETS: ${Object.keys(secrets).join(', ')}`)
    },
    keep() {},
  })
  log('\nNothing was sent.')
}

async function main(): Promise<void> {
  const { env, 'dry-run': dry } = readArguments()
  const names = namesOf(env)
  const file = join(ROOT, names.settingsFile)
  if (dry) return dryRun(names, file)
  const settings = readSettings(file, names.settingsFile)
  if (!existsSync(file)) throw new PlainError(`${names.settingsFile} is not there.`)
  console.log(nextSteps(await deployInstallation(names, settings, realTools(settings, file))))
}

await runCommand(main)

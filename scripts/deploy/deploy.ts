/**
 * `npm run deploy [-- --env staging] [--dry-run]`: a course's judge on Cloudflare, from `deploy.env`. Docs:
 * docs/deploying.md. It asks nothing, so it runs in CI as it does at a terminal.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { installLine, readSums } from '#contract/installation/host-setup'
import { buildWeb } from '../bundle/build-web.ts'
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

/** How a fresh machine becomes a judge host; where the secret or the build is not here, where to find that. */
function hostLine(server: string, secret: string | null): string {
  const sums = join(ROOT, 'dist/web/runner/SHA256SUMS')
  const install = existsSync(sums) ? readSums(readFileSync(sums, 'utf8')).install : undefined
  if (secret === null || install === undefined)
    return `Judge hosts: ${server}/admin/dashboard, “Add judge host”.`
  const setup = { server, secretName: 'RUNNER_REGISTRATION_TOKEN', secret } as const
  return `A fresh Debian or Ubuntu becomes a judge host by this line:\n${installLine({ ...setup, installSha256: install })}`
}

/** What to do next, for the terminal. */
function nextSteps({ address, adminLink, registrationToken, account, judgeQueueId }: Deployed) {
  return [
    `\nThe judge is at ${address}`,
    adminLink
      ? `\nOpen this link and choose the first admin's password (it works once, for 7 days):\n${adminLink}`
      : '\nAn admin is active and lets others in.',
    `\n${hostLine(address, registrationToken)}
Further settings, for tickets from the queue: QUEUES_ACCOUNT_ID=${account} QUEUE_ID=${judgeQueueId} QUEUES_API_TOKEN=(a token with “Account · Queues · Edit”)`,
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

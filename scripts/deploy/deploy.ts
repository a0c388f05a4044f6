/**
 * `npm run deploy [-- --env staging] [--dry-run] [--show-host-line]`: deploys a judge to Cloudflare with the settings of `deploy.env`
 * (docs/deploying.md). It asks nothing, so it runs in CI as it does at a terminal.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { readSums } from '#contract/installation/host-setup'
import { buildWeb } from '../bundle/build-web.ts'
import { messageOf, PlainError, runCommand } from '../plain-error.ts'
import { ROOT } from '../root.ts'
import { cloudflareOf } from './cloudflare.ts'
import { dryCloudflare } from './dry-run.ts'
import { deployInstallation, type DeployTools } from './installation.ts'
import { namesOf, type Names } from './names.ts'
import { nextSteps } from './next-steps.ts'
import { addSetting, readSettings, type Settings } from './settings-file.ts'
import { uploadArguments, uploadWorker } from './upload.ts'

const USAGE = 'npm run deploy [-- --env NAME] [--dry-run] [--show-host-line]'

/** Reads the command line. */
function readArguments() {
  try {
    return parseArgs({
      options: {
        env: { type: 'string' },
        'dry-run': { type: 'boolean', default: false },
        'show-host-line': { type: 'boolean', default: false },
      },
    }).values
  } catch (error) {
    throw new PlainError(`${messageOf(error)}\n${USAGE}`)
  }
}

/** SHA-256 of the install script in the built web app; undefined when the app was not built. */
function publishedInstall(): string | undefined {
  const sums = join(ROOT, 'dist/web/runner/SHA256SUMS')
  return existsSync(sums) ? readSums(readFileSync(sums, 'utf8')).install : undefined
}

function realTools(settings: Settings, file: string): DeployTools {
  return {
    cloudflare: cloudflareOf(settings),
    log: (line) => console.log(line),
    async upload(upload) {
      await buildWeb()
      await uploadWorker(upload)
    },
    keep: (name, value) => addSetting(file, name, value),
  }
}

/** Shows what a deploy does in an empty account. It also runs while settings are missing. */
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
  const { env, 'dry-run': dry, 'show-host-line': isAsked } = readArguments()
  const names = namesOf(env)
  const file = join(ROOT, names.settingsFile)
  if (dry) return dryRun(names, file)
  const settings = readSettings(file, names.settingsFile)
  if (!existsSync(file)) throw new PlainError(`There is no file ${names.settingsFile}.`)
  const deployed = await deployInstallation(names, settings, realTools(settings, file))
  console.log(nextSteps(deployed, isAsked, publishedInstall()))
}

await runCommand(main)

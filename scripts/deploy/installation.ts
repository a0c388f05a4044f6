/** Brings one installation up to date. Each step first looks for what exists already, so an interrupted deploy is simply run again. */
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import * as z from 'zod'
import { SETTINGS, type SettingName } from '#contract/installation/settings'
import { firstAdminLink } from '../first-admin-link.ts'
import { ROOT } from '../root.ts'
import {
  findAccount,
  findResources,
  findSubdomain,
  requireJurisdiction,
  warnOfPlan,
  type ExistingResources,
} from './account.ts'
import { orNull, type Cloudflare } from './cloudflare.ts'
import { hasAdmin, migrate, openDatabase, requireDemands, type Database } from './database.ts'
import { attachDomain, requireFreeDomain } from './domain.ts'
import type { Names } from './names.ts'
import { requireOwn } from './ownership.ts'
import { provision } from './provision.ts'
import type { Settings } from './settings-file.ts'
import type { Upload } from './upload.ts'
import { settingsOfKind, workerConfig } from './worker-config.ts'

/** The tools of a deploy. */
export interface DeployTools {
  cloudflare: Cloudflare
  log(line: string): void
  /** Uploads code and web app. */
  upload(upload: Upload): Promise<void>
  /** Stores a secret that this deploy has made. */
  keep(name: 'RUNNER_REGISTRATION_TOKEN', value: string): void
  /** The folder of SQL files. */
  migrations?: string
}

/** The installation after a deploy. */
export interface Deployed {
  /** The origin of web app and API. */
  address: string
  /** The link that activates the first admin; null when an admin is active. */
  adminLink: string | null
  account: string
  judgeQueueId: string
  /** The registration token; null when only the Worker knows it. */
  registrationToken: string | null
  /** Whether there was no Worker before. */
  isFirst: boolean
}

/**
 * Deletes secrets whose settings are no longer set: an upload would keep them. The registration token stays, because
 * perhaps only the Worker knows it.
 */
async function deleteStaleSecrets(
  cloudflare: Cloudflare,
  worker: string,
  { secrets }: ExistingResources,
  settings: Settings,
): Promise<void> {
  const stale = (secrets ?? []).filter(
    (name) =>
      Object.hasOwn(SETTINGS, name) &&
      name !== 'RUNNER_REGISTRATION_TOKEN' &&
      !settings[name as SettingName],
  )
  for (const name of stale)
    await orNull(cloudflare.call('DELETE', `${worker}/secrets/${name}`, z.unknown()))
}

/** Makes a new link for the first admin; null once an admin is active. */
async function renewAdminLink(
  { query, batch }: Database,
  origin: string,
  { ADMIN_USERNAME: username = '', ADMIN_EMAIL: email = '' }: Settings,
): Promise<string | null> {
  if (await hasAdmin(query)) return null
  const { statements, link } = firstAdminLink(origin, username, email)
  await batch(statements.map((sql) => ({ sql })))
  return link
}

/** The settings with a registration token. If neither the settings nor the Worker have a token, a new one is made. */
function withRegistrationToken<Given extends Settings>(
  { settingsFile }: Names,
  { secrets }: ExistingResources,
  settings: Given,
  { keep, log }: DeployTools,
): Given {
  if (settings.RUNNER_REGISTRATION_TOKEN || secrets?.includes('RUNNER_REGISTRATION_TOKEN'))
    return settings
  const token = randomBytes(24).toString('base64url')
  keep('RUNNER_REGISTRATION_TOKEN', token)
  log(
    `Added a RUNNER_REGISTRATION_TOKEN to ${settingsFile}: keep a copy of that file where you keep passwords`,
  )
  return { ...settings, RUNNER_REGISTRATION_TOKEN: token }
}

/**
 * Deploys.
 * @throws PlainError with a sentence that names the missing permission, plan or setting
 */
export async function deployInstallation(
  names: Names,
  given: Settings,
  tools: DeployTools,
): Promise<Deployed> {
  const { cloudflare, log } = tools
  log('Looking at the account')
  const account = await findAccount(cloudflare, given.CLOUDFLARE_ACCOUNT_ID)
  await warnOfPlan(cloudflare, account, log)
  const { DOMAIN: domain } = given
  const hasDomain = domain && (await requireFreeDomain(cloudflare, account, domain, names.worker))
  const host = domain ?? `${names.worker}.${await findSubdomain(cloudflare, account)}.workers.dev`
  const existing = await findResources(cloudflare, account, names)
  requireJurisdiction(names, existing, given)
  await requireOwn(cloudflare, account, names, existing)

  const located = { WEB_ORIGIN: `https://${host}`, ...given }
  const settings = withRegistrationToken(names, existing, located, tools)

  const parts = await provision(cloudflare, account, names, existing, settings, log)
  const { databaseId, judgeQueueId } = parts
  const database = openDatabase(cloudflare, account, databaseId)
  // Migrations come before the new code, which needs the new schema; the old code works with it, too (migrations/README.md).
  log('Migrating the database')
  for (const name of await migrate(database, tools.migrations ?? join(ROOT, 'migrations')))
    log(`Applied ${name}`)
  await requireDemands(database.query)

  log('Deploying the Worker and the web app')
  await tools.upload({
    account,
    token: given.CLOUDFLARE_API_TOKEN ?? '',
    config: workerConfig(names, databaseId, settings),
    secrets: settingsOfKind(settings, 'secret'),
  })
  const worker = `/accounts/${account}/workers/scripts/${names.worker}`
  await deleteStaleSecrets(cloudflare, worker, existing, settings)
  if (domain && !hasDomain) {
    log(`Giving ${domain} to the Worker`)
    await attachDomain(cloudflare, account, domain, names.worker)
  }

  const adminLink = await renewAdminLink(database, settings.WEB_ORIGIN, settings)
  return {
    address: `https://${host}`,
    adminLink,
    account,
    judgeQueueId,
    registrationToken: settings.RUNNER_REGISTRATION_TOKEN ?? null,
    isFirst: existing.secrets === null,
  }
}

/** Looks at the account before a deploy makes anything. */
import * as z from 'zod'
import { PlainError } from '../plain-error.ts'
import { orNull, type Cloudflare } from './cloudflare.ts'
import type { Names } from './names.ts'
import type { Settings } from './settings-file.ts'

const consumer = z.object({
  consumer_id: z.string().optional(),
  type: z.string(),
  script: z.string().optional(),
  service: z.string().optional(),
})

const queue = z.object({
  queue_id: z.string(),
  queue_name: z.string(),
  producers: z
    .array(z.object({ script: z.string().optional(), service: z.string().optional() }))
    .default([]),
  consumers: z.array(consumer).default([]),
})
export type Queue = z.infer<typeof queue>

const database = z.object({
  uuid: z.string(),
  name: z.string(),
  jurisdiction: z.string().nullish(),
})
const named = z.object({ name: z.string() })

/** The existing parts of an installation; null for a missing part. */
export interface ExistingResources {
  database: z.infer<typeof database> | null
  bucket: z.infer<typeof named> | null
  judgeQueue: Queue | null
  stepQueue: Queue | null
  deadLetterQueue: Queue | null
  /** Names of the Worker's secrets; null while there is no Worker. */
  secrets: readonly string[] | null
}

/**
 * The account to deploy to.
 * @param id the setting; without it, the account is the only one that the token reaches
 */
export async function findAccount(cloudflare: Cloudflare, id: string | undefined): Promise<string> {
  if (id) return id
  const accounts = await cloudflare.call(
    'GET',
    '/accounts?per_page=50',
    z.array(z.object({ id: z.string(), name: z.string() })),
  )
  const [only] = accounts
  if (only && accounts.length === 1) return only.id
  if (!only)
    throw new PlainError(
      'The API token reaches no account: give it the permission “Account · Account Settings · Read” for yours, or set CLOUDFLARE_ACCOUNT_ID.',
    )
  const list = accounts.map((account) => `${account.id} (${account.name})`).join(', ')
  throw new PlainError(
    `The API token reaches several accounts; set CLOUDFLARE_ACCOUNT_ID to one of ${list}.`,
  )
}

const subscriptions = z.array(
  z.object({
    rate_plan: z.object({ id: z.string().nullish(), is_contract: z.boolean().nullish() }).nullish(),
  }),
)

/**
 * Warns when no plan of the account looks like Workers Paid; says nothing when the token may not read plans. This is only a warning,
 * because Cloudflare lists no ids of plans. On the free plan Cloudflare itself refuses the upload.
 */
export async function warnOfPlan(
  cloudflare: Cloudflare,
  account: string,
  log: (line: string) => void,
): Promise<void> {
  const path = `/accounts/${account}/subscriptions`
  const plans = await orNull(cloudflare.call('GET', path, subscriptions), 403)
  if (plans === null) return
  const isPaid = plans.some(
    ({ rate_plan: plan }) =>
      plan?.is_contract || /^workers_(?!free)|enterprise/i.test(plan?.id ?? ''),
  )
  if (isPaid) return
  const ids = plans.map(({ rate_plan: plan }) => plan?.id ?? 'one without an id').join(', ')
  log(
    `Warning: none of the account’s plans (${ids || 'it has none'}) is known to be Workers Paid. On the free plan Cloudflare refuses the upload of the Worker.`,
  )
}

/** The account's name below workers.dev. */
export async function findSubdomain(cloudflare: Cloudflare, account: string): Promise<string> {
  const found = await orNull(
    cloudflare.call(
      'GET',
      `/accounts/${account}/workers/subdomain`,
      z.object({ subdomain: z.string() }).nullable(),
    ),
  )
  if (found?.subdomain) return found.subdomain
  throw new PlainError(
    'The account has no workers.dev subdomain yet: open the dashboard’s page Workers & Pages once, or set DOMAIN.',
  )
}

async function findQueue(
  cloudflare: Cloudflare,
  account: string,
  name: string,
): Promise<Queue | null> {
  const queues = await cloudflare.call(
    'GET',
    `/accounts/${account}/queues?name=${name}`,
    z.array(queue),
  )
  return queues.find((found) => found.queue_name === name) ?? null
}

/** Looks for every part of an installation, and changes nothing. */
export async function findResources(
  cloudflare: Cloudflare,
  account: string,
  names: Names,
): Promise<ExistingResources> {
  const below = `/accounts/${account}`
  const databases = await cloudflare.call(
    'GET',
    `${below}/d1/database?name=${names.database}`,
    z.array(database),
  )
  const { buckets } = await cloudflare.call(
    'GET',
    `${below}/r2/buckets?name_contains=${names.bucket}&per_page=1000`,
    z.object({ buckets: z.array(named) }),
  )
  const secrets = await orNull(
    cloudflare.call('GET', `${below}/workers/scripts/${names.worker}/secrets`, z.array(named)),
  )
  return {
    database: databases.find(({ name }) => name === names.database) ?? null,
    bucket: buckets.find(({ name }) => name === names.bucket) ?? null,
    judgeQueue: await findQueue(cloudflare, account, names.judgeQueue),
    stepQueue: await findQueue(cloudflare, account, names.stepQueue),
    deadLetterQueue: await findQueue(cloudflare, account, names.deadLetterQueue),
    secrets: secrets && secrets.map(({ name }) => name),
  }
}

/**
 * Cloudflare fixes the jurisdiction of database, bucket and Durable Objects when they are made.
 * @throws PlainError when the settings name another jurisdiction than the installation has
 */
export function requireJurisdiction(
  names: Names,
  { database: made }: ExistingResources,
  { JURISDICTION: set }: Settings,
): void {
  const has = made?.jurisdiction ?? undefined
  if (made === null || has === set) return
  const [found, fix] = has
    ? [`with JURISDICTION=${has}`, `set JURISDICTION=${has}`]
    : ['without JURISDICTION', 'remove JURISDICTION']
  throw new PlainError(
    `${names.worker} was made ${found}, which Cloudflare never changes afterwards: ${fix} in ${names.settingsFile}. For another jurisdiction, deploy a new installation with --env NAME and restore a backup into it.`,
  )
}

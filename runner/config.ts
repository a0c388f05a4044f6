/** The runner's settings, read from the environment once. Every problem is named with its fix. */
import { hostname } from 'node:os'
import { resolve } from 'node:path'
import * as z from 'zod'
import { hiddenCharacter } from '#contract/names'
import { physicalCores } from './sandbox/cores.ts'
import { MAX_SLOTS } from './sandbox/slot.ts'
import type { ServerSettings } from './server/client.ts'

/** Either all of these are set, or none. */
const QUEUE_VARIABLES = ['QUEUES_ACCOUNT_ID', 'QUEUE_ID', 'QUEUES_API_TOKEN'] as const

function webAddress(example: string) {
  return z
    .url({ protocol: /^https?$/, error: `must be an address such as ${example}` })
    .transform((address) => address.replace(/\/+$/, ''))
}

function wholeNumber(min: number, max: number) {
  const error = `must be a whole number from ${min} to ${max}`
  return z.coerce.number<string>({ error }).int({ error }).min(min, { error }).max(max, { error })
}

const environment = z
  .object({
    SERVER_URL: webAddress('https://judge.example.org'),
    RUNNER_REGISTRATION_TOKEN: z.string().optional(),
    RUNNER_TOKEN: z.string().optional(),
    RUNNER_NAME: z
      .string()
      .trim()
      .min(1)
      .max(64)
      .refine((name) => hiddenCharacter(name) === undefined, {
        error: 'must hold no characters that nobody sees',
      })
      .optional(),
    RUNNER_SLOTS: wholeNumber(1, MAX_SLOTS).optional(),
    RUNNER_FIRST_SLOT: z
      .union([z.literal('auto').transform(() => null), wholeNumber(0, MAX_SLOTS - 1)], {
        error: `must be auto or a whole number from 0 to ${MAX_SLOTS - 1}`,
      })
      .default(0),
    RUNNER_STATE_DIR: z.string().default('.state/runner'),
    TEST_DATA_CACHE_MB: wholeNumber(16, 1024 * 1024).default(2_048),
    QUEUES_API_BASE: webAddress('https://api.cloudflare.com/client/v4').default(
      'https://api.cloudflare.com/client/v4',
    ),
    QUEUES_ACCOUNT_ID: z.string().optional(),
    QUEUE_ID: z.string().optional(),
    QUEUES_API_TOKEN: z.string().optional(),
  })
  .refine(
    (values) =>
      (values.RUNNER_REGISTRATION_TOKEN === undefined) !== (values.RUNNER_TOKEN === undefined),
    {
      path: ['RUNNER_REGISTRATION_TOKEN'],
      error:
        'must hold the registration token that the server was deployed with, or RUNNER_TOKEN the one an admin made for this runner; not both',
      // This check runs even when other settings are wrong, so that all problems are named at once.
      when: () => true,
    },
  )
  .superRefine((values, context) => {
    const missing = QUEUE_VARIABLES.filter((name) => values[name] === undefined)
    if (missing.length === 0 || missing.length === QUEUE_VARIABLES.length) return
    for (const name of missing)
      context.addIssue({
        code: 'custom',
        path: [name],
        message: `must be set because ${QUEUE_VARIABLES.filter((other) => !missing.includes(other)).join(' and ')} is; or unset all three to work without the queue`,
      })
  })

export interface RunnerConfig extends ServerSettings {
  name: string
  slots: number
  /** Number of this runner's first slot; its other slots follow. Null: the first free numbers of this machine. */
  firstSlot: number | null
  /** Absolute path. */
  stateDir: string
  testDataCacheBytes: number
}

/** The environment is wrong. The message lists every problem, one a line. */
export class ConfigError extends Error {
  override name = 'ConfigError'
}

/**
 * Reads the settings.
 * @throws ConfigError that names every missing or wrong variable and what it must be
 */
export function readConfig(
  env: Record<string, string | undefined>,
  cores: () => number = physicalCores,
): RunnerConfig {
  // A compose file turns an unset variable into an empty one.
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''))
  const parsed = environment.safeParse(given)
  if (!parsed.success)
    throw new ConfigError(
      parsed.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`).join('\n'),
    )
  const values = parsed.data
  const slots = values.RUNNER_SLOTS ?? Math.min(cores(), MAX_SLOTS)
  const firstSlot = values.RUNNER_FIRST_SLOT
  if (firstSlot !== null && firstSlot + slots > MAX_SLOTS)
    throw new ConfigError(
      `RUNNER_FIRST_SLOT must be at most ${MAX_SLOTS - slots}, because a machine has ${MAX_SLOTS} slots and this runner takes ${slots}`,
    )
  const { QUEUES_ACCOUNT_ID: account, QUEUE_ID: queueId, QUEUES_API_TOKEN: apiToken } = values
  return {
    serverUrl: values.SERVER_URL,
    registrationToken: values.RUNNER_REGISTRATION_TOKEN ?? null,
    ownToken: values.RUNNER_TOKEN ?? null,
    name: values.RUNNER_NAME ?? hostname().slice(0, 64),
    slots,
    firstSlot,
    stateDir: resolve(values.RUNNER_STATE_DIR),
    testDataCacheBytes: values.TEST_DATA_CACHE_MB * 1024 ** 2,
    queue:
      account !== undefined && queueId !== undefined && apiToken !== undefined
        ? {
            messagesUrl: `${values.QUEUES_API_BASE}/accounts/${encodeURIComponent(account)}/queues/${encodeURIComponent(queueId)}/messages`,
            apiToken,
          }
        : null,
  }
}

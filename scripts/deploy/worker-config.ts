/** The configuration that one installation is deployed with: `wrangler.toml` with its names, ids and variables. */
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import {
  experimental_readRawConfig as readRawConfig,
  type Unstable_RawConfig as RawConfig,
} from 'wrangler'
import { SETTINGS, type Setting } from '#contract/installation/settings'
import { ROOT } from '../root.ts'
import type { Names } from './names.ts'
import type { Settings } from './settings-file.ts'

/** All settings of one kind that have a value. */
export function settingsOfKind(settings: Settings, kind: Setting['kind']): Record<string, string> {
  return Object.fromEntries(
    Object.entries(settings).filter(
      ([name, value]) => value && SETTINGS[name as keyof typeof SETTINGS].kind === kind,
    ),
  )
}

/** The namespace of a rate limit. An account has one counter per namespace and key, for all its Workers. */
function namespaceOf({ worker }: Names, binding: string): string {
  const hash = createHash('sha256').update(`${worker} ${binding}`).digest()
  return String(1 + (hash.readUInt32BE() >>> 1))
}

/**
 * The configuration as an object for a JSON file.
 * @param settings with `WEB_ORIGIN`; without `DOMAIN` the Worker is below workers.dev
 */
export function workerConfig(names: Names, databaseId: string, settings: Settings): RawConfig {
  const raw: RawConfig = readRawConfig({ config: join(ROOT, 'wrangler.toml') }).rawConfig
  const standard = {
    'coursejudge-judge': names.judgeQueue,
    'coursejudge-steps': names.stepQueue,
    'coursejudge-dead-letters': names.deadLetterQueue,
  } as Record<string, string | undefined>
  const queueOf = (name = '') => standard[name] ?? name
  return {
    ...raw,
    name: names.worker,
    main: join(ROOT, raw.main ?? ''),
    assets: { ...raw.assets, directory: join(ROOT, raw.assets?.directory ?? '') },
    workers_dev: settings.DOMAIN === undefined,
    vars: settingsOfKind(settings, 'variable'),
    d1_databases: raw.d1_databases?.map((database) => ({
      ...database,
      database_name: names.database,
      database_id: databaseId,
    })),
    r2_buckets: raw.r2_buckets?.map((bucket) => ({
      ...bucket,
      bucket_name: names.bucket,
      ...(settings.JURISDICTION && { jurisdiction: settings.JURISDICTION }),
    })),
    queues: {
      producers: raw.queues?.producers?.map((producer) => ({
        ...producer,
        queue: queueOf(producer.queue),
      })),
      consumers: raw.queues?.consumers?.map((consumer) => ({
        ...consumer,
        queue: queueOf(consumer.queue),
        dead_letter_queue: queueOf(consumer.dead_letter_queue),
      })),
    },
    ratelimits: raw.ratelimits?.map((rate) => ({
      ...rate,
      namespace_id: namespaceOf(names, rate.name),
    })),
    // Cloudflare refuses the binding when no domain of the account sends mail.
    ...(settings.MAIL_DRIVER === 'cloudflare' && { send_email: [{ name: 'MAIL' }] }),
  }
}

/** Makes the changes of a wrangler upload without wrangler, which takes a second to start. A test compares both. */
import { refusalOf } from '../../scripts/deploy/cloudflare.ts'
import type { Upload } from '../../scripts/deploy/upload.ts'
import { PlainError } from '../../scripts/plain-error.ts'

function bindingsOf({ config, secrets }: Upload): object[] {
  const { vars, queues, r2_buckets, d1_databases, durable_objects, send_email, ratelimits } = config
  return [
    ...Object.entries(vars ?? {}).map(([name, text]) => ({ name, type: 'plain_text', text })),
    ...Object.entries(secrets).map(([name, text]) => ({ name, type: 'secret_text', text })),
    ...(queues?.producers ?? []).map(({ binding, queue }) => ({
      name: binding,
      type: 'queue',
      queue_name: queue,
    })),
    ...(r2_buckets ?? []).map(({ binding, bucket_name, jurisdiction }) => ({
      name: binding,
      type: 'r2_bucket',
      bucket_name,
      jurisdiction,
    })),
    ...(d1_databases ?? []).map(({ binding, database_id: id }) => ({
      name: binding,
      type: 'd1',
      id,
    })),
    ...(durable_objects?.bindings ?? []).map(({ name, class_name }) => ({
      name,
      type: 'durable_object_namespace',
      class_name,
    })),
    ...(ratelimits ?? []).map(({ name, namespace_id, simple }) => ({
      name,
      type: 'ratelimit',
      namespace_id,
      simple,
    })),
    ...(send_email ?? []).map(({ name }) => ({ name, type: 'send_email' })),
    { name: 'ASSETS', type: 'assets' },
  ]
}

/** Null for a Worker that does not exist yet. */
function orNull(error: unknown): null {
  if (String(error).includes('This Worker does not exist')) return null
  throw error
}

/** The migrations of Durable Objects that come after those of the uploaded Worker. */
async function migrationsOf(
  { name, migrations = [] }: Upload['config'],
  call: (method: string, path: string) => Promise<unknown>,
) {
  const found = (await call('GET', `/workers/services/${name}`).catch(orNull)) as {
    default_environment: { script: { migration_tag?: string } }
  } | null
  const oldTag = found?.default_environment.script.migration_tag
  const left = migrations.slice(1 + migrations.findIndex(({ tag }) => tag === oldTag))
  if (left.length === 0) return undefined
  const steps = left.map(({ tag: _tag, ...step }) => step)
  return { old_tag: oldTag, new_tag: left.at(-1)?.tag, steps }
}

/** @throws Error if the stand-in refuses the upload */
export async function uploadBriefly(url: string, upload: Upload): Promise<void> {
  const { account, token, config } = upload

  async function call(method: string, path: string, body?: object): Promise<unknown> {
    const answer = await fetch(`${url}/accounts/${account}${path}`, {
      method,
      headers: { Authorization: `Bearer ${token}` },
      body: body === undefined || body instanceof FormData ? body : JSON.stringify(body),
    })
    const { result, errors } = (await answer.json()) as {
      result: unknown
      errors: { code: number; message: string }[]
    }
    if (!answer.ok) throw new PlainError(refusalOf(method, path, answer.status, errors))
    return result
  }

  const form = new FormData()
  const { limits } = config
  const metadata = {
    bindings: bindingsOf(upload),
    keep_bindings: ['secret_text'],
    limits,
    migrations: await migrationsOf(config, call),
  }
  form.set('metadata', JSON.stringify(metadata))
  const script = `/workers/scripts/${config.name}`
  await call('PUT', script, form)
  await call('POST', `${script}/subdomain`, { enabled: config.workers_dev })
  const crons = (config.triggers?.crons ?? []).map((cron) => ({ cron }))
  await call('PUT', `${script}/schedules`, crons)
  for (const { queue, dead_letter_queue } of config.queues?.consumers ?? []) {
    const [found] = (await call('GET', `/queues?name=${queue}`)) as {
      queue_id: string
      consumers: { type: string }[]
    }[]
    if (found?.consumers.some(({ type }) => type === 'worker')) continue
    const consumer = { type: 'worker', script_name: config.name, dead_letter_queue }
    await call('POST', `/queues/${found?.queue_id}/consumers`, consumer)
  }
}

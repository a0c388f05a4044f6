/** Workers: the calls by which wrangler uploads one, and the other calls of a deploy about it. */
import { bucketKey, field, newId, Refusal, type Account, type Worker } from './account.ts'
import type { Call } from './cloudflare.ts'

/** wrangler expects three parts in the token with which it finishes an upload. */
const ASSETS_TOKEN = `header.${Buffer.from('{}').toString('base64url')}.signature`

/** The migrations of Durable Objects in an upload. */
interface Migrations {
  old_tag?: string
  new_tag: string
  steps: { new_sqlite_classes?: string[] }[]
}

/** Migrates Durable Objects from the last upload's state; requires a class for every binding. */
function migrate(before: Worker | undefined, { bindings, ...metadata }: Worker['metadata']) {
  const migrations = metadata['migrations'] as Migrations | undefined
  if (migrations && migrations.old_tag !== before?.migrationTag)
    throw new Refusal(412, 10_079, 'The migration tag precondition failed')
  const made = migrations?.steps.flatMap((step) => step.new_sqlite_classes ?? []) ?? []
  const classes = [...(before?.classes ?? []), ...made]
  for (const { type, class_name } of bindings)
    if (type === 'durable_object_namespace' && !classes.includes(String(class_name)))
      throw new Refusal(400, 10_061, `Cannot create binding for class '${String(class_name)}'`)
  return { migrationTag: migrations?.new_tag ?? before?.migrationTag, classes }
}

/** Stores an upload: bindings, secrets that stay, and producers of queues. */
function upload(account: Account, name: string, metadata: Worker['metadata']): object {
  const before = account.workers.get(name)
  // wrangler sends `inherit` for a binding that stays as it is.
  metadata.bindings = metadata.bindings.map((binding) =>
    binding.type === 'inherit'
      ? (before?.metadata.bindings.find((old) => old.name === binding.name) ?? binding)
      : binding,
  )
  for (const { type, bucket_name: bucket, jurisdiction } of metadata.bindings)
    if (
      type === 'r2_bucket' &&
      !account.buckets.has(bucketKey(String(bucket), jurisdiction as string))
    )
      throw new Refusal(400, 10_085, `R2 bucket '${String(bucket)}' not found`)
  const isKept = (metadata['keep_bindings'] as string[] | undefined)?.includes('secret_text')
  if (metadata['limits'] && account.plans.every((id) => !/contract|workers_(?!free)/.test(id)))
    throw new Refusal(400, 100_328, 'CPU limits are not supported for the Free plan')
  const secrets = metadata.bindings
    .filter(({ type }) => type === 'secret_text')
    .map((binding) => binding.name)
  account.workers.set(name, {
    metadata,
    secrets: [...new Set([...(isKept ? (before?.secrets ?? []) : []), ...secrets])],
    crons: before?.crons,
    isOnWorkersDev: before?.isOnWorkersDev ?? true,
    ...migrate(before, metadata),
  })
  for (const queue of account.queues.values()) {
    const isBound = metadata.bindings.some(
      ({ type, queue_name }) => type === 'queue' && queue_name === queue.queue_name,
    )
    queue.producers = queue.producers.filter(({ script }) => script !== name)
    if (isBound) queue.producers.push({ type: 'worker', script: name })
  }
  return { id: name, etag: newId(), deployment_id: newId(), startup_time_ms: 1 }
}

function metadataOf(form: unknown): Worker['metadata'] {
  return JSON.parse(String((form as FormData).get('metadata'))) as Worker['metadata']
}

/** Answers calls about one Worker, below `/workers/scripts/NAME`. */
function answerScript(account: Account, name: string, part: string, call: Call): unknown {
  const { method, body } = call
  if (part === 'assets-upload-session' && method === 'POST') {
    const manifest = field(body, 'manifest') as Record<string, { hash: string }>
    return { jwt: ASSETS_TOKEN, buckets: [Object.values(manifest).map(({ hash }) => hash)] }
  }
  if (part === '' && method === 'PUT') return upload(account, name, metadataOf(body))
  const worker = account.workers.get(name)
  if (!worker) throw new Refusal(404, 10_007, 'This Worker does not exist')
  switch (`${method} ${part}`) {
    case 'DELETE ':
      account.workers.delete(name)
      return {}
    case 'GET settings':
      return { bindings: worker.metadata.bindings }
    case 'GET secrets':
      return worker.secrets.map((secret) => ({ name: secret, type: 'secret_text' }))
    case 'GET deployments':
      return {
        deployments: [
          {
            id: newId(),
            source: 'wrangler',
            created_on: '2026-01-01T00:00:00Z',
            versions: [{ version_id: newId(), percentage: 100 }],
          },
        ],
      }
    // wrangler changes a Worker by two calls: it uploads a version, then deploys it.
    case 'POST versions':
      worker.version = metadataOf(body)
      return {
        id: newId(),
        startup_time_ms: 1,
        resources: { script: { etag: newId() }, script_runtime: {} },
      }
    case 'POST deployments':
      if (worker.version) upload(account, name, worker.version)
      return { id: newId() }
    case 'PATCH script-settings':
      return {}
    case 'GET subdomain':
      return { enabled: worker.isOnWorkersDev, previews_enabled: false }
    case 'POST subdomain':
      worker.isOnWorkersDev = field(body, 'enabled') === true
      return { enabled: worker.isOnWorkersDev, previews_enabled: false }
    case 'PUT schedules':
      worker.crons = body
      return { schedules: body }
  }
}

function answerDomains(account: Account, { method, path, query, body }: Call): unknown {
  if (path === '/workers/domains' && method === 'GET')
    return account.domains.filter(({ hostname }) => hostname === query.get('hostname'))
  if (path === '/workers/domains' && method === 'PUT') {
    const hostname = String(field(body, 'hostname'))
    if (account.records.includes(hostname))
      throw new Refusal(
        409,
        100_117,
        `Hostname '${hostname}' already has externally managed DNS records`,
      )
    const domain = { id: newId(), hostname, service: String(field(body, 'service')) }
    account.domains = [...account.domains.filter((other) => other.hostname !== hostname), domain]
    return domain
  }
  const [, id] = /^\/workers\/domains\/(\w+)$/.exec(path) ?? []
  if (id && method === 'DELETE') {
    account.domains = account.domains.filter((domain) => domain.id !== id)
    return {}
  }
}

export function answerWorkers(account: Account, call: Call): unknown {
  const { method, path } = call
  if (path === '/workers/subdomain' && method === 'GET') {
    const { subdomain } = account
    if (subdomain === null) throw new Refusal(404, 10_007, 'There is no subdomain yet')
    return { subdomain }
  }
  if (path === '/workers/assets/upload' && method === 'POST') return { jwt: ASSETS_TOKEN }
  const [, service] = /^\/workers\/services\/([\w-]+)$/.exec(path) ?? []
  if (service && method === 'GET') {
    const worker = account.workers.get(service)
    if (!worker) throw new Refusal(404, 10_007, 'This Worker does not exist')
    const script = { last_deployed_from: 'wrangler', migration_tag: worker.migrationTag }
    return { default_environment: { environment: 'production', script } }
  }
  const [, owner = '', secret] = /^\/workers\/scripts\/([\w-]+)\/secrets\/(\w+)$/.exec(path) ?? []
  const holder = account.workers.get(owner)
  if (secret && holder && method === 'DELETE') {
    holder.secrets = holder.secrets.filter((name) => name !== secret)
    return {}
  }
  const [, named] = /^\/workers\/workers\/([\w-]+)$/.exec(path) ?? []
  if (named && method === 'GET') {
    const worker = account.workers.get(named)
    if (!worker) throw new Refusal(404, 10_007, 'This Worker does not exist')
    const subdomain = { enabled: worker.isOnWorkersDev, previews_enabled: false }
    return { id: named, name: named, subdomain }
  }
  const [, name, part = ''] = /^\/workers\/scripts\/([\w-]+)(?:\/([\w-]+))?$/.exec(path) ?? []
  return name ? answerScript(account, name, part, call) : answerDomains(account, call)
}

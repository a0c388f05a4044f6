/** The resources of an installation, in words that do not differ between two runs. */
import type { Account } from './account.ts'
import type { Call } from './cloudflare.ts'

/** Whether a call makes a resource, a consumer or a table. */
export function isCreating({ method, path, body }: Call): boolean {
  const isResource = /^\/(r2\/buckets|queues|d1\/database|queues\/\w+\/consumers)$/.test(path)
  const makesTable = path.endsWith('/query') && JSON.stringify(body).includes('CREATE')
  return method === 'POST' && (isResource || makesTable)
}

export function summaryOf(account: Account, name: string) {
  const database = [...account.databases.values()].find((found) => found.name === name)?.sqlite
  const rows = (sql: string) => (database?.prepare(sql).all() ?? []).map((row) => ({ ...row }))
  const worker = account.workers.get(name)
  return {
    migrations: rows('SELECT name FROM d1_migrations ORDER BY id').map((row) => row['name']),
    users: rows('SELECT username, email, role, active FROM users'),
    links: rows('SELECT purpose FROM account_links').map(({ purpose }) => purpose),
    buckets: [...account.buckets.keys()],
    queues: Object.fromEntries(
      [...account.queues.values()].map((queue) => [
        queue.queue_name,
        queue.consumers.map((consumer) =>
          [consumer.type, consumer.script, `then ${String(consumer['dead_letter_queue'])}`]
            .filter(Boolean)
            .join(' ')
            .replace(' then', ', then'),
        ),
      ]),
    ),
    bindings: worker?.metadata.bindings
      .map((binding) => `${binding.name} ${binding.type}`)
      .toSorted(),
    secrets: worker?.secrets,
    crons: (worker?.crons as { cron: string }[] | undefined)?.map(({ cron }) => cron),
    limits: worker?.metadata['limits'],
    durableObjects: [...(worker?.classes ?? []), worker?.migrationTag],
    isOnWorkersDev: worker?.isOnWorkersDev,
    domains: account.domains.map(({ hostname, service }) => `${hostname} ${service}`),
  }
}

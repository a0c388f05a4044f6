/** D1 and R2. */
import { createHash } from 'node:crypto'
import { bucketKey, field, newDatabase, Refusal, type Account } from './account.ts'
import type { Call } from './cloudflare.ts'
import { runQueries } from './d1.ts'

function databaseOf(account: Account, id: string) {
  const found = account.databases.get(id)
  if (!found) throw new Refusal(404, 7404, 'The database was not found')
  return found
}

function answerD1(account: Account, { method, path, query, body }: Call): unknown {
  if (path === '/d1/database' && method === 'GET')
    return [...account.databases.values()]
      .filter(({ name }) => name.includes(query.get('name') ?? ''))
      .map(({ uuid, name, jurisdiction }) => ({ uuid, name, jurisdiction }))
  if (path === '/d1/database' && method === 'POST') {
    const database = newDatabase(
      String(field(body, 'name')),
      (field(body, 'jurisdiction') as string | undefined) ?? null,
    )
    if ([...account.databases.values()].some(({ name }) => name === database.name))
      throw new Refusal(400, 7502, 'A database with that name exists')
    account.databases.set(database.uuid, database)
    return { uuid: database.uuid, name: database.name }
  }
  const [, id = '', action] = /^\/d1\/database\/(\w+)(?:\/([\w/]+))?$/.exec(path) ?? []
  if (action === 'query' && method === 'POST')
    return runQueries(databaseOf(account, id).sqlite, body)
  // SQLite keeps no history, so the stand-in restores nothing.
  if (action === 'time_travel/bookmark' && method === 'GET') return { bookmark: 'before' }
  if (action === 'time_travel/restore' && method === 'POST')
    return { bookmark: query.get('bookmark'), previous_bookmark: 'now', message: '' }
  if (id && !action && method === 'GET') {
    // wrangler also looks databases up by name.
    const found = [...account.databases.values()].find(({ uuid, name }) =>
      [uuid, name].includes(id),
    )
    if (!found) throw new Refusal(404, 7404, 'The database was not found')
    return { uuid: found.uuid, name: found.name, version: 'production' }
  }
  if (id && !action && method === 'DELETE') {
    account.databases.delete(id)
    return {}
  }
}

function answerR2(account: Account, { method, path, query, body, jurisdiction }: Call): unknown {
  if (path === '/r2/buckets' && method === 'GET') {
    const start = bucketKey('', jurisdiction)
    const names = [...account.buckets.keys()]
      .filter((key) => key.startsWith(start) && !key.slice(start.length).includes(':'))
      .map((key) => key.slice(start.length))
    const part = query.get('name_contains') ?? ''
    return { buckets: names.filter((name) => name.includes(part)).map((name) => ({ name })) }
  }
  if (path === '/r2/buckets' && method === 'POST') {
    const name = String(field(body, 'name'))
    const made = bucketKey(name, jurisdiction)
    if (account.buckets.has(made)) throw new Refusal(409, 10_004, 'The bucket exists')
    account.buckets.set(made, new Map())
    return { name }
  }
  const [, name = '', key] = /^\/r2\/buckets\/([\w-]+)(?:\/objects(?:\/(.+))?)?$/.exec(path) ?? []
  const bucket = account.buckets.get(bucketKey(name, jurisdiction))
  if (name && !bucket) throw new Refusal(404, 10_006, 'The bucket does not exist')
  if (path.endsWith('/objects') && method === 'GET')
    return [...(bucket ?? [])]
      .toSorted(([left], [right]) => (left < right ? -1 : 1))
      .filter(([one]) => one > (query.get('start_after') ?? ''))
      .slice(0, Number(query.get('per_page')))
      .map(([one, content]) => ({
        key: one,
        size: Buffer.byteLength(content),
        etag: `${createHash('md5').update(content).digest('hex')}${account.inParts.has(one) ? '-2' : ''}`,
      }))
  if (key && method === 'PUT') {
    bucket?.set(decodeURIComponent(key), body as Uint8Array)
    account.inParts.delete(decodeURIComponent(key))
    return {}
  }
  if (key && method === 'GET') {
    const text = bucket?.get(decodeURIComponent(key))
    if (text === undefined) throw new Refusal(404, 10_007, 'The object does not exist')
    return text
  }
  if (name && !key && method === 'GET') return { name }
  if (name && !key && method === 'DELETE') {
    if (bucket && bucket.size > 0) throw new Refusal(409, 10_008, 'The bucket is not empty')
    account.buckets.delete(bucketKey(name, jurisdiction))
    return {}
  }
}

export function answerStorage(account: Account, call: Call): unknown {
  return answerD1(account, call) ?? answerR2(account, call)
}

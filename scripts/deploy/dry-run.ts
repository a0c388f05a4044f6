/** The API for a dry run: prints each call, and answers as an empty account would. It sends nothing. */
import { ApiError, type Cloudflare } from './cloudflare.ts'
import { TRIAL } from './database.ts'

/** The answer of an empty account; ids are placeholders. */
function answerTo(method: string, path: string, body: unknown): unknown {
  if (path.startsWith('/accounts?')) return [{ id: 'ACCOUNT_ID', name: '' }]
  if (path.endsWith('/subscriptions')) return [{ rate_plan: { id: 'workers_paid' } }]
  if (path.endsWith('/workers/subdomain')) return { subdomain: 'SUBDOMAIN' }
  if (JSON.stringify(body)?.includes(TRIAL)) throw new ApiError(TRIAL, 400, [])
  if (path.endsWith('/query')) return [{ results: [] }]
  if (path.includes('/r2/buckets') && method === 'GET') return { buckets: [] }
  if (method === 'GET') return []
  return { uuid: 'DATABASE_ID', queue_id: 'QUEUE_ID', ...Object(body) }
}

/** @param log is given a line for each call */
export function dryCloudflare(log: (line: string) => void): Cloudflare {
  return {
    async call(method, path, form, body) {
      const shown = body === undefined ? '' : ` ${JSON.stringify(body)}`
      log(`${method} ${path}${shown.length > 160 ? `${shown.slice(0, 160)}…` : shown}`)
      return form.parse(answerTo(method, path, body))
    },
  }
}

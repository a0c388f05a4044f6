/**
 * Stand-in for the pull API of Cloudflare Queues, for local development only: never deployed. Miniflare has
 * no pull API, so this Worker consumes the queue by push and answers the documented HTTP calls, in a dev
 * process of its own. The product does not know; only `QUEUES_API_BASE` differs.
 * https://developers.cloudflare.com/queues/configuration/pull-consumers/
 */
import type { PullQueue } from './pull-queue.ts'
import { ackRequest, pullRequest } from './pull-queue.ts'

export { PullQueue } from './pull-queue.ts'

interface StandInEnv {
  PULL_QUEUE: DurableObjectNamespace<PullQueue>
  /** The token that may pull. Unset, any token may. */
  QUEUES_API_TOKEN?: string
}

const ROUTE = /^\/client\/v4\/accounts\/[^/]+\/queues\/[^/]+\/messages\/(pull|ack)$/

/** The envelope of Cloudflare's API. */
function toAnswer(result: unknown, error?: { status: number; code: number; message: string }) {
  return Response.json(
    {
      success: error === undefined,
      errors: error ? [{ code: error.code, message: error.message }] : [],
      messages: [],
      result,
    },
    { status: error?.status ?? 200 },
  )
}

/** Base64 of a value's JSON, as the pull API encodes bodies of content type json. */
function toBase64Json(body: unknown): string {
  const bytes = new TextEncoder().encode(JSON.stringify(body))
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
}

/** Whether the call carries a bearer token that may pull. */
function isAllowed(request: Request, env: StandInEnv): boolean {
  const token = /^Bearer (.+)$/.exec(request.headers.get('Authorization') ?? '')?.[1]
  if (token === undefined) return false
  return env.QUEUES_API_TOKEN === undefined || token === env.QUEUES_API_TOKEN
}

export default {
  async fetch(request, env) {
    const { pathname } = new URL(request.url)
    if (pathname === '/ready') return new Response('ready')
    const call = ROUTE.exec(pathname)?.[1]
    if (call === undefined || request.method !== 'POST')
      return toAnswer(null, { status: 404, code: 7003, message: 'Could not route to this call' })
    if (!isAllowed(request, env))
      return toAnswer(null, { status: 401, code: 10000, message: 'Authentication error' })

    const queue = env.PULL_QUEUE.getByName('queue')
    const text = await request.text()
    let body: unknown
    try {
      body = text === '' ? {} : JSON.parse(text)
    } catch {
      return toAnswer(null, { status: 400, code: 10026, message: 'The body is not JSON' })
    }
    if (call === 'pull') {
      const parsed = pullRequest.safeParse(body)
      if (!parsed.success)
        return toAnswer(null, { status: 400, code: 10026, message: parsed.error.message })
      return toAnswer(await queue.pull(parsed.data))
    }
    const parsed = ackRequest.safeParse(body)
    if (!parsed.success)
      return toAnswer(null, { status: 400, code: 10026, message: parsed.error.message })
    return toAnswer(await queue.ack(parsed.data))
  },

  async queue(batch, env) {
    await env.PULL_QUEUE.getByName('queue').add(
      batch.messages.map((message) => ({
        id: message.id,
        body: toBase64Json(message.body),
        timestampMs: message.timestamp.getTime(),
      })),
    )
  },
} satisfies ExportedHandler<StandInEnv>
